"""Dvonn, compared with an independent program of its rules."""

import random

import pytest

from rulesengine import Game, load
from tests.helpers.dvonn_rules import Dvonn


def test_moves_boards_scores_and_results_are_equal_in_a_random_game() -> None:
    play(load("dvonn", engine="interpreter"), seed=1)


@pytest.mark.deep
def test_moves_boards_scores_and_results_of_fifty_random_games_are_equal() -> None:
    game = load("dvonn", engine="native")
    for seed in range(50):
        play(game, seed=seed)


def play(game: Game, *, seed: int) -> None:
    """Play a random game to its end."""
    state, other, draw = game.initial_state(), Dvonn(), random.Random(seed)
    while True:
        rows = [line.split() for line in str(state).splitlines()[:5]]
        assert rows == other.rows()
        outcome, winner = game.outcome(state), other.winner()
        assert (outcome is None) == (winner is None)
        if outcome is not None:
            assert [*game.players, None].index(outcome.winner) == winner
            assert list(game.scores(state).values()) == other.scores()
            return
        moves, expected = game.legal_moves(state), other.moves()
        assert {str(move) for move in moves} == expected.keys()
        assert len(moves) == len(expected)
        move = draw.choice(list(moves))
        state, other = game.apply(state, move), expected[str(move)]
