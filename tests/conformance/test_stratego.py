"""Stratego on six by six against a plain program: moves, results, and what the players see."""

import random

import pytest

import rulesengine
from rulesengine import Game, State
from tests.oracles.plain_stratego import CELLS, SIDES, Stratego

SYMBOLS = dict(
    zip(("flag", "bomb", "spy", "scout", "miner", "general", "marshal"), "FBSCIGM", strict=True)
)


def seen_by(plain: Stratego, side: str) -> dict[str, str]:
    """Return the symbols of the pieces that a side sees after the set-up."""
    return {
        cell: SYMBOLS[kind] if owner == "red" else SYMBOLS[kind].lower()
        for cell, (owner, kind) in plain.board.items()
        if owner == side or cell in plain.known
    }


def observed(game: Game, state: State, side: str) -> dict[str, str]:
    symbols = "".join(game.observation(state, side).rows[:6])
    cells = sorted(CELLS, key=lambda cell: (-int(cell[1]), cell[0]))
    return {cell: sign for cell, sign in zip(cells, symbols, strict=True) if sign.isalpha()}


def compare(game: Game, seed: int) -> str:
    """Compare a random game ply by ply, and return the reason of its end."""
    plain, draw, state = Stratego(), random.Random(seed), game.initial_state()
    while (outcome := game.outcome(state)) is None:
        assert not plain.over
        assert state.mover == plain.mover
        legal = {str(move): move for move in game.legal_moves(state)}
        assert sorted(legal) == sorted(plain.legal())
        if plain.is_set_up:
            for side in SIDES:
                assert observed(game, state, side) == seen_by(plain, side)
        attacks = [text for text in sorted(legal) if "x" in text]
        played = draw.choice(attacks if attacks and seed % 2 else sorted(legal))
        state = game.apply(state, legal[played])
        plain.play(played)
    assert plain.over
    assert outcome.winner == plain.winner
    return outcome.reason


@pytest.mark.slow
def test_a_random_game_is_that_of_a_plain_program() -> None:
    game = rulesengine.load("stratego", engine="interpreter")
    assert compare(game, 1) == "the flag is captured"


@pytest.mark.deep
def test_random_games_are_those_of_a_plain_program() -> None:
    game = rulesengine.load("stratego", engine="interpreter")
    reasons = {compare(game, seed) for seed in range(30)}
    assert reasons >= {"the flag is captured", "the position has occurred for the third time"}
