"""Tak, compared with an independent program of its rules."""

import random

import pytest

from rulesengine import Game, load
from tests.helpers.tak_rules import Tak, perft


def test_the_independent_program_has_the_published_counts() -> None:
    # 5x5: 25, 600, 43,320 as in the perft tables of other programs of Tak.
    assert [perft(Tak(5), depth) for depth in (1, 2)] == [25, 600]
    assert [perft(Tak(4), depth) for depth in (1, 2, 3)] == [16, 240, 7440]


@pytest.mark.deep
def test_the_independent_program_has_the_published_count_of_three_plies() -> None:
    assert perft(Tak(5), 3) == 43_320


@pytest.mark.parametrize("n", [4, 5])
def test_moves_boards_and_results_are_equal_at_the_beginning_of_a_random_game(n: int) -> None:
    play(load("tak", engine="interpreter", n=n), n, plies=40, seed=n)


@pytest.mark.deep
@pytest.mark.parametrize("n", [4, 5, 6])
def test_moves_boards_and_results_of_twenty_random_games_are_equal(n: int) -> None:
    game = load("tak", engine="native", n=n)
    for seed in range(20):
        play(game, n, plies=400, seed=seed)


def play(game: Game, n: int, *, plies: int, seed: int) -> None:
    """Play a random game with spreads three times as often as placements."""
    state, other, draw = game.initial_state(), Tak(n), random.Random(seed)
    for _ in range(plies):
        assert str(state).splitlines()[:n] == other.rows()
        outcome, winner = game.outcome(state), other.winner() if other.plies else None
        assert (outcome is None) == (winner is None)
        if outcome is not None:
            sides = [*game.players, None]
            assert sides.index(outcome.winner) == winner
            return
        moves, expected = game.legal_moves(state), other.moves()
        assert {str(move) for move in moves} == expected.keys()
        assert len(moves) == len(expected)
        # Spreads make high stacks, which placements alone never do.
        chosen = [m for m in moves if m.steps[0].kind != "place"]
        move = draw.choice(chosen if chosen and draw.random() < 0.75 else list(moves))
        state, other = game.apply(state, move), expected[str(move)]
