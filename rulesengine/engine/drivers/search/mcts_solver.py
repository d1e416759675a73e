"""MCTS-Solver: game ends prove the results of nodes above them.

Winands, Bjornsson and Saito, Monte-Carlo tree search solver (2008).
"""

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.search.payoff_tree import payoff_proof
from rulesengine.engine.drivers.search.tree_layout import (
    COUNT,
    DRAWN,
    FIRST,
    FURTHER,
    MORE,
    MOST,
    MOVER,
    OPEN,
    PATH,
    PROVEN,
    WON_BY,
    width,
)


def close(node: int, winner: int, pool: Memory) -> int:
    """Mark a node as the end of the game, and return its proven result."""
    proven = DRAWN if winner < 0 else winner + WON_BY
    store(pool, node + COUNT, -1)
    store(pool, node + PROVEN, proven)
    return proven


def prove(length: int, sides: int, own: Memory, pool: Memory) -> int:
    """Propagate the proven result of the last node of the path to the nodes before it.

    Return the number of nodes at the end of the path that are proven.
    """
    for i in range(1, length):
        node = load(own, PATH + length - 1 - i)
        if load(pool, node + PROVEN) == OPEN:
            store(pool, node + PROVEN, proof(node, sides, pool))
        if load(pool, node + PROVEN) == OPEN:
            return i
    return length


def proof(node: int, sides: int, pool: Memory) -> int:
    """Return the result that a node's children prove; without all children only a win can be
    proven.
    """
    if sides == 1:
        return payoff_proof(node, pool)
    player, child = load(pool, node + MOVER), load(pool, node + FIRST)
    count, more = load(pool, node + COUNT), load(pool, node + MORE) & MOST
    if player < 0:
        return common_proof(child, count, sides, pool)
    lost = OPEN
    is_open, is_drawn = count < more, False
    for _ in range(count):
        proven = load(pool, child + PROVEN)
        child = load(pool, child + FURTHER) if more != 0 else child + width(sides)
        if proven == player + WON_BY:
            return proven
        is_open = is_open or proven == OPEN
        is_drawn = is_drawn or proven == DRAWN
        lost = proven
    if is_open:
        return OPEN
    return DRAWN if is_drawn else lost


def common_proof(first: int, count: int, sides: int, pool: Memory) -> int:
    """Return the result that all children of a chance node prove alike, else `OPEN`."""
    proof = load(pool, first + PROVEN)
    for number in range(1, count):
        if load(pool, first + number * width(sides) + PROVEN) != proof:
            return OPEN
    return proof
