"""Nodes of many moves get their children one by one, as they are visited more often.

Coulom, Computing Elo ratings of move patterns (2007): progressive widening. The
moves come in steps of about the golden ratio through their list, which has like ones side by side.
"""

from typing import TypeVar

from rulesengine.engine.drivers.core import UNFINISHED, Judged, high, mix, word, wrap_add
from rulesengine.engine.drivers.memory import Memory, Word, load, store
from rulesengine.engine.drivers.search.mcts_solver import close, proof
from rulesengine.engine.drivers.search.tree_layout import (
    COUNT,
    FIRST,
    FURTHER,
    GAIN,
    MORE,
    MOST,
    MOVER,
    NUMBER,
    PROVEN,
    VISITS,
    WIDE,
    width,
)
from rulesengine.engine.drivers.search.uct_selection import urge, worth
from rulesengine.engine.drivers.search.virtual_loss import added, locked, room, unlocked

S = TypeVar("S")
M = TypeVar("M")
_GOLDEN = 40503  # the golden ratio, times 2**16


def is_wide(game: Judged[S, M], state: S, own: Memory) -> bool:
    """Whether a player has more moves than are made at once."""
    most = load(own, WIDE)
    if most == 0 or game.mover(state) < 0:
        return False
    moves = game.legal(state)
    return len(moves) > most


def wants_more(node: int, own: Memory, pool: Memory) -> bool:
    """Whether it is time for a node's next child."""
    count = load(pool, node + COUNT)
    return count < load(pool, node + MORE) & MOST and (
        count * count < load(own, GAIN) * load(pool, node + VISITS)
    )


def widened(
    game: Judged[S, M], state: S, node: int, seed: Word, sides: int, own: Memory, pool: Memory
) -> int:
    """Make one more child of a node, if there is room for it; how many it has now."""
    if not locked(node, own, pool):
        return load(pool, node + COUNT)
    moves = game.legal(state)
    player = game.mover(state)
    count = load(pool, node + COUNT)
    child = room(width(sides), own, pool) if count < len(moves) else 0
    if child == 0:
        return unlocked(node, count, own, pool)
    if count == 0:
        added(node + MORE, len(moves), own, pool)
    number = upcoming(node, len(moves), seed, pool)
    after = game.apply(state, moves[number])
    winner = game.winner(after)
    if winner != UNFINISHED:
        close(child, winner, pool)
    store(pool, child + NUMBER, number)
    store(pool, child + FURTHER, load(pool, node + FIRST))
    store(pool, node + MOVER, player)
    store(pool, node + FIRST, child)
    store(pool, node + COUNT, count + 1)
    if winner != UNFINISHED:
        store(pool, node + PROVEN, proof(node, sides, pool))
    return unlocked(node, count + 1, own, pool)


def upcoming(node: int, count: int, seed: Word, pool: Memory) -> int:
    """The number of the move, of so many, for which a node gets its next child."""
    last = load(pool, node + FIRST)
    if last == 0:
        return high(mix(wrap_add(seed, word(node))), count)
    return (load(pool, last + NUMBER) + stride(count)) % count


def stride(count: int) -> int:
    """About so much by the golden ratio, and in no division of it, so that all numbers come."""
    step = count * _GOLDEN >> 16
    while divisor(step, count) > 1:
        step += 1
    return step


def divisor(a: int, b: int) -> int:
    """The greatest number that divides both."""
    while b > 0:
        rest = a % b
        a = b
        b = rest
    return a


def urged(node: int, own: Memory, pool: Memory) -> int:
    """The child to visit of a node that gets them one by one; of equal ones the last made."""
    player, adding = load(pool, node + MOVER), urge(load(pool, node + VISITS), own)
    best, chosen, child = -2, 0, load(pool, node + FIRST)
    while child != 0:
        value = worth(child, player, adding, own, pool)
        if value > best:
            best, chosen = value, child
        child = load(pool, child + FURTHER)
    return chosen
