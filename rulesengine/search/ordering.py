"""The order in which moves are tried, and the line that they make, as drivers."""

from typing import TypeVar

from rulesengine.drivers import Judged
from rulesengine.memory import Memory, load, store
from rulesengine.search.layout import (
    HISTORY,
    HISTORY_SIZE,
    KILLERS,
    LARGE,
    LENGTHS,
    line_of,
)

S = TypeVar("S")
M = TypeVar("M")


def priority(key: int, mine: bool, ply: int, own: Memory) -> int:
    """How soon a move is tried."""
    if key == load(own, KILLERS + 2 * ply):
        return LARGE + 1
    if key == load(own, KILLERS + 2 * ply + 1):
        return LARGE
    return load(own, history_at(key, mine))


def narrow(soon: int, count: int) -> int:
    """The same for a move that leaves so many replies: the fewer, the sooner it is tried."""
    return ranked(255 - min(count, 255), soon)


def threatening(soon: int, count: int) -> int:
    """The same for a move that leaves its side so many threats: the more, the sooner."""
    return ranked(min(count, 255), soon)


def ranked(rank: int, soon: int) -> int:
    """How soon a move of a rank up to 255 is tried: by that first."""
    return (rank << 20) + min(soon >> 4, (1 << 20) - 1)


def replies(game: Judged[S, M], state: S) -> int:
    """How many moves there are."""
    moves = game.legal(state)
    return len(moves)


def history_at(key: int, mine: bool) -> int:
    return HISTORY + int(mine) * HISTORY_SIZE + (key & HISTORY_SIZE - 1)


def next_of(base: int, count: int, last: int, soon: int, own: Memory) -> tuple[int, int]:
    """The number of the move to be tried next, the first of the best, and how soon that is.

    It is not tried again. The one before it was `last`; what is to be tried as soon as that lies
    behind it.
    """
    for number in range(last + 1, count):
        if load(own, base + number) == soon:
            store(own, base + number, -1)
            return number, soon
    best, chosen = -1, 0
    for number in range(count):
        value = load(own, base + number)
        if value > best:
            best, chosen = value, number
    store(own, base + chosen, -1)
    return chosen, best


def praise(key: int, mine: bool, depth: int, ply: int, own: Memory) -> int:
    """Note that a move was too good; gives how often and how deep it was by now."""
    at = KILLERS + 2 * ply
    if load(own, at) != key:
        store(own, at + 1, load(own, at))
        store(own, at, key)
    place = history_at(key, mine)
    total = min(load(own, place) + depth * depth, LARGE - 1)
    store(own, place, total)
    return total


def lengthen(ply: int, number: int, own: Memory) -> int:
    """Let the line of a ply be a move and the line of the next ply; gives its length."""
    at, below = line_of(ply), line_of(ply + 1)
    length = load(own, LENGTHS + ply + 1)
    store(own, at, number)
    for i in range(length):
        store(own, at + 1 + i, load(own, below + i))
    store(own, LENGTHS + ply, length + 1)
    return length + 1
