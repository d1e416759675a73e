"""Whose turn it is in a position, as drivers, for callers who have nothing but kernels."""

from typing import TypeVar

from rulesengine.engine.drivers.core import Judged

S = TypeVar("S")
M = TypeVar("M")


def mover(game: Judged[S, M], state: S) -> tuple[int, int]:
    """The number of the player to move and 0; where chance is, -1 and the sum of its weights."""
    return game.mover(state), game.weight(state)


def branch(game: Judged[S, M], state: S, number: int) -> int:
    """The place of the move of chance that a number below the sum of the weights draws."""
    return game.branch(state, number)
