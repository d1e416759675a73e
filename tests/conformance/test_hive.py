"""Hive, compared with an independent program of its rules on an endless plane."""

import random

import pytest

from rulesengine import Game, State, load
from tests.helpers.hive_rules import Hive, perft

# The base game without a queen as the first piece: the table of the program Mzinga, in its wiki at
# github.com/jonthysell/Mzinga, page "Perft".
PUBLISHED = [4, 96, 1_440, 21_600, 516_240, 12_219_480]


def test_the_independent_program_has_the_published_counts() -> None:
    assert [perft(Hive(tournament=True), depth) for depth in (1, 2, 3)] == PUBLISHED[:3]


@pytest.mark.deep
def test_the_bundled_game_has_the_published_counts() -> None:
    game = load("hive", engine="native", tournament=True)
    assert [game.perft(depth) for depth in range(1, 7)] == PUBLISHED


def test_moves_boards_and_results_are_equal_in_a_random_game() -> None:
    play(load("hive", engine="interpreter"), plies=24, seed=3)


@pytest.mark.deep
@pytest.mark.parametrize("tournament", [False, True])
def test_moves_boards_and_results_of_twenty_random_games_are_equal(tournament: bool) -> None:
    game = load("hive", engine="native", tournament=tournament)
    for seed in range(20):
        play(game, plies=300, seed=seed, tournament=tournament)


def play(game: Game, *, plies: int, seed: int, tournament: bool = False) -> None:
    """Play a random game: pieces on the table move more often than others come."""
    state, other, draw = game.initial_state(), Hive(tournament=tournament), random.Random(seed)
    for _ in range(plies):
        assert stacks_of(state) == other.board()
        outcome, winner = game.outcome(state), other.winner()
        assert (outcome is None) == (winner is None)
        if outcome is not None:
            assert [*game.players, None].index(outcome.winner) == winner
            return
        moves, expected = game.legal_moves(state), other.moves()
        assert {str(move) for move in moves} == expected.keys()
        assert len(moves) == len(expected)
        placed = [move for move in moves if move.steps and move.steps[0].kind == "place"]
        moved = [move for move in moves if move not in placed]
        move = draw.choice(moved if moved and draw.random() < 0.5 else placed or moved)
        state, other = game.apply(state, move), expected[str(move)]


def stacks_of(state: State) -> dict[str, str]:
    """Return the stacks of a state by the names of cells."""
    cells = enumerate(state.form.cells)
    return {name: "".join(stack) for cell, name in cells if (stack := state.stack(cell))}


@pytest.mark.deep
def test_moves_and_results_are_those_of_openspiel() -> None:
    pytest.importorskip("pyspiel", reason="needs open_spiel")
    from tests.oracles.openspiel_hive import random_game

    game, compared = load("hive", engine="native", tournament=True), 0
    for seed in range(20):
        state = game.initial_state()
        for found in random_game(seed, plies=100):
            if isinstance(found, list):
                outcome = game.outcome(state)
                assert outcome is not None
                assert [outcome.payoffs[p] for p in game.players] == found
                break
            legal, played = found
            assert {str(move) for move in game.legal_moves(state)} == legal
            state, compared = game.apply(state, played), compared + 1
    assert compared > 500
