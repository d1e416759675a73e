"""The value of a position for the team to move, as drivers."""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import UNFINISHED, SearchFunctions
from rulesengine.engine.drivers.search.layout import (
    CERTAIN,
    ESTIMATED,
    FINE,
    LARGE,
    MOST,
    POINTS,
    SEARCHER,
    STAKE,
    WON,
)

S = TypeVar("S")
M = TypeVar("M")


def is_searcher(game: SearchFunctions[S, M], state: S, own: Memory) -> bool:
    """True if the searching player is to move."""
    return game.mover(state) == load(own, SEARCHER)


def lead(game: SearchFunctions[S, M], state: S, sides: int, own: Memory) -> int:
    """Return the score difference between the searching player and the best other one.

    A single player has the payoff instead, between -`MOST` and `MOST` exclusive.
    """
    player = load(own, SEARCHER)
    if sides == 1:
        return bounded(game.score(state, player), own)
    best = -LARGE
    for side in range(sides):
        if side != player:
            best = max(best, game.score(state, side) * load(own, POINTS))
    return game.score(state, player) * load(own, POINTS) - best


def estimate(game: SearchFunctions[S, M], state: S, sides: int, own: Memory) -> int:
    """Return the difference of the static evaluation between the searching player and the best
    other one.

    The evaluation of a single player is in points, if there are any, or in the unit of the search.
    """
    player = load(own, SEARCHER)
    if sides == 1 and load(own, FINE) != 0:
        return max(1 - MOST, min(MOST - 1, game.estimate(state, player)))
    if sides == 1:
        return bounded(game.estimate(state, player), own)
    best = -LARGE
    for side in range(sides):
        if side != player:
            best = max(best, game.estimate(state, side))
    return max(-MOST, min(MOST, game.estimate(state, player) - best))


def exchange_lead(game: SearchFunctions[S, M], state: S, sides: int, own: Memory) -> int:
    """Return the difference of the exchange evaluation between the searching player and the best
    other one.
    """
    player = load(own, SEARCHER)
    best = -LARGE if sides > 1 else 0
    for side in range(sides):
        if side != player:
            best = max(best, game.exchange(state, side))
    return max(-MOST // 2, min(MOST // 2, game.exchange(state, player) - best))


def bounded(points: int, own: Memory) -> int:
    """Return points in the unit of the search; numbers that are too large are estimates."""
    unit = max(1, load(own, POINTS))
    most = (MOST - 1) // unit
    if points > most or points < -most:
        store(own, ESTIMATED, 1)
    return max(-most, min(most, points)) * unit


def worth(
    game: SearchFunctions[S, M], state: S, goes_on: bool, sides: int, ply: int, own: Memory
) -> int:
    """Return the value of a position for the team to move, `ply` plies from the root.

    A game in progress is estimated if `goes_on`. Without it the position has no legal move. A game
    that has not ended counts as 0, or as less than any payoff of a single player.
    """
    winner = game.winner(state)
    value = 0
    if winner == UNFINISHED:
        if goes_on:
            store(own, ESTIMATED, 1)
            value = estimate(game, state, sides, own)
        elif sides == 1 and load(own, POINTS) != 0:
            value = -MOST
    elif sides == 1 and load(own, POINTS) != 0:
        value = lead(game, state, sides, own)
    elif load(own, POINTS) != 0:
        value = lead(game, state, sides, own)
        if value > 0:
            value += WON
        elif value < 0:
            value -= WON
    elif winner >= 0:
        value = WON - ply if winner == load(own, SEARCHER) else ply - WON
    elif sides == 1 and game.score(state, 0) < 0:
        value = ply - WON
    return value if is_searcher(game, state, own) else -value


def to_table(value: int, ply: int, own: Memory) -> int:
    """Convert a value for the transposition table: plies to the end count from the position, not
    the root.
    """
    if load(own, POINTS) != 0:
        return value
    if value >= CERTAIN:
        return value + ply
    return value - ply if value <= -CERTAIN else value


def from_table(value: int, ply: int, own: Memory) -> int:
    """Convert a value from the transposition table: plies to the end count from the root."""
    if load(own, POINTS) != 0:
        return value
    if value >= CERTAIN:
        return value - ply
    return value + ply if value <= -CERTAIN else value


def chance_value(value: int) -> int:
    """Return a value as it counts in the mean of a chance node."""
    if value >= CERTAIN:
        return STAKE + value - WON
    return value + WON - STAKE if value <= -CERTAIN else value
