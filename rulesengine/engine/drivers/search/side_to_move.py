"""The side to move of a position, as drivers, for callers that have only kernels."""

from typing import TypeVar

from rulesengine.engine.drivers.protocol import SearchFunctions

S = TypeVar("S")
M = TypeVar("M")


def mover(game: SearchFunctions[S, M], state: S) -> tuple[int, int]:
    """Return the number of the player to move and 0; at a chance node -1 and the sum of the
    weights.
    """
    return game.mover(state), game.weight(state)


def branch(game: SearchFunctions[S, M], state: S, number: int) -> int:
    """Return the index of the chance move that a number below the sum of the weights selects."""
    return game.branch(state, number)
