"""Scores of solved positions in games of points, against a plain minimax search."""

from functools import cache

import pytest

import rulesengine
from rulesengine import State
from tests.search.test_solve_distance import random_position

PLIES, FEW = 8, 40
SEEDS = (1, 7)  # of positions where a search of so few nodes finds a win without its score


def test_a_win_that_is_found_early_has_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesengine.search.solving._LAST", FEW)
    monkeypatch.setattr("rulesengine.search.solving._GLANCE", FEW)
    game = rulesengine.load("othello", engine="interpreter", n=4)

    @cache
    def score(state: State) -> int:
        """Return the lead of the side to move at the end."""
        moves = game.legal_moves(state)
        if not moves:
            own, other = (game.scores(state)[name] for name in game.players)
            return own - other if state.side == 0 else other - own
        after = [game.apply(state, move) for move in moves]
        return max(-score(next_) if next_.side != state.side else score(next_) for next_ in after)

    for seed in SEEDS:
        state = random_position(game, seed, PLIES)
        assert state is not None
        early = game.solve(state, nodes=FEW)
        assert (early.value, early.score) == ("win", None)
        solved = game.solve(state, score=True)
        assert solved.value == "win"
        assert solved.score == score(state) > 0
