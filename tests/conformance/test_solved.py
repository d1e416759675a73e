"""Solved games: the values that `solve` finds are the published ones.

Connect Four follows John Tromp's table of small boards; Hex is a win for the first player (Nash's
argument). Othello on rectangles follows Takeshita et al. (2015), Domineering Breuker, Uiterwijk and
van den Herik (2000), Clobber Albert et al. (2005), Breakthrough Saffidine et al. (2011).
"""

import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine.search.enumeration.retrograde import decided
from tests.helpers.engine_comparison import needs_native


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A game, and its value to the first player."""

    name: str
    value: str
    parameters: dict[str, int] = field(default_factory=dict)
    transforms: tuple[Any, ...] = ()
    score: int | None = None

    def __str__(self) -> str:
        return "-".join(
            [Path(self.name).stem, *map(str, self.parameters.values()), *map(str, self.transforms)]
        )


# The classes of positions of Mu Torere, by the GamesCrafters at the University of California.
MU_TORERE = {"won": 208, "lost": 128, "drawn": 844}
SMALL = (
    KnownValue("tic-tac-toe", "draw"),
    KnownValue("tic-tac-toe", "draw", transforms=("misere",)),
    KnownValue("connect-four", "draw", {"columns": 4, "rows": 4}),
    KnownValue("othello", "loss", {"n": 4}, score=-8),
    KnownValue("hex", "win", {"n": 3}),
)
RECTANGLE = str(Path(__file__).parents[1] / "cases" / "solved" / "othello.yaml")
LARGER = (
    KnownValue("tic-tac-toe", "win", {"m": 4, "n": 4, "k": 3}),
    KnownValue("tic-tac-toe", "win", transforms=("torus",)),
    KnownValue("nogo", "win", {"n": 3}),
    KnownValue("tic-tac-toe", "draw", {"m": 4, "n": 4, "k": 4}),
    KnownValue("connect-four", "draw", {"columns": 4, "rows": 5}),
    KnownValue("connect-four", "draw", {"columns": 5, "rows": 4}),
    KnownValue("connect-four", "loss", {"columns": 6, "rows": 4}),
    KnownValue("hex", "win", {"n": 4}),
    KnownValue("clobber", "win", {"rows": 4, "columns": 4}),
    KnownValue("clobber", "loss", {"rows": 3, "columns": 6}),
    KnownValue("connect-four", "draw", {"columns": 4, "rows": 6}),
    KnownValue("connect-four", "draw", {"columns": 5, "rows": 5}),
    KnownValue("connect-four", "draw", {"columns": 5, "rows": 6}),
    KnownValue("connect-four", "draw", {"columns": 6, "rows": 5}),
    KnownValue("connect-four", "draw", {"columns": 7, "rows": 4}),
    KnownValue("nogo", "loss", {"n": 4}),
    KnownValue("domineering", "win", {"n": 6}),
    KnownValue("dots-and-boxes", "win", {"rows": 2, "columns": 2}, score=2),
    KnownValue(RECTANGLE, "win", {"rows": 4, "columns": 5}, score=16),
    KnownValue(RECTANGLE, "win", {"rows": 4, "columns": 6}, score=16),
)
# Each takes minutes or hours: `benchmarks/README.md` lists those that have finished.
LARGEST = (
    KnownValue("clobber", "loss", {"rows": 3, "columns": 8}),
    KnownValue("clobber", "loss", {"rows": 4, "columns": 6}),
    KnownValue("clobber", "loss", {"rows": 5, "columns": 5}),
    KnownValue("clobber", "loss", {"rows": 5, "columns": 6}),
    KnownValue("breakthrough", "loss", {"rows": 5, "columns": 5}),
    KnownValue("domineering", "win", {"n": 7}),
    KnownValue("domineering", "win", {"n": 8}),
)


def check_solved(known: KnownValue) -> None:
    game = rulesengine.load(
        known.name, transforms=known.transforms, engine="native", **known.parameters
    )
    solved = game.solve(memory=256)
    assert (solved.value, solved.score) == (known.value, known.score)
    state = game.initial_state()
    for move in solved.line:
        state = game.apply(state, move)
    outcome = game.outcome(state)
    if known.score is not None or known.value == "draw":
        assert outcome is not None
    if outcome is not None and known.value != "draw":
        first = game.initial_state().mover
        assert (outcome.winner == first) == (known.value == "win")


@needs_native
@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("known", SMALL, ids=str)
def test_a_small_game_has_its_known_value(known: KnownValue) -> None:
    check_solved(known)


@needs_native
@pytest.mark.deep
@pytest.mark.parametrize("known", LARGER, ids=str)
def test_a_larger_game_has_its_known_value(known: KnownValue) -> None:
    check_solved(known)


@pytest.mark.deep
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler `cc`")
def test_a_plain_solver_in_c_finds_the_scores_of_othello(tmp_path: Path) -> None:
    """Compare with `tests/oracles/othello.c`, which shares no code with the package."""
    program, source = tmp_path / "othello", Path(__file__).parents[1] / "oracles" / "othello.c"
    subprocess.run(["cc", "-O3", "-o", program, source], check=True)
    rectangles = [known for known in LARGER if known.name == RECTANGLE]
    assert len(rectangles) == 2
    for known in rectangles:
        output = subprocess.check_output([program, *map(str, known.parameters.values())])
        assert int(output) == known.score


@needs_native
@pytest.mark.deep
@pytest.mark.parametrize("known", LARGEST, ids=str)
def test_one_of_the_largest_games_has_its_known_value(known: KnownValue) -> None:
    check_solved(known)


@needs_native
@pytest.mark.parametrize(
    ("n", "openings"),
    [
        pytest.param(3, "c1 a2 b2 c2 a3", marks=pytest.mark.slow),
        pytest.param(4, "d1 c2 b3 a4", marks=pytest.mark.deep),
    ],
)
def test_the_winning_openings_of_a_small_board_of_hex_are_known(n: int, openings: str) -> None:
    """Use OpenSpiel's names of the cells; the other openings lose."""
    game = rulesengine.load("hex", n=n, engine="native")
    start = game.initial_state()
    won = {
        str(move)
        for move in game.legal_moves(start)
        if game.solve(game.apply(start, move)).value == "loss"
    }
    assert won == {*openings.split()}


def test_the_classes_of_positions_of_mu_torere_are_known() -> None:
    game = rulesengine.load("mu-torere", engine="interpreter")
    table = decided(game, game.initial_state(), 10_000)
    assert table is not None
    found = Counter(
        "drawn" if winner not in (0, 1) else "won" if winner == mover else "lost"
        for winner, mover in zip(table.winners, table.movers, strict=True)
    )
    assert found == MU_TORERE
