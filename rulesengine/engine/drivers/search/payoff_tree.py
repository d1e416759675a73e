"""Payoffs of one player in a Monte-Carlo tree, as drivers.

Schadd and others, Single-player Monte-Carlo tree search (2008). Without chance a node is worth the
mean of the average and the greatest payoff below it, with chance the average. Payoffs are scaled by
the least and the greatest one so far.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.layout import MOST
from rulesengine.engine.drivers.search.rollouts import UNPAID
from rulesengine.engine.drivers.search.tree_layout import (
    BEST_LENGTH,
    BEST_PATH,
    BEST_PLAYOUT,
    COUNT,
    DRAWN,
    FIRST,
    GAINED,
    GREATEST,
    GREATEST_BELOW,
    LEAST,
    MAXIMISES,
    MOVER,
    OFFSET,
    OPEN,
    PATH,
    PLAYOUTS,
    PROVEN,
    TOTALS,
    VISITS,
    width,
)

S = TypeVar("S")
M = TypeVar("M")
_HALF, _FINE = 1 << 15, 10


def close_payoff(game: SearchFunctions[S, M], state: S, node: int, pool: Memory) -> int:
    """Store the payoff of a node at the end of the game; return it."""
    payoff = max(-MOST, min(MOST, game.score(state, 0)))
    store(pool, node + GREATEST_BELOW, payoff + OFFSET)
    return payoff


def payoff_proof(node: int, pool: Memory) -> int:
    """Return `DRAWN` if all children of a node are proven, and store the greatest payoff.

    Nodes of chance are never proven, because their value is a mean.
    """
    if load(pool, node + MOVER) < 0:
        return OPEN
    child, best = load(pool, node + FIRST), 0
    for _ in range(load(pool, node + COUNT)):
        if load(pool, child + PROVEN) == OPEN:
            return OPEN
        best = max(best, load(pool, child + GREATEST_BELOW))
        child += width(1)
    store(pool, node + GREATEST_BELOW, best)
    return DRAWN


def add_payoff(payoff: int, playout: int, length: int, own: Memory) -> int:
    """Add the payoff of a playout below the path; return it.

    `playout` is the number of the playout, -1 if the path leads to the end. A playout without an
    end counts as the least payoff so far.
    """
    games = load(own, PLAYOUTS)
    least, greatest = load(own, LEAST), load(own, GREATEST)
    if payoff == UNPAID:
        payoff = least
    else:
        payoff = max(-MOST, min(MOST, payoff))
        if load(own, BEST_LENGTH) == 0 or payoff > greatest:
            store(own, GREATEST, payoff)
            store(own, BEST_LENGTH, length)
            store(own, BEST_PLAYOUT, playout)
            for i in range(length):
                store(own, BEST_PATH + i, load(own, PATH + i))
    if games == 0 or payoff < least:
        store(own, LEAST, payoff)
    store(own, GAINED, load(own, GAINED) + payoff)
    store(own, GAINED + 1, max(load(own, GAINED + 1), payoff + OFFSET))
    store(own, PLAYOUTS, games + 1)
    return payoff


def raise_greatest(node: int, own: Memory, pool: Memory) -> int:
    """Update the greatest payoff below a node of the path; return it."""
    best = max(load(pool, node + GREATEST_BELOW), load(own, GAINED + 1))
    store(pool, node + GREATEST_BELOW, best)
    return best


def payoff_value(node: int, own: Memory, pool: Memory) -> int:
    """Return the value of a visited node from 0 to 2**16.

    Without chance a proven node has nothing more to find, and returns -1.
    """
    least = load(own, LEAST)
    spread = load(own, GREATEST) - least
    best = load(pool, node + GREATEST_BELOW) - OFFSET - least
    if load(pool, node + PROVEN) != OPEN and load(own, MAXIMISES) != 0:
        return -1
    if spread <= 0:
        return _HALF
    top = max(0, min(best, spread)) * 2 * _HALF // spread
    if load(pool, node + PROVEN) != OPEN:
        return top
    visits = load(pool, node + VISITS)
    mean = (load(pool, node + TOTALS) - least * visits << _FINE) // visits
    share = max(0, mean) * 64 // spread
    return (share + top) // 2 if load(own, MAXIMISES) != 0 else share
