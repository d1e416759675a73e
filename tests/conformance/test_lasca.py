"""Lasca, compared with an independent program of its rules."""

import random

import pytest

from rulesengine import Game, load
from tests.helpers.lasca_rules import Lasca


@pytest.mark.parametrize("seed", [1, 2])
def test_moves_boards_and_results_are_equal_in_a_random_game(seed: int) -> None:
    play(load("lasca", engine="interpreter"), plies=70, seed=seed)


@pytest.mark.deep
def test_moves_boards_and_results_of_fifty_random_games_are_equal() -> None:
    game = load("lasca", engine="native")
    for seed in range(50):
        play(game, plies=2000, seed=seed)


def play(game: Game, *, plies: int, seed: int) -> None:
    """Play a random game."""
    state, other, draw = game.initial_state(), Lasca(), random.Random(seed)
    for _ in range(plies):
        assert str(state).splitlines()[:7] == other.rows()
        outcome, winner = game.outcome(state), other.winner()
        assert (outcome is None) == (winner is None)
        if outcome is not None:
            sides = [*game.players, None]
            assert sides.index(outcome.winner) == winner
            return
        moves, expected = game.legal_moves(state), other.moves()
        assert {str(move) for move in moves} == expected.keys()
        assert len(moves) == len(expected)
        move = draw.choice(list(moves))
        state, other = game.apply(state, move), expected[str(move)]
