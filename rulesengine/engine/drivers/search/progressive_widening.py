"""Progressive widening: a node with many moves gets its children one by one, as its visits grow.

Coulom, Computing Elo ratings of move patterns (2007). The moves are taken in strides of about the
golden ratio through their list, since adjacent moves are similar. See decision 058.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, store
from rulesengine.engine.drivers.protocol import UNFINISHED, SearchFunctions
from rulesengine.engine.drivers.random import high_word, mix, word, wrap_add
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
from rulesengine.engine.drivers.search.uct_selection import exploration_term, worth
from rulesengine.engine.drivers.search.virtual_loss import added, room, try_lock, unlock

S = TypeVar("S")
M = TypeVar("M")
_GOLDEN = 40503  # the golden ratio, times 2**16


def is_wide(game: SearchFunctions[S, M], state: S, own: Memory) -> bool:
    """True if a player has so many moves that progressive widening applies."""
    most = load(own, WIDE)
    if most == 0 or game.mover(state) < 0:
        return False
    moves = game.legal(state)
    return len(moves) > most


def needs_child(node: int, own: Memory, pool: Memory) -> bool:
    """True if a node has enough visits for its next child."""
    count = load(pool, node + COUNT)
    return count < load(pool, node + MORE) & MOST and (
        count * count < load(own, GAIN) * load(pool, node + VISITS)
    )


def add_child(
    game: SearchFunctions[S, M],
    state: S,
    node: int,
    seed: Word,
    sides: int,
    own: Memory,
    pool: Memory,
) -> int:
    """Create one more child of a node if there is room; return its number of children."""
    if not try_lock(node, own, pool):
        return load(pool, node + COUNT)
    moves = game.legal(state)
    player = game.mover(state)
    count = load(pool, node + COUNT)
    child = room(width(sides), own, pool) if count < len(moves) else 0
    if child == 0:
        return unlock(node, count, own, pool)
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
    return unlock(node, count + 1, own, pool)


def upcoming(node: int, count: int, seed: Word, pool: Memory) -> int:
    """Return the number of the move of a node's next child."""
    last = load(pool, node + FIRST)
    if last == 0:
        return high_word(mix(wrap_add(seed, word(node))), count)
    return (load(pool, last + NUMBER) + stride(count)) % count


def stride(count: int) -> int:
    """Return a stride near the golden ratio of the count and coprime to it, so that all numbers
    occur.
    """
    step = count * _GOLDEN >> 16
    while divisor(step, count) > 1:
        step += 1
    return step


def divisor(a: int, b: int) -> int:
    """Return the greatest common divisor."""
    while b > 0:
        remainder = a % b
        a = b
        b = remainder
    return a


def widened_child(node: int, own: Memory, pool: Memory) -> int:
    """Return the child to visit of a node under progressive widening; ties go to the newest."""
    player, adding = load(pool, node + MOVER), exploration_term(load(pool, node + VISITS), own)
    best, chosen, child = -2, 0, load(pool, node + FIRST)
    while child != 0:
        value = worth(child, player, adding, own, pool)
        if value > best:
            best, chosen = value, child
        child = load(pool, child + FURTHER)
    return chosen
