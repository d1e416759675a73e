"""Shared updates of the tree by several threads: relaxed atomics, node locks and virtual loss.

Chaslot, Winands and van den Herik, Parallel Monte-Carlo tree search (2008). A single thread uses
plain loads and stores. See decision 057.
"""

from rulesengine.engine.drivers.memory import Memory, add_shared, load, store
from rulesengine.engine.drivers.search.tree_layout import (
    END,
    LOCK,
    MORE,
    NEXT,
    ROOM,
    THREADS,
    VISITS,
)


def added(at: int, number: int, own: Memory, pool: Memory) -> int:
    """Add to a word of the pool; return its previous value."""
    if load(own, THREADS) > 1:
        return add_shared(pool, at, number)
    before = load(pool, at)
    store(pool, at, before + number)
    return before


def reserve_playouts(games: int, own: Memory, pool: Memory) -> int:
    """Reserve the numbers of some playouts for this thread; return the first one."""
    return added(NEXT, games, own, pool)


def room(words: int, own: Memory, pool: Memory) -> int:
    """Allocate words of the pool for this thread; return their address, or 0 if it is full."""
    start = added(END, words, own, pool)
    if start + words <= load(pool, ROOM):
        return start
    added(END, -words, own, pool)
    return 0


def try_lock(node: int, own: Memory, pool: Memory) -> bool:
    """True if this thread has got the lock of a node's children."""
    if load(own, THREADS) < 2 or add_shared(pool, node + MORE, LOCK) < LOCK:
        return True
    added(node + MORE, -LOCK, own, pool)
    return False


def unlock(node: int, count: int, own: Memory, pool: Memory) -> int:
    """Release the lock of a node's children; return `count`."""
    if load(own, THREADS) > 1:
        added(node + MORE, -LOCK, own, pool)
    return count


def add_virtual_loss(node: int, own: Memory, pool: Memory) -> int:
    """Count a visit before its result is known (virtual loss), so that other threads select other
    nodes.

    Return the node.
    """
    if load(own, THREADS) > 1:
        added(node + VISITS, 1, own, pool)
    return node


def virtual_losses(own: Memory) -> int:
    """Return the number of visits of each node on the path that `add_virtual_loss` has already
    counted.
    """
    return int(load(own, THREADS) > 1)
