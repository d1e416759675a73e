"""Move ordering (killer moves, history heuristic) and the principal variation, as drivers.

See decision 074.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.layout import (
    FIXED_HISTORY,
    HISTORY,
    HISTORY_SIZE,
    KILLERS,
    LENGTHS,
    line_of,
)

S = TypeVar("S")
M = TypeVar("M")

MAX_HISTORY = 1 << 50  # bound of history scores: they lie between its negative and itself
LINE_SCORE = 1 << 26  # the history score of a move for each winning line that it is in
RANK_AT = 52
_RANKS = 1 << 10
TABLE_MOVE = 1 << 62  # the priority of the move of the transposition table
SEARCHED = -1  # the priority of a move that has been searched
DEFERRED = 0  # the priority of a deferred move, which comes last


def move_priority(key: int, mine: bool, ply: int, own: Memory) -> int:
    """Return the priority of a move: killer moves first, then by the history heuristic."""
    if key == load(own, KILLERS + 2 * ply):
        return 2 * MAX_HISTORY + 1
    if key == load(own, KILLERS + 2 * ply + 1):
        return 2 * MAX_HISTORY
    return max(0, min(2 * MAX_HISTORY - 1, load(own, history_at(key, mine)) + MAX_HISTORY))


def by_mobility(soon: int, count: int) -> int:
    """Return the priority of a move ranked by its number of replies: the fewer, the higher."""
    return ranked(255 - min(count, 255), soon)


def by_lead(soon: int, ahead: int) -> int:
    """Return the priority of a move ranked by the lead in moves that it leaves to its side."""
    return ranked(max(0, min(_RANKS - 1, _RANKS // 2 + ahead)), soon)


def by_threats(soon: int, count: int) -> int:
    """Return the priority of a move ranked by the threats that it leaves to its side: the more, the
    higher.
    """
    return ranked(min(count, 255), soon)


def by_gain(gain: int) -> int:
    """Return the priority of a capture: before all moves ordered by history."""
    return ranked(1, gain)


def ranked(rank: int, soon: int) -> int:
    """Return the priority of a move with a rank below `_RANKS`: ranks compare before history
    scores.
    """
    return (rank << RANK_AT) + soon


def replies(game: SearchFunctions[S, M], state: S) -> int:
    """Return the number of legal moves."""
    moves = game.legal(state)
    return len(moves)


def history_at(key: int, mine: bool) -> int:
    return HISTORY + int(mine) * HISTORY_SIZE + (key & HISTORY_SIZE - 1)


def select_move(base: int, count: int, last: int, soon: int, own: Memory) -> tuple[int, int]:
    """Select the unsearched move with the highest priority, the first of equal ones; return its
    number and its priority.

    The move is marked as searched. `last` is the move before it, with the priority `soon`; another
    move with that priority can only follow it in the list.
    """
    for number in range(last + 1, count):
        if load(own, base + number) == soon:
            store(own, base + number, SEARCHED)
            return number, soon
    best, chosen = -1, 0
    for number in range(count):
        value = load(own, base + number)
        if value > best:
            best, chosen = value, number
    store(own, base + chosen, SEARCHED)
    return chosen, best


def reward_cutoff(
    base: int, count: int, best: int, mine: bool, depth: int, ply: int, own: Memory
) -> int:
    """Update the killer moves and the history scores after a beta cutoff.

    The move gains, and the moves searched before it lose, by the square of the depth. There is no
    update if the history scores are fixed, by winning lines or by safe moves: these prove the
    better order in the end. Return the number of other moves searched.
    """
    if load(own, FIXED_HISTORY) != 0:
        return 0
    key, at = load(own, base + count + best), KILLERS + 2 * ply
    if load(own, at) != key:
        store(own, at + 1, load(own, at))
        store(own, at, key)
    weight, others = depth * depth, 0
    for number in range(count):
        if number != best and load(own, base + number) == SEARCHED:
            place = history_at(load(own, base + count + number), mine)
            store(own, place, load(own, place) - weight)
            others += 1
    place = history_at(key, mine)
    store(own, place, load(own, place) + weight * others)
    return others


def store_line(ply: int, number: int, own: Memory) -> int:
    """Store the principal variation of a ply: a move, then the variation of the next ply; return
    its length.
    """
    at, below = line_of(ply), line_of(ply + 1)
    length = load(own, LENGTHS + ply + 1)
    store(own, at, number)
    for i in range(length):
        store(own, at + 1 + i, load(own, below + i))
    store(own, LENGTHS + ply, length + 1)
    return length + 1
