"""The pieces that decide a finished game: lines, chains and goals; none for missing moves."""

import pytest

from rulesengine import load
from rulesengine.play.decisive_pieces import decisive_cells

# The games are played by hand; the winning line follows from the rules of each game.
DECIDED = [
    pytest.param("tic-tac-toe", {}, "a1 b1 a2 b2 a3", {"a1", "a2", "a3"}, id="a line"),
    pytest.param("misere-tic-tac-toe", {}, "a1 b1 a2 b2 a3", {"a1", "a2", "a3"}, id="misere"),
    pytest.param("connect-four", {}, "d1 e1 d2 e2 d3 e3 d4", {"d1", "d2", "d3", "d4"}, id="drops"),
    pytest.param("hex", {"n": 3}, "b1 a1 b2 a2 b3", {"b1", "b2", "b3"}, id="a chain"),
]


@pytest.mark.parametrize(("name", "parameters", "moves", "cells"), DECIDED)
def test_pieces_that_decide_a_game_are_found(
    name: str, parameters: dict[str, int], moves: str, cells: set[str]
) -> None:
    assert decided(name, parameters, moves) == cells


def test_last_mover_decides_the_winner_of_a_neutral_line() -> None:
    assert decided("notakto", {}, "a1 b3 a2 c3 a3") == {"a1", "a2", "a3"}


def test_swapped_sides_are_followed() -> None:
    # After the swap the second player owns the stone on b2 and joins it to both edges.
    assert decided("hex", {"n": 3, "pie": True}, "b2 swap a1 b1 a3 b3") == {"b1", "b2", "b3"}


@pytest.mark.parametrize("name", ["clobber", "nim"])
def test_missing_moves_and_counts_are_decided_by_no_pieces(name: str) -> None:
    game = load(name)
    state = game.initial_state()
    while (outcome := game.outcome(state)) is None:
        state = game.apply(state, game.legal_moves(state)[0])
    assert outcome.winner is not None
    assert decisive_cells(game, state, outcome) == ()


def test_scores_and_draws_are_decided_by_no_pieces() -> None:
    assert decided("tic-tac-toe", {}, "a1 b1 a2 b2 b3 a3 c1 c2 c3") == set()
    assert decided("go", {"n": 3}, "b2 pass pass") == set()


def decided(name: str, parameters: dict[str, int], moves: str) -> set[str]:
    """Return the names of the decisive cells after moves that end a game."""
    game = load(name).bind(**parameters)
    state = game.initial_state()
    for text in moves.split():
        state = game.apply(state, game.move(text, state))
    outcome = game.outcome(state)
    assert outcome is not None
    return {state.form.cells[cell] for cell in decisive_cells(game, state, outcome)}
