"""Pieces with attributes against a program that encodes them as four-bit numbers."""

import pytest

import rulesengine
from tests.helpers.authorities import Source, replay
from tests.oracles import plain_giving

SOURCE = Source(
    plain_giving.random_game,
    "quarto",
    "quarto",
    100,
    frozenset({"four alike in a row", "the board is full"}),
)


@pytest.mark.slow
def test_a_random_game_agrees_with_another_program_at_every_ply() -> None:
    replay(rulesengine.load("quarto"), plain_giving.random_game("quarto", 1000))


@pytest.mark.deep
def test_many_random_games_agree_with_another_program_at_every_ply() -> None:
    SOURCE.compare(SOURCE.count)


def test_the_piece_that_is_given_is_part_of_a_state_and_is_read_back() -> None:
    game = rulesengine.load("quarto")
    start = game.initial_state()
    states = [game.apply(start, move) for move in game.legal_moves(start)]
    assert len(set(states)) == 16
    assert {str(state).split("given: ")[1].split("\n")[0] for state in states} == {
        f"p{piece:x}" for piece in range(16)
    }
    assert [game.state_from(str(state)) for state in states] == states
