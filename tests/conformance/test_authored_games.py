"""Games written from docs/tutorial.md and docs/language.md alone, counted independently."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import rulesengine
from tests.helpers.cli_calls import call
from tests.oracles import authored

pytestmark = pytest.mark.usefixtures("in_haste")

FOLDER = Path(__file__).parents[1] / "data" / "authored"
SPECS = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_an_authored_game_has_no_finding_and_passes_its_tests(spec: Path) -> None:
    assert call("check", str(spec)).out == f"{spec}: ok\n"
    assert call("test", str(spec)).code == 0


COUNTS: list[tuple[str, dict[str, int], Callable[[int], int], int]] = [
    ("teeko", {}, authored.teeko, 3),
    ("dodgem", {}, partial(authored.dodgem, size=3), 8),
    ("dodgem", {"n": 4}, partial(authored.dodgem, size=4), 5),
    ("king-in-the-middle", {}, authored.tafl, 3),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "values", "count", "deepest"), COUNTS)
def test_an_authored_game_counts_as_another_program_does(
    name: str, values: dict[str, int], count: Callable[[int], int], deepest: int
) -> None:
    game = rulesengine.load(FOLDER / f"{name}.yaml").bind(**values)
    depths = range(1, deepest + 1)
    assert [game.perft(depth) for depth in depths] == [count(depth) for depth in depths]


# The opening of the first game never moves a marker, and that of the third has few captures:
# positions nearer the end have both.
LATE = [
    ("teeko", "br...\n.b.r.\n..b..\nr...b\n....r", {"b": "black", "r": "red"}, authored.teeko, 3),
    (
        "king-in-the-middle",
        ".a.d...\na.....a\n..aK.d.\n.d.a..a\n.......\na.d.a..\n.....a.",
        {"a": "attackers", "d": "defenders"},
        authored.tafl,
        2,
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rows", "sides", "count", "deepest"), LATE)
@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.deep)])
def test_late_positions_count_as_another_program_does(
    name: str,
    rows: str,
    sides: dict[str, str],
    count: Callable[..., int],
    deepest: int,
    first: int,
) -> None:
    game = rulesengine.load(FOLDER / f"{name}.yaml")
    lines = rows.splitlines()[::-1]
    board = {(x, y): who for y, row in enumerate(lines) for x, who in enumerate(row) if who != "."}
    symbol = list(sides)[first]
    turns = symbol if name != "teeko" else "brb"[first : first + 2]
    stocks = "".join(f"\nstock of {who}: 0" for who in sides.values()) if name == "teeko" else ""
    state = game.state_from(f"{rows}\nmover: {sides[symbol]}{stocks}")
    for depth in range(1, deepest + 1):
        assert game.perft(depth, state) == count(depth, board, turns)
