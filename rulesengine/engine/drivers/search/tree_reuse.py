"""The part of a tree below a node as the tree of a search that begins there."""

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


def replanted(node: int, sides: int, own: Memory, old: Memory, new: Memory) -> int:
    """Copy a node and all below it, level by level, into a pool without any.

    Gives how many nodes were copied; what does not fit is left out.
    """
    size = width(sides)
    copied(node, TREE, size, old, new)
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
                    relisted(first, end, size, old, new)
                else:
                    copied(first, end, words, old, new)
                end += words
        at += size
    store(new, END, end)
    nodes = (end - TREE) // size
    return statistics_replanted(nodes, size, own, old, new) if load(own, SLOTS) != 0 else nodes


def relisted(first: int, to: int, size: int, old: Memory, new: Memory) -> int:
    """Copy nodes that are a list to a place, side by side; gives the place behind them."""
    child = first
    while child != 0:
        copied(child, to, size, old, new)
        child = load(old, child + FURTHER)
        store(new, to + FURTHER, to + size if child != 0 else 0)
        to += size
    return to


def statistics_replanted(nodes: int, size: int, own: Memory, old: Memory, new: Memory) -> int:
    """Copy the statistics of moves of so many nodes behind them; gives their number."""
    slots = load(own, SLOTS)
    for number in range(nodes):
        at, end = TREE + number * size + MOVES, load(new, END)
        table = load(new, at)
        if table != 0:
            has_room = end + slots <= load(new, ROOM)
            store(new, at, end if has_room else 0)
            if has_room:
                copied(table, end, slots, old, new)
                store(new, END, end + slots)
    return nodes


def copied(start: int, to: int, words: int, old: Memory, new: Memory) -> int:
    """Copy so many words; gives their number."""
    for i in range(words):
        store(new, to + i, load(old, start + i))
    return words
