"""Specs written from the cheat sheet alone: the tests in them, and results known from elsewhere.

Domineering follows Breuker, Uiterwijk and van den Herik (2000). Triangular peg solitaire from a
corner has 29,760 sequences of moves that leave one peg. No game of Y is a draw.
"""

from pathlib import Path

import pytest

from rulesengine import Game, load
from tests.helpers.cli_calls import call
from tests.helpers.modules import ROOT

WRITTEN = ROOT / "tests" / "data" / "cheat-sheet"
TESTED = sorted(
    path for path in WRITTEN.glob("*.yaml") if "\ntests:\n" in path.read_text(encoding="utf-8")
)


def written(name: str) -> Game:
    return load(WRITTEN / f"{name}.yaml")


@pytest.mark.parametrize("path", TESTED, ids=lambda path: path.stem)
def test_a_spec_written_from_the_cheat_sheet_passes_its_tests(path: Path) -> None:
    done = call("test", str(path), "--engine", "interpreter")
    assert (done.code, "passed" in done.out) == (0, True), done.out


# A heap of 21 is one more than a multiple of four, and the last counter loses.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["poison", "dominoes"])
def test_the_second_player_wins(name: str) -> None:
    assert written(name).solve().value == "loss"


@pytest.mark.slow
def test_the_triangle_of_pegs_has_the_published_number_of_solutions() -> None:
    game = written("pegs")
    assert game.perft(13) == 29760
    assert game.solve().score == -1


def test_the_sum_of_two_secret_numbers_is_a_fair_game() -> None:
    found = written("secret").solve().equilibrium
    assert found is not None
    assert found.estimate == pytest.approx(0)


def test_one_player_connects_the_three_sides() -> None:
    found = written("y").playouts(50, seed=1)
    assert sum(found.wins.values()) == 50
