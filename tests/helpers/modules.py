"""The modules of the package, read once, and checks of a rule on each."""

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "rulesengine"
MODULES = sorted(PACKAGE.rglob("*.py"))


def assert_no_module(offences: Callable[[Path], Iterable[object]]) -> None:
    """Fail with all modules in which a rule finds offences, a line for each."""
    found = [f"{label(module)}: {offence}" for module in MODULES for offence in offences(module)]
    assert not found, "\n".join(found)


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def read(module: Path) -> str:
    return module.read_text(encoding="utf-8")


@cache
def parse(module: Path) -> ast.Module:
    return ast.parse(read(module))


@cache
def walk(node: ast.AST) -> tuple[ast.AST, ...]:
    """Return the nodes of `ast.walk`, cached: many tests walk the same modules."""
    return tuple(ast.walk(node))
