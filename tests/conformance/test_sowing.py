"""Kalah and Oware against OpenSpiel's games of the same rules: moves, movers, seeds and results."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import rulesengine

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
pytestmark = pytest.mark.usefixtures("in_haste")

PLAYERS = ("south", "north")


@dataclass(frozen=True)
class Sowing:
    """A game of OpenSpiel and ours: its actions by side in our notation, its pits in our order."""

    ours: str
    theirs: str
    text: Callable[[int, int], str]
    seeds: Callable[[str], str]


def pit_of_kalah(side: int, action: int) -> str:
    return f"{'abcdef'[action - 1]}1" if side == 0 else f"{'abcdef'[action - 8]}2"


def seeds_of_kalah(text: str) -> str:
    """Read the seeds from three lines: pits of one player, stores, pits of the other."""
    upper, stores, lower = (line.replace("-", " ").split() for line in text.split("\n")[:3])
    return " ".join([stores[0], *upper, "/", *lower, stores[1]])


def pit_of_oware(side: int, action: int) -> str:
    """Return a pit: either side counts its houses from its left, so North's are reversed."""
    return f"{'abcdef'[action]}1" if side == 0 else f"{'fedcba'[action]}2"


def seeds_of_oware(text: str) -> str:
    upper, lower = text.split("\n")[2:4]
    return " ".join([*upper.split(), "/", *lower.split()])


KALAH = Sowing("kalah", "mancala", pit_of_kalah, seeds_of_kalah)
OWARE = Sowing("oware", "oware", pit_of_oware, seeds_of_oware)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "engine", "games"),
    [
        (KALAH, "interpreter", 3),
        (KALAH, "python", 10),
        (KALAH, "native", 20),
        pytest.param(KALAH, "native", 300, marks=pytest.mark.deep),
        (OWARE, "python", 3),
        pytest.param(OWARE, "interpreter", 2, marks=pytest.mark.deep),
        pytest.param(OWARE, "native", 100, marks=pytest.mark.deep),
    ],
)
def test_random_games_are_those_of_openspiel(game: Sowing, engine: str, games: int) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    ours, theirs = rulesengine.load(game.ours, engine=engine), pyspiel.load_game(game.theirs)
    for seed in range(games):
        draw, state, other = random.Random(seed), ours.initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            side, legal = other.current_player(), other.legal_actions()
            names = {game.text(side, action) for action in legal}
            assert {str(move) for move in ours.legal_moves(state)} == names
            assert state.mover == PLAYERS[side]
            assert seeds_of(state) in (None, game.seeds(str(other)))
            action = draw.choice(legal)
            other.apply_action(action)
            state = ours.apply(state, ours.move(game.text(side, action), state))
        outcome, south = ours.outcome(state), other.returns()[0]
        assert outcome is not None
        assert outcome.winner == (None if south == 0 else PLAYERS[south < 0])


def seeds_of(state: rulesengine.State) -> str | None:
    """Return the line of seeds of a position, or None at the start of Oware."""
    return next((line[7:] for line in str(state).split("\n") if line.startswith("seeds: ")), None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "deepest"), [(KALAH, 4), pytest.param(OWARE, 7, marks=pytest.mark.deep)]
)
def test_counts_are_those_of_openspiel(game: Sowing, deepest: int) -> None:
    pytest.importorskip("llvmlite")
    ours = rulesengine.load(game.ours, engine="native")

    def count(state: Any, depth: int) -> int:
        if depth == 0 or state.is_terminal():
            return int(depth == 0)
        return sum(count(state.child(a), depth - 1) for a in state.legal_actions())

    start, depths = pyspiel.load_game(game.theirs).new_initial_state(), range(1, deepest + 1)
    assert [ours.perft(d) for d in depths] == [count(start, d) for d in depths]
