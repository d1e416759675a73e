"""Playouts from the leaves of a tree, and the backpropagation of their results.

See decision 086.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.amaf import add_moves, clear_moves, count_moves, gained
from rulesengine.engine.drivers.search.context import TreeContext
from rulesengine.engine.drivers.search.payoff_tree import add_payoff, raise_greatest
from rulesengine.engine.drivers.search.rollouts import LINE, MAX_RECORDS, WINNER
from rulesengine.engine.drivers.search.tree_layout import (
    GAINED,
    GAMES,
    PATH,
    PLAYOUTS,
    RECORDS,
    SLOTS,
    TOTALS,
    VISITS,
)
from rulesengine.engine.drivers.search.virtual_loss import added, reserve_playouts, virtual_losses

S = TypeVar("S")
M = TypeVar("M")


def play_leaf(
    game: SearchFunctions[S, M],
    leaf: S,
    number: int,
    end: int,
    seed: Word,
    length: int,
    tree: TreeContext,
) -> int:
    """Play the playouts of a leaf, numbered from the caller's number on; return their count.

    Other threads may have reserved the numbers in between. The playouts still have consecutive
    numbers, and those reserved are below `end`.
    """
    more = min(load(tree.own, GAMES), end - number) - 1
    after = reserve_playouts(more, tree.own, tree.pool)
    count = 1 + max(0, min(more, end - after))
    clear_results(tree.sides, tree.own)
    places, played = load(tree.own, SLOTS) // tree.sides, 0
    while played < count:
        some = min(count - played, MAX_RECORDS)
        played += game.rollouts(leaf, seed, after - 1 + played, some, places, tree.own, RECORDS)
        for each in range(some):
            result = load(tree.own, RECORDS + each * LINE + WINNER)
            if tree.sides == 1:
                add_payoff(result, after - 1 + played - some + each, length, tree.own)
            else:
                add_result(result, tree.sides, tree.own)
            if places != 0:
                add_moves(RECORDS + each * LINE, tree.own)
    return backpropagate(count, length, tree.sides, tree.own, tree.pool)


def clear_results(sides: int, own: Memory) -> int:
    """Clear the results of the playouts in hand; return the number of slots of AMAF statistics."""
    for player in range(max(sides, 2)):
        store(own, GAINED + player, 0)
    return clear_moves(load(own, SLOTS), own)


def add_result(winner: int, sides: int, own: Memory) -> int:
    """Add the result of a playout; return the number of all playouts."""
    for player in range(sides):
        at = GAINED + player
        store(own, at, load(own, at) + gained(winner, player))
    games = load(own, PLAYOUTS) + 1
    store(own, PLAYOUTS, games)
    return games


def backpropagate(games: int, length: int, sides: int, own: Memory, pool: Memory) -> int:
    """Add the results of some playouts to all nodes of the path (backpropagation); return their
    number.

    If threads share the pool, `entered` has already counted one of the visits.
    """
    visits = games - virtual_losses(own)
    for i in range(length):
        node = load(own, PATH + i)
        if visits != 0:
            added(node + VISITS, visits, own, pool)
        for player in range(sides):
            total = load(own, GAINED + player)
            if total != 0:
                added(node + TOTALS + player, total, own, pool)
        if sides == 1:
            raise_greatest(node, own, pool)
    if load(own, SLOTS) != 0:
        count_moves(games, length, own, pool)
    return games
