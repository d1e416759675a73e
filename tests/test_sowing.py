"""Kalah beside OpenSpiel's game `mancala`, which has the same rules: moves, movers and results."""

import random
from typing import Any

import pytest

import rulesengine

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

ACTIONS = {i + 1: f"{'abcdef'[i]}1" for i in range(6)} | {
    i + 8: f"{'abcdef'[i]}2" for i in range(6)
}
PLAYERS = ("south", "north")


@pytest.mark.parametrize(
    ("engine", "games"),
    [
        ("interpreter", 3),
        ("python", 10),
        ("native", 20),
        pytest.param("native", 300, marks=pytest.mark.deep),
    ],
)
def test_random_games_are_those_of_openspiel(engine: str, games: int) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    ours, theirs = rulesengine.load("kalah", engine=engine), pyspiel.load_game("mancala")
    for seed in range(games):
        draw, state, other = random.Random(seed), ours.initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            legal = other.legal_actions()
            assert {str(move) for move in ours.legal_moves(state)} == {ACTIONS[a] for a in legal}
            assert state.mover == PLAYERS[other.current_player()]
            action = draw.choice(legal)
            other.apply_action(action)
            state = ours.apply(state, ours.move(ACTIONS[action], state))
        outcome, south = ours.outcome(state), other.returns()[0]
        assert outcome is not None
        assert outcome.winner == (None if south == 0 else PLAYERS[south < 0])


def test_counts_are_those_of_openspiel() -> None:
    pytest.importorskip("llvmlite")
    game = rulesengine.load("kalah", engine="native")

    def count(state: Any, depth: int) -> int:
        if depth == 0 or state.is_terminal():
            return int(depth == 0)
        return sum(count(state.child(a), depth - 1) for a in state.legal_actions())

    start = pyspiel.load_game("mancala").new_initial_state()
    assert [game.perft(d) for d in (1, 2, 3, 4)] == [count(start, d) for d in (1, 2, 3, 4)]
