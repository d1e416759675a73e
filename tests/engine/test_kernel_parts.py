"""The parts for searches, batches and learning compile in every game, without the interpreter."""

import pytest

import rulesengine
from rulesengine.engine.kernel.emission import refused, search_parts
from rulesengine.support.resources import bundled_names
from tests.helpers.each_game import each_game

# Together these have fills, a swap, lines, two players and three.
SOME = frozenset({"hex-pie", "three-player-tic-tac-toe"})


@each_game(quick=(), deep=frozenset(bundled_names()) - SOME)
def test_kernels_take_all_parts_of_every_bundled_game(name: str) -> None:
    assert refused(rulesengine.load(name, engine="interpreter").machine) == {}


@pytest.mark.parametrize(
    ("name", "learns"),
    [("hex", True), ("peg-solitaire", True), ("three-player-tic-tac-toe", False)],
)
def test_games_of_one_and_two_players_are_learned(name: str, learns: bool) -> None:
    parts = search_parts(rulesengine.load(name, engine="interpreter").machine)
    assert ({"learned", "lessons"} <= set(parts)) == learns
    assert {"search", "solving", "tree", "turn", "proof", "batch", "halves"} <= set(parts)
