"""Quoridor against OpenSpiel, whose rows are counted from the top and squares have odd places."""

import random
from typing import Any

import pytest

import rulesengine
from rulesengine import Game

pyspiel = pytest.importorskip("pyspiel")


def ours(text: str, side: int) -> str:
    """Return a move of OpenSpiel, such as `e4` or `a1h`, in our notation.

    Squares have even numbers here; a wall is named by the point after its square.
    """
    line = text[-1] if text[-1] in "hv" else ""
    column, row = ord(text[0]) - ord("a"), int(text[1:].removesuffix(line))
    shift = 1 if line else 0
    return f"{chr(ord('a') + 2 * column + 1 + shift)}{2 * (side - row + 1) - shift}{line}"


def compare(game: Game, side: int, walls: int, seed: int) -> str | None:
    """Compare a random game ply by ply, and return the reason of its end."""
    draw, state = random.Random(seed), game.initial_state()
    parameters = {"board_size": side, "wall_count": walls}
    other: Any = pyspiel.load_game("quoridor", parameters).new_initial_state()
    for _ in range(3 * side * side):
        outcome = game.outcome(state)
        assert other.is_terminal() == (outcome is not None)
        if outcome:
            assert [*outcome.payoffs.values()] == other.returns()
            return outcome.reason
        player = other.current_player()
        assert game.players.index(state.mover) == player
        actions = other.legal_actions()
        theirs = {ours(other.action_to_string(player, one), side): one for one in actions}
        legal = {str(move): move for move in game.legal_moves(state)}
        assert sorted(legal) == sorted(theirs)
        steps = [text for text in sorted(legal) if text[-1] not in "hv"]
        played = draw.choice(steps if draw.random() < 0.7 and steps else sorted(legal))
        state = game.apply(state, legal[played])
        other.apply_action(theirs[played])
    return None


@pytest.mark.slow
def test_a_small_game_is_that_of_openspiel() -> None:
    game = rulesengine.load("quoridor", engine="interpreter", n=4, walls=3)
    assert {compare(game, 4, 3, seed) for seed in range(3)} == {"the pawn has reached its goal"}


@pytest.mark.deep
@pytest.mark.parametrize(("side", "walls", "games"), [(3, 1, 60), (5, 4, 40), (9, 10, 10)])
def test_random_games_are_those_of_openspiel(side: int, walls: int, games: int) -> None:
    game = rulesengine.load("quoridor", n=side, walls=walls)
    reasons = {compare(game, side, walls, seed) for seed in range(games)}
    assert "the pawn has reached its goal" in reasons
