"""Expansion of the nodes of a Monte-Carlo tree."""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, store
from rulesengine.engine.drivers.protocol import UNFINISHED, SearchFunctions
from rulesengine.engine.drivers.search.context import TreeContext
from rulesengine.engine.drivers.search.mcts_solver import close, proof
from rulesengine.engine.drivers.search.payoff_tree import close_payoff
from rulesengine.engine.drivers.search.prior_selection import store_priors
from rulesengine.engine.drivers.search.progressive_widening import add_child, is_wide
from rulesengine.engine.drivers.search.rollouts import note_of
from rulesengine.engine.drivers.search.tree_layout import (
    COUNT,
    FIRST,
    MOVER,
    NOTE,
    PROVEN,
    SLOTS,
    width,
)
from rulesengine.engine.drivers.search.virtual_loss import room, try_lock, unlock

S = TypeVar("S")
M = TypeVar("M")


def expand(
    game: SearchFunctions[S, M],
    state: S,
    node: int,
    seed: Word,
    sides: int,
    own: Memory,
    pool: Memory,
) -> int:
    """Expand a node and return its number of children: 0 at an end, or if the pool is full."""
    if is_wide(game, state, own):
        return add_child(game, state, node, seed, sides, own, pool)
    if not try_lock(node, own, pool):
        return 0
    count = load(pool, node + COUNT)
    if count == 0:
        count = filled(game, state, node, sides, own, pool)
    return unlock(node, count, own, pool)


def filled(
    game: SearchFunctions[S, M], state: S, node: int, sides: int, own: Memory, pool: Memory
) -> int:
    """Create all children of a node and return their number."""
    moves = game.legal(state)
    count, player, ended = len(moves), game.mover(state), False
    places = load(own, SLOTS) // sides
    if count == 0:
        close(node, game.winner(state), pool)
        if sides == 1 and game.winner(state) != UNFINISHED:
            close_payoff(game, state, node, pool)
        return 0
    first = room(count * width(sides), own, pool)
    if first == 0:
        return 0
    child = first
    for move in moves:
        if places != 0:
            store(pool, child + NOTE, note_of(game.place(move, places), player, places))
        after = game.apply(state, move)
        winner = game.winner(after)
        if winner != UNFINISHED:
            close(child, -1 if sides == 1 else winner, pool)
            if sides == 1:
                close_payoff(game, after, child, pool)
            ended = True
        child += width(sides)
    if game.has_patterns(state):
        store_priors(game, state, first, TreeContext(sides, own, pool))
    store(pool, node + FIRST, first)
    store(pool, node + MOVER, player)
    store(pool, node + COUNT, count)
    if ended:
        store(pool, node + PROVEN, proof(node, sides, pool))
    return count
