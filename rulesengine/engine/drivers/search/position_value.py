"""What a position is worth to the team that is to move, as drivers."""

from typing import TypeVar

from rulesengine.engine.drivers.core import UNFINISHED, Judged
from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.search.layout import (
    ESTIMATED,
    LARGE,
    MOST,
    POINTS,
    SELF,
    STAKE,
    SURE,
    WON,
)

S = TypeVar("S")
M = TypeVar("M")


def team(game: Judged[S, M], state: S, own: Memory) -> bool:
    """Whether the player for whom is searched is to move."""
    return game.mover(state) == load(own, SELF)


def lead(game: Judged[S, M], state: S, sides: int, own: Memory) -> int:
    """By how much the player for whom is searched leads, in points of the score."""
    player = load(own, SELF)
    best = -LARGE
    for side in range(sides):
        if side != player:
            best = max(best, game.score(state, side) * load(own, POINTS))
    return game.score(state, player) * load(own, POINTS) - best


def estimate(game: Judged[S, M], state: S, sides: int, own: Memory) -> int:
    """By how much the evaluation sees the player for whom is searched ahead."""
    player = load(own, SELF)
    best = -LARGE
    for side in range(sides):
        if side != player:
            best = max(best, game.estimate(state, side))
    return max(-MOST, min(MOST, game.estimate(state, player) - best))


def worth(game: Judged[S, M], state: S, goes_on: bool, sides: int, ply: int, own: Memory) -> int:
    """What a position is worth to the team that is to move, so many plies from the first one.

    It is estimated if the game goes on; where nobody can move though it has not ended, it is 0.
    """
    winner = game.winner(state)
    value = 0
    if winner == UNFINISHED:
        if goes_on:
            store(own, ESTIMATED, 1)
            value = estimate(game, state, sides, own)
    elif load(own, POINTS) != 0:
        value = lead(game, state, sides, own)
        if value > 0:
            value += WON
        elif value < 0:
            value -= WON
    elif winner >= 0:
        value = WON - ply if winner == load(own, SELF) else ply - WON
    return value if team(game, state, own) else -value


def kept(value: int, ply: int, own: Memory) -> int:
    """A value as it is kept: plies to the end are counted from the position itself."""
    if load(own, POINTS) != 0:
        return value
    if value >= SURE:
        return value + ply
    return value - ply if value <= -SURE else value


def told(value: int, ply: int, own: Memory) -> int:
    """A value that was kept, as it is at this ply."""
    if load(own, POINTS) != 0:
        return value
    if value >= SURE:
        return value - ply
    return value + ply if value <= -SURE else value


def staked(value: int) -> int:
    """A value where others may come about instead."""
    if value >= SURE:
        return STAKE + value - WON
    return value + WON - STAKE if value <= -SURE else value
