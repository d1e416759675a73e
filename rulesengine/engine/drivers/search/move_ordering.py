"""The order in which moves are tried, and the line that they make, as drivers."""

from typing import TypeVar

from rulesengine.engine.drivers.core import Judged
from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.search.layout import (
    HISTORY,
    HISTORY_SIZE,
    KILLERS,
    LENGTHS,
    WAYS,
    line_of,
)

S = TypeVar("S")
M = TypeVar("M")

PRAISE = 1 << 50  # what is thought of a move lies below it, and above its negative
WAY = 1 << 26  # how much is thought of a move for each way of winning in which it is
RANK_AT = 52
_RANKS = 1 << 10
TABLED = 1 << 62  # how soon the move is tried that the table of positions has
TRIED = -1  # in the place of how soon a move is tried: it has been
PUT_OFF = 0  # it is tried when all others are


def priority(key: int, mine: bool, ply: int, own: Memory) -> int:
    """How soon a move is tried."""
    if key == load(own, KILLERS + 2 * ply):
        return 2 * PRAISE + 1
    if key == load(own, KILLERS + 2 * ply + 1):
        return 2 * PRAISE
    return max(0, min(2 * PRAISE - 1, load(own, history_at(key, mine)) + PRAISE))


def narrow(soon: int, count: int) -> int:
    """The same for a move that leaves so many replies: the fewer, the sooner it is tried."""
    return ranked(255 - min(count, 255), soon)


def leading(soon: int, ahead: int) -> int:
    """The same for a move that leaves its side so far ahead, in moves."""
    return ranked(max(0, min(_RANKS - 1, _RANKS // 2 + ahead)), soon)


def threatening(soon: int, count: int) -> int:
    """The same for a move that leaves its side so many threats: the more, the sooner."""
    return ranked(min(count, 255), soon)


def ranked(rank: int, soon: int) -> int:
    """How soon a move of a rank below `_RANKS` is tried: by that first."""
    return (rank << RANK_AT) + soon


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
            store(own, base + number, TRIED)
            return number, soon
    best, chosen = -1, 0
    for number in range(count):
        value = load(own, base + number)
        if value > best:
            best, chosen = value, number
    store(own, base + chosen, TRIED)
    return chosen, best


def praise(base: int, count: int, best: int, mine: bool, depth: int, ply: int, own: Memory) -> int:
    """Note that a move was too good, and others that were tried before it were not.

    The deeper, the more it counts. Nothing is noted where it is known in how much of what wins
    moves are, or how many they make safe: that tells more in the end than what was good elsewhere.
    Gives how many others they were.
    """
    if load(own, WAYS) != 0:
        return 0
    key, at = load(own, base + count + best), KILLERS + 2 * ply
    if load(own, at) != key:
        store(own, at + 1, load(own, at))
        store(own, at, key)
    weight, others = depth * depth, 0
    for number in range(count):
        if number != best and load(own, base + number) == TRIED:
            place = history_at(load(own, base + count + number), mine)
            store(own, place, load(own, place) - weight)
            others += 1
    place = history_at(key, mine)
    store(own, place, load(own, place) + weight * others)
    return others


def lengthen(ply: int, number: int, own: Memory) -> int:
    """Let the line of a ply be a move and the line of the next ply; gives its length."""
    at, below = line_of(ply), line_of(ply + 1)
    length = load(own, LENGTHS + ply + 1)
    store(own, at, number)
    for i in range(length):
        store(own, at + 1 + i, load(own, below + i))
    store(own, LENGTHS + ply, length + 1)
    return length + 1
