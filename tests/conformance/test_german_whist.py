"""German Whist against a plain program: moves, hands that the players see, and results."""

import random

import pytest

import rulesengine
from rulesengine import Game, State
from tests.oracles.plain_whist import RANKS, SIDES, Whist


def seen(game: Game, state: State, side: str, signs: str) -> set[str]:
    """Return the cards whose cells have one of these symbols in the view of a player."""
    rows = game.observation(state, side).rows[:4]
    cards = zip("SHDC", rows, strict=True)
    return {
        rank + suit
        for suit, row in cards
        for rank, sign in zip(RANKS, row, strict=True)
        if sign in signs
    }


def compare(game: Game, seed: int) -> str:
    """Compare a random game ply by ply, and return its winner."""
    plain, draw, state = Whist(), random.Random(seed), game.initial_state()
    while (outcome := game.outcome(state)) is None:
        assert not plain.over
        assert bool(game.weights(state)) == bool(plain.drawing)
        legal = {str(move): move for move in game.legal_moves(state)}
        assert legal.keys() == plain.legal()
        if not plain.drawing:
            assert state.mover == plain.mover
            for side in SIDES:
                assert seen(game, state, side, "fs") == plain.hands[side]
                assert seen(game, state, side, "u") == {plain.turned_up} - {""}
        played = draw.choice(sorted(legal))
        state = game.apply(state, legal[played])
        plain.play(played)
    assert plain.over
    assert outcome.scores == plain.tricks
    assert outcome.winner == plain.winner
    return str(outcome.winner)


@pytest.mark.slow
def test_a_random_game_is_that_of_a_plain_program() -> None:
    assert compare(rulesengine.load("german-whist", engine="interpreter"), 1)


@pytest.mark.deep
def test_random_games_are_those_of_a_plain_program() -> None:
    game = rulesengine.load("german-whist")
    assert {compare(game, seed) for seed in range(40)} == {*SIDES}
