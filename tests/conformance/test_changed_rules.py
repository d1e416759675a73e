"""Changed rules of Othello, Gomoku, Hex and Go: kernels play the games of the interpreter."""

from pathlib import Path

import pytest

import rulesengine
from tests.helpers.engine_comparison import needs_native

VARIANTS = Path(__file__).parents[1] / "benchmarks" / "variants"
SPECS = tuple(sorted(path for path in VARIANTS.glob("*/*.yaml")))
# Small boards, one for each kind of change.
SMALL = (
    ("othello/even-flips", 6),
    ("othello/no-repeats", 6),
    ("gomoku/no-overline", 7),
    ("gomoku/pairs", 6),
    ("hex/largest", 5),
    ("hex/no-pinch", 5),
    ("go/one-liberty", 4),
)


def test_there_are_45_changed_rules() -> None:
    assert len(SPECS) == 45


@pytest.mark.parametrize(("name", "n"), SMALL)
def test_small_boards_have_the_games_of_the_interpreter(name: str, n: int) -> None:
    spec = VARIANTS / f"{name}.yaml"
    slow = rulesengine.load(spec, engine="interpreter", n=n)
    fast = rulesengine.load(spec, engine="python", n=n)
    assert fast.engines()["playouts"] == "python"
    assert fast.playouts(4, seed=7) == slow.playouts(4, seed=7)


@pytest.mark.deep
@needs_native
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_all_have_the_games_of_the_interpreter(spec: Path) -> None:
    slow = rulesengine.load(spec, engine="interpreter")
    fast = rulesengine.load(spec, engine="native")
    assert fast.engines()["playouts"] == "native"
    assert fast.playouts(2, seed=7) == slow.playouts(2, seed=7)
    assert fast.perft(2) == slow.perft(2)
