"""Functions have at most seven parameters, apart from those of a list that may only shrink."""

import ast
from collections.abc import Iterator

import pytest

from tests.helpers.modules import ROOT, parse

MOST = 7
# Signatures of the public API with keyword options, and constructors of tables and searches.
# A function that is shortened leaves this list; none is added.
LONGER = {
    "contests/api.py: contest_of",
    "contests/api.py: tournament",
    "contests/referee.py: play_game",
    "game.py: Game.search",
    "game.py: Game.searcher",
    "game.py: Game.solve",
    "language/ir/signature.py: effect_row",
    "language/ir/signature.py: value_row",
    "search/enumeration/layers.py: layers",
    "search/iterative_deepening.py: AlphaBeta.__init__",
}


def test_functions_have_at_most_seven_parameters() -> None:
    package = ROOT / "rulesengine"
    found = {
        f"{path.relative_to(package).as_posix()}: {name}"
        for path in package.rglob("*.py")
        for name in long_signatures(parse(path))
    }
    assert found == LONGER


def long_signatures(tree: ast.AST, prefix: str = "") -> Iterator[str]:
    """Yield the names of functions with too many parameters; `self` and `cls` do not count."""
    for node in ast.iter_child_nodes(tree):
        name = prefix
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}{node.name}."
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            args = node.args
            own = [a for a in (*args.posonlyargs, *args.args) if a.arg not in ("self", "cls")]
            if len(own) + len(args.kwonlyargs) > MOST:
                yield name[:-1]
        yield from long_signatures(node, name)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(a, b, c, d, e, f, g): pass", []),
        ("def f(a, b, c, d, e, f, /, g, *, h): pass", ["f"]),
        ("class A:\n  def g(self, a, b, c, d, e, f, g): pass", []),
        ("class A:\n  def g(cls, a, b, c, d, e, f, g, h): pass", ["A.g"]),
        ("def f():\n  def g(a, b, c, d, e, f, g, h): pass", ["f.g"]),
    ],
)
def test_the_count_of_parameters_itself(text: str, found: list[str]) -> None:
    assert list(long_signatures(ast.parse(text))) == found
