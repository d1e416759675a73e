"""Tree reuse: the subtree below a node becomes the tree of the next search."""

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.search.tree_layout import (
    COUNT,
    END,
    FIRST,
    FURTHER,
    MORE,
    MOST,
    MOVES,
    ROOM,
    SLOTS,
    TREE,
    width,
)


def reuse_subtree(node: int, sides: int, own: Memory, old: Memory, new: Memory) -> int:
    """Copy a subtree level by level into an empty pool.

    Return the number of nodes copied; nodes that do not fit are left out.
    """
    size = width(sides)
    copy_words(node, TREE, size, old, new)
    at, end = TREE, TREE + size
    while at < end:
        children, more = load(new, at + COUNT), load(new, at + MORE) & MOST
        store(new, at + MORE, more)
        if children > 0:
            words = children * size
            if end + words > load(new, ROOM):
                store(new, at + COUNT, 0)
                store(new, at + FIRST, 0)
                store(new, at + MORE, 0)
            else:
                first = load(new, at + FIRST)
                store(new, at + FIRST, end)
                if more != 0:
                    copy_list(first, end, size, old, new)
                else:
                    copy_words(first, end, words, old, new)
                end += words
        at += size
    store(new, END, end)
    nodes = (end - TREE) // size
    return copy_statistics(nodes, size, own, old, new) if load(own, SLOTS) != 0 else nodes


def copy_list(first: int, to: int, size: int, old: Memory, new: Memory) -> int:
    """Copy a linked list of nodes to consecutive addresses; return the address after them."""
    child = first
    while child != 0:
        copy_words(child, to, size, old, new)
        child = load(old, child + FURTHER)
        store(new, to + FURTHER, to + size if child != 0 else 0)
        to += size
    return to


def copy_statistics(nodes: int, size: int, own: Memory, old: Memory, new: Memory) -> int:
    """Copy the AMAF statistics of the nodes behind them; return the number of nodes."""
    slots = load(own, SLOTS)
    for number in range(nodes):
        at, end = TREE + number * size + MOVES, load(new, END)
        table = load(new, at)
        if table != 0:
            has_room = end + slots <= load(new, ROOM)
            store(new, at, end if has_room else 0)
            if has_room:
                copy_words(table, end, slots, old, new)
                store(new, END, end + slots)
    return nodes


def copy_words(start: int, to: int, words: int, old: Memory, new: Memory) -> int:
    """Copy words; return their number."""
    for i in range(words):
        store(new, to + i, load(old, start + i))
    return words
