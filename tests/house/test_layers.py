"""Imports go down only: the table of layers, read from the source of the package."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.modules import MODULES, PACKAGE, assert_no_module, label, parse, walk

# A row holds siblings: none imports another. `errors` and `version` are one unit with `support`.
LAYERS = (
    ("support",),
    ("board", "engine.background", "job", "state"),
    ("language.document", "language.syntax"),
    ("language.ir",),
    ("language.check", "language.lower", "language.parameters"),
    ("language.pipeline", "language.rules_cache", "language.variant"),
    ("engine.drivers", "engine.interpreter", "notation", "drawing", "sandbox"),
    (
        "engine.cost_limit",
        "engine.evaluation",
        "engine.moves",
        "engine.observation",
        "engine.symmetry",
    ),
    ("engine.move_lookup", "engine.patterns", "session"),
    ("engine.kernel",),
    (
        "engine.actions",
        "engine.interpreter_driver",
        "engine.move_explanation",
        "engine.native_calls",
    ),
    ("engine.dispatch",),
    ("batch", "formats", "prose", "search"),
    ("game",),
    ("loading",),
    (
        "script",
        "tools.coverage",
        "tools.doctor",
        "tools.explain",
        "tools.format",
        "tools.inspect",
        "tools.lint",
        "tools.measure",
    ),
    (
        "play",
        "tools.bundled",
        "tools.completion",
        "tools.findings_cache",
        "tools.mutation",
        "tools.spectests",
        "tools.variants_ini",
    ),
    ("adapters", "certificates", "contests", "server.lsp"),
    ("bridges", "server.web"),
    ("server.export",),
    ("__init__",),
    ("cli", "pytest_plugin"),
    ("__main__",),
)
# Packages that are only folders: their parts are units, and they contain no modules themselves.
FOLDERS = {"language", "engine", "tools", "server"}
LAYER_OF = {unit: number for number, row in enumerate(LAYERS) for unit in row}
PUBLIC = LAYER_OF["engine.dispatch"]
# Lower layers that commands may import: values and services that callers of the package see, too.
SHOWN = {"support", "job", "drawing", "sandbox", "engine.background"}

# The unit that may import each third-party package.
THIRD_PARTY = {
    "yaml": "language.document",
    "jsonschema": "language.document",
    "referencing": "language.document",
    "lark": "language.syntax",
    "llvmlite": "engine.kernel",
    "cuda": "engine.kernel",
    "pygls": "server.lsp",
    "pygments": "adapters",
    "resvg_py": "drawing",
    "tqdm": "cli",
    "choix": "contests",
    "pyarrow": "contests",
    "numpy": "contests batch adapters engine.kernel search",
    "pettingzoo": "adapters",
    "gymnasium": "adapters",
    "pyspiel": "adapters",
    "PIL": "adapters",
    "distributed": "contests",
    "lsprotocol": "server.lsp",
    "h11": "server.web",
    "starlette": "server.web",
    "uvicorn": "server.web",
    "pytest": "pytest_plugin",
}


# Attributes of YAML marks and Lark tokens that carry line numbers.
COUNTED = re.compile(r"(mark|token|meta|error|exception)$", re.IGNORECASE)


def unit_of(module: Path) -> str:
    """Return the unit of a module: `board/shapes.py` belongs to `board`, `game.py` to `game`."""
    return unit_named(module.relative_to(PACKAGE).with_suffix("").parts)


def unit_named(parts: Sequence[str]) -> str:
    """Return the unit of a dotted name without `rulesengine`; `__init__` is the package itself."""
    if not parts or parts[0] in ("errors", "version"):
        return "support" if parts else "__init__"
    return ".".join(parts[:2]) if parts[0] in FOLDERS else parts[0]


def imports(tree: ast.Module, module: Path) -> Iterator[str]:
    """Yield the dotted names of all modules that a module imports, at any level."""
    for node in walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, module)
            for alias in node.names:
                yield f"{base}.{alias.name}" if is_module(f"{base}.{alias.name}") else base


def absolute(node: ast.ImportFrom, module: Path) -> str:
    if not node.level:
        return node.module or ""
    package = ("rulesengine", *module.relative_to(PACKAGE).parent.parts)
    return ".".join((*package[: len(package) - node.level + 1], *filter(None, [node.module])))


@cache
def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return name.startswith("rulesengine.") and (path.is_dir() or path.with_suffix(".py").is_file())


def own_imports(module: Path) -> Iterator[str]:
    """Yield the units of the package that a module imports, except its own."""
    for name in imports(parse(module), module):
        parts = name.split(".")
        if parts[0] == "rulesengine":
            unit = unit_named(parts[1:])
            if unit != unit_of(module) and unit not in FOLDERS:
                yield unit


def test_the_package_is_found() -> None:
    assert PACKAGE / "support" / "source.py" in MODULES


def test_every_module_has_a_layer() -> None:
    units = {unit_of(module) for module in MODULES}
    assert units - {f"{folder}.__init__" for folder in FOLDERS} == set(LAYER_OF)


def test_a_folder_of_units_has_no_code_of_its_own() -> None:
    for folder in FOLDERS:
        assert len(parse(PACKAGE / folder / "__init__.py").body) == 1  # the docstring


@pytest.mark.slow
def test_imports_go_down_only_and_never_to_a_sibling() -> None:
    assert_no_module(upward)


def upward(module: Path) -> set[str]:
    if unit_of(module).endswith(".__init__"):
        return set()
    top = LAYER_OF[unit_of(module)] - 1
    return {unit for unit in own_imports(module) if LAYER_OF[unit] > top}


@pytest.mark.slow
def test_files_import_one_another_in_no_circle() -> None:
    assert circles({label(m): own_files(m) for m in MODULES}) == set()


def own_files(module: Path) -> set[str]:
    """Return the files of the package that a module imports, inside functions and for types too."""
    paths = (PACKAGE.parent.joinpath(*name.split(".")) for name in imports(parse(module), module))
    files = {p / "__init__.py" if p.is_dir() else p.with_suffix(".py") for p in paths}
    return {label(file) for file in files & set(MODULES) - {module}}


def circles(edges: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Return the strongly connected components that contain a cycle."""
    below = {node: reached(node, edges) for node in edges}
    grouped = {node: frozenset(n for n in below[node] if node in below[n]) for node in edges}
    return {group for node, group in grouped.items() if node in group}


def reached(node: str, edges: Mapping[str, set[str]]) -> set[str]:
    """Return the nodes reachable by one or more edges."""
    found, due = set[str](), [node]
    while due:
        new = edges[due.pop()] - found
        found |= new
        due += new
    return found


@pytest.mark.slow
def test_the_programs_see_the_public_interface_only() -> None:
    assert_no_module(hidden)


def hidden(module: Path) -> list[str]:
    program = unit_of(module) == "cli"
    return [
        unit
        for unit in own_imports(module)
        if program and LAYER_OF[unit] < PUBLIC and unit not in SHOWN
    ]


@pytest.mark.slow
def test_other_peoples_packages_stay_where_they_belong() -> None:
    assert_no_module(astray)


def astray(module: Path) -> list[str]:
    tops = {name.split(".")[0] for name in imports(parse(module), module)}
    foreign = tops - sys.stdlib_module_names - {"rulesengine"}
    return [name for name in foreign if unit_of(module) not in THIRD_PARTY.get(name, "").split()]


@pytest.mark.slow
def test_only_the_pipeline_sees_the_syntax() -> None:
    assert_no_module(syntax_seen)


def syntax_seen(module: Path) -> set[str]:
    top = LAYER_OF["language.check"]
    if LAYER_OF.get(unit_of(module), 0) > top and unit_of(module) not in (
        "language.pipeline",
        "tools.inspect",
        "tools.explain",
        "tools.format",
    ):
        return {"language.document", "language.syntax", "language.check"} & {*own_imports(module)}
    return set()


@pytest.mark.slow
def test_only_source_turns_offsets_into_lines_and_columns() -> None:
    assert_no_module(lines_computed)


def lines_computed(module: Path) -> list[str]:
    if module == PACKAGE / "support" / "source.py":
        return []
    return [ast.unparse(n) for n in walk(parse(module)) if computes_a_line(n)]


def computes_a_line(node: ast.AST) -> bool:
    """True if the expression counts newlines, or copies a line number of another library."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="count" | "rfind" | "rindex"), args=[ast.Constant("\n"), *_]
        ):
            return True
        case ast.Attribute(value=counted, attr="line" | "column" | "end_line" | "end_column"):
            return bool(COUNTED.search(ast.unparse(counted)))
    return False


@pytest.mark.parametrize(
    ("text", "module", "names"),
    [
        ("import rulesengine.board", "game.py", ["rulesengine.board"]),
        ("from rulesengine import job", "game.py", ["rulesengine.job"]),
        ("from rulesengine import load", "cli/run.py", ["rulesengine"]),
        ("from ..job import Job", "board/read.py", ["rulesengine.job"]),
        ("from . import job", "game.py", ["rulesengine.job"]),
        ("def f():\n    from yaml import parse", "game.py", ["yaml"]),
    ],
)
def test_the_reading_of_imports_itself(text: str, module: str, names: list[str]) -> None:
    assert list(imports(ast.parse(text), PACKAGE / module)) == names


def test_the_search_for_circles_itself() -> None:
    edges = {"a": {"b"}, "b": {"c", "e"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert circles(edges) == {frozenset("abc"), frozenset("de")}
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == set()


def test_the_search_for_lines_itself() -> None:
    for text in (
        'text.count("\\n", 0, end)',
        "event.start_mark.line",
        "token.column",
        'text.rfind("\\n")',
    ):
        assert any(computes_a_line(node) for node in walk(ast.parse(text)))
    assert not any(computes_a_line(n) for n in walk(ast.parse('text.split("\\n")')))
