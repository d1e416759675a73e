"""Imports go down only: the table of layers, read from the source of the package."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.modules import MODULES, PACKAGE, assert_no_module, label, parse

# A row holds siblings: none imports another. Layer 0 alone is one unit.
LAYERS = (
    (
        "source",
        "diagnostic",
        "errors",
        "files",
        "given",
        "interrupts",
        "job",
        "limits",
        "memory",
        "packing",
        "process",
        "record",
        "resources",
        "version",
        "cache",
        "waiting",
        "beside",
    ),
    ("board",),
    ("state",),
    ("spec", "syntax"),
    ("ir",),
    ("check", "lower", "parameters"),
    ("interpreter", "drivers", "text", "pipeline", "stored", "variant"),
    ("earlier", "moves", "line", "search", "batch", "symmetry"),
    ("patterns",),
    ("kernel",),
    ("interpreted",),
    ("actions", "affordable", "dispatch", "drawing", "enumeration", "finding", "quick", "session"),
    ("searching", "batches"),
    ("game",),
    ("loading",),
    (
        "play",
        "protocol",
        "listing",
        "explain",
        "lint",
        "measure",
        "engines",
        "quality",
        "format",
        "prose",
    ),
    ("spectests", "verdicts", "catalogue", "proofs", "completion"),
    ("bridges", "contests", "editor"),
    ("serving",),
    ("__init__",),
    ("cli", "pytest_plugin"),
    ("__main__",),
)
LAYER_OF = {unit: number for number, row in enumerate(LAYERS) for unit in row}
PUBLIC = LAYER_OF["dispatch"]

# Who may import what is not ours.
THIRD_PARTY = {
    "yaml": "spec",
    "jsonschema": "spec",
    "referencing": "spec",
    "lark": "syntax",
    "llvmlite": "kernel",
    "pygls": "editor",
    "resvg_py": "drawing",
    "tqdm": "cli",
    "choix": "contests",
    "pyarrow": "contests",
    "numpy": "contests batches bridges",
    "pettingzoo": "bridges",
    "gymnasium": "bridges",
    "pyspiel": "bridges",
    "PIL": "bridges",
    "distributed": "contests",
    "lsprotocol": "editor",
    "h11": "serving",
    "starlette": "serving",
    "uvicorn": "serving",
    "pytest": "pytest_plugin",
}


# What carries a line of its own in the packages that we use: YAML's marks, Lark's tokens.
COUNTED = re.compile(r"(mark|token|meta|error|exception)$", re.IGNORECASE)


def unit_of(module: Path) -> str:
    """`board/shapes.py` belongs to `board`, `game.py` to `game`."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(tree: ast.Module, module: Path) -> Iterator[str]:
    """The dotted names of all modules that a module imports, wherever it does so."""
    for node in ast.walk(tree):
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
    """The units of the package that a module imports, its own left out."""
    for name in imports(parse(module), module):
        parts = name.split(".")
        if parts[0] == "rulesengine":
            unit = parts[1] if len(parts) > 1 else "__init__"
            if unit != unit_of(module):
                yield unit


def test_the_package_is_found() -> None:
    assert PACKAGE / "source.py" in MODULES


def test_every_module_has_a_layer() -> None:
    assert {unit_of(module) for module in MODULES} <= set(LAYER_OF)


@pytest.mark.slow
def test_imports_go_down_only_and_never_to_a_sibling() -> None:
    assert_no_module(upward)


def upward(module: Path) -> set[str]:
    here = LAYER_OF[unit_of(module)]
    top = here - 1 if here else 0
    return {unit for unit in own_imports(module) if LAYER_OF[unit] > top}


@pytest.mark.slow
def test_files_import_one_another_in_no_circle() -> None:
    assert circles({label(m): own_files(m) for m in MODULES}) == set()


def own_files(module: Path) -> set[str]:
    """The files of the package that a module imports, inside functions and for types too."""
    paths = (PACKAGE.parent.joinpath(*name.split(".")) for name in imports(parse(module), module))
    files = {p / "__init__.py" if p.is_dir() else p.with_suffix(".py") for p in paths}
    return {label(file) for file in files & set(MODULES) - {module}}


def circles(edges: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """The largest sets of nodes each of which leads to all others."""
    below = {node: reached(node, edges) for node in edges}
    grouped = {node: frozenset(n for n in below[node] if node in below[n]) for node in edges}
    return {group for node, group in grouped.items() if node in group}


def reached(node: str, edges: Mapping[str, set[str]]) -> set[str]:
    """The nodes that one or more edges lead to."""
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
    return [unit for unit in own_imports(module) if program and 0 < LAYER_OF[unit] < PUBLIC]


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
    top = LAYER_OF["check"]
    if LAYER_OF[unit_of(module)] > top and unit_of(module) not in (
        "pipeline",
        "listing",
        "explain",
        "format",
    ):
        return {"spec", "syntax", "check"} & {*own_imports(module)}
    return set()


@pytest.mark.slow
def test_only_source_turns_offsets_into_lines_and_columns() -> None:
    assert_no_module(lines_computed)


def lines_computed(module: Path) -> list[str]:
    if module == PACKAGE / "source.py":
        return []
    return [ast.unparse(n) for n in ast.walk(parse(module)) if computes_a_line(n)]


def computes_a_line(node: ast.AST) -> bool:
    """Counts newlines, or takes over the line that another library counted."""
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
        ("from rulesengine import source", "game.py", ["rulesengine.source"]),
        ("from rulesengine import load", "cli/run.py", ["rulesengine"]),
        ("from ..source import Span", "spec/read.py", ["rulesengine.source"]),
        ("from . import source", "game.py", ["rulesengine.source"]),
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
        assert any(computes_a_line(node) for node in ast.walk(ast.parse(text)))
    assert not any(computes_a_line(n) for n in ast.walk(ast.parse('text.split("\\n")')))
