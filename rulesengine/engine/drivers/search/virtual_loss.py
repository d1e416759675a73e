"""What threads change together in the pool of a tree search: relaxed atomics, and virtual loss.

Chaslot, Winands and van den Herik, Parallel Monte-Carlo tree search (2008). A thread that is alone
takes plain loads and stores.
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
    """Add to a word of the pool; gives what it was."""
    if load(own, THREADS) > 1:
        return add_shared(pool, at, number)
    before = load(pool, at)
    store(pool, at, before + number)
    return before


def taken(games: int, own: Memory, pool: Memory) -> int:
    """The number of the first of so many random games, which nobody else plays."""
    return added(NEXT, games, own, pool)


def room(words: int, own: Memory, pool: Memory) -> int:
    """Where so many words of the pool are, which nobody else has; 0 where there are not as many."""
    start = added(END, words, own, pool)
    if start + words <= load(pool, ROOM):
        return start
    added(END, -words, own, pool)
    return 0


def locked(node: int, own: Memory, pool: Memory) -> bool:
    """Whether the children of a node are for this thread to change now."""
    if load(own, THREADS) < 2 or add_shared(pool, node + MORE, LOCK) < LOCK:
        return True
    added(node + MORE, -LOCK, own, pool)
    return False


def unlocked(node: int, count: int, own: Memory, pool: Memory) -> int:
    """Let others change the children of a node; gives their number, which is passed through."""
    if load(own, THREADS) > 1:
        added(node + MORE, -LOCK, own, pool)
    return count


def entered(node: int, own: Memory, pool: Memory) -> int:
    """Count a visit, which is lost until its result is known, so that others go elsewhere.

    Gives the node.
    """
    if load(own, THREADS) > 1:
        added(node + VISITS, 1, own, pool)
    return node


def pending(own: Memory) -> int:
    """How many visits `entered` has counted of each node of the line in hand."""
    return int(load(own, THREADS) > 1)
