"""The part of a tree below a node as the tree of a search that begins there."""

from rulesengine.memory import Memory, load, store
from rulesengine.search.tree_layout import COUNT, END, FIRST, MOVES, ROOM, SLOTS, TREE, width


def replanted(node: int, sides: int, own: Memory, new: Memory) -> int:
    """Copy a node and all below it, level by level, into memory whose tables are filled.

    Gives how many nodes were copied; what does not fit is left out.
    """
    size = width(sides)
    copied(node, TREE, size, own, new)
    at, end = TREE, TREE + size
    while at < end:
        children = load(new, at + COUNT)
        if children > 0:
            words = children * size
            if end + words > load(new, ROOM):
                store(new, at + COUNT, 0)
            else:
                copied(load(new, at + FIRST), end, words, own, new)
                store(new, at + FIRST, end)
                end += words
        at += size
    store(new, END, end)
    return statistics_replanted((end - TREE) // size, size, own, new)


def statistics_replanted(nodes: int, size: int, own: Memory, new: Memory) -> int:
    """Copy the statistics of moves of so many nodes behind them; gives their number."""
    slots = load(new, SLOTS)
    for number in range(nodes):
        at, end = TREE + number * size + MOVES, load(new, END)
        table = load(new, at)
        if table != 0:
            has_room = end + slots <= load(new, ROOM)
            store(new, at, end if has_room else 0)
            if has_room:
                copied(table, end, slots, own, new)
                store(new, END, end + slots)
    return nodes


def copied(start: int, to: int, words: int, own: Memory, new: Memory) -> int:
    """Copy so many words; gives their number."""
    for i in range(words):
        store(new, to + i, load(own, start + i))
    return words
