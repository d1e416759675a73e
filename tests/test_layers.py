"""Imports go down only: the table of layers, read from the source of the package."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.modules import MODULES, PACKAGE, assert_no_module, parse

# A row holds siblings: none imports another. Layer 0 alone is one unit.
LAYERS = (
    ("source", "diagnostic", "errors", "limits", "record", "resources", "cache"),
    ("board",),
    ("state",),
    ("spec", "syntax"),
    ("ir",),
    ("check", "lower", "parameters"),
    ("interpreter", "drivers", "text", "pipeline", "stored", "variant", "quick"),
    ("kernel",),
    ("game",),
    (
        "play",
        "protocol",
        "interop",
        "listing",
        "explain",
        "trial",
        "engines",
        "adequacy",
        "format",
        "wording",
    ),
    ("spectests",),
    ("editor",),
    ("__init__",),
    ("cli", "web", "pytest_plugin"),
    ("__main__",),
)
LAYER_OF = {unit: number for number, row in enumerate(LAYERS) for unit in row}
PUBLIC = LAYER_OF["game"]

# Who may import what is not ours.
THIRD_PARTY = {
    "yaml": "spec",
    "jsonschema": "spec",
    "referencing": "spec",
    "lark": "syntax",
    "llvmlite": "kernel",
    "pygls": "editor",
    "lsprotocol": "editor",
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


def test_imports_go_down_only_and_never_to_a_sibling() -> None:
    assert_no_module(upward)


def upward(module: Path) -> set[str]:
    here = LAYER_OF[unit_of(module)]
    top = here - 1 if here else 0
    return {unit for unit in own_imports(module) if LAYER_OF[unit] > top}


def test_the_programs_see_the_public_interface_only() -> None:
    assert_no_module(hidden)


def hidden(module: Path) -> list[str]:
    program = unit_of(module) in ("cli", "web")
    return [unit for unit in own_imports(module) if program and 0 < LAYER_OF[unit] < PUBLIC]


def test_other_peoples_packages_stay_where_they_belong() -> None:
    assert_no_module(astray)


def astray(module: Path) -> list[str]:
    tops = {name.split(".")[0] for name in imports(parse(module), module)}
    foreign = tops - sys.stdlib_module_names - {"rulesengine"}
    adapters = unit_of(module) == "interop"
    return [n for n in foreign if not adapters and THIRD_PARTY.get(n) != unit_of(module)]


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


def test_the_search_for_lines_itself() -> None:
    for text in (
        'text.count("\\n", 0, end)',
        "event.start_mark.line",
        "token.column",
        'text.rfind("\\n")',
    ):
        assert any(computes_a_line(node) for node in ast.walk(ast.parse(text)))
    assert not any(computes_a_line(n) for n in ast.walk(ast.parse('text.split("\\n")')))
