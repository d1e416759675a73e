"""Quiescence search: captures are followed at the horizon until none is left, as drivers.

The side to move may stop and take the estimate of the position (stand-pat), except where all its
moves are captures: then one of them is forced. Selective search leaves out captures that lose
material if the reply takes the capturing piece. See decisions 118 and 158.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, poll, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.context import SearchContext, SearchNode
from rulesengine.engine.drivers.search.layout import (
    CAPTURES,
    CERTAIN,
    DEEPEST,
    FOLLOWED,
    LARGE,
    LIMIT,
    LIMIT_REACHED,
    MARGIN,
    MOST,
    NODES,
    PRUNES,
    QUIESCENCE_NODES,
    ROOM,
)
from rulesengine.engine.drivers.search.move_ordering import SEARCHED, select_move
from rulesengine.engine.drivers.search.position_value import exchange_lead, is_searcher, worth

S = TypeVar("S")
M = TypeVar("M")


def follows_captures(game: SearchFunctions[S, M], state: S, own: Memory) -> bool:
    """True if a search follows captures at the horizon."""
    return game.has_captures(state) and load(own, CAPTURES) == FOLLOWED


def quiescence(
    game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of a position for the team to move by captures alone, or a bound."""
    value = worth(game, state, True, search.sides, node.ply, search.own)
    is_over = value >= CERTAIN or value <= -CERTAIN
    if is_over or node.ply >= DEEPEST or game.weight(state) > 0:
        return value
    if value >= node.beta and not game.forces_captures(state):
        return value
    return best_capture(game, state, value, node, search)


def best_capture(
    game: SearchFunctions[S, M], state: S, stand_pat: int, node: SearchNode, search: SearchContext
) -> int:
    """Return the greater of the stand-pat value and the values of the captures."""
    moves = game.legal(state)
    count, base = len(moves), node.base
    if not moves:
        return worth(game, state, False, search.sides, node.ply, search.own)
    if base + count > load(search.own, ROOM):
        return stand_pat
    mine = is_searcher(game, state, search.own)
    left, at = 0, base
    start = gain_priority(game, state, mine, search)
    for move in moves:
        priority = SEARCHED
        if game.captures(state, move):
            after = game.apply(state, move)
            cell = game.target(move)
            priority = net_priority(game, after, cell, mine, search)
            if load(search.own, PRUNES) != 0 and priority < start:
                priority = SEARCHED
            else:
                left += 1
        store(search.own, at, priority)
        at += 1
    best = -LARGE if left == count else stand_pat
    before = start - stand_pat
    hopeless = before + node.alpha - load(search.own, MARGIN)
    number, soon = count, 0
    while left > 0 and best < node.beta:
        number, soon = select_move(base, count, number, soon, search.own)
        if best >= stand_pat and soon <= hopeless:
            return max(best, soon - before + load(search.own, MARGIN))
        low = max(best, node.alpha)
        below = SearchNode(0, low, node.beta, node.ply + 1, base + count)
        after = game.apply(state, moves[number])
        value = value_after(game, after, mine, below, search)
        if load(search.own, LIMIT_REACHED) != 0:
            return best
        best, left = max(best, value), left - 1
    return best


def gain_priority(game: SearchFunctions[S, M], after: S, mine: bool, search: SearchContext) -> int:
    """Return the priority of a capture: the exchange evaluation after it, not negative."""
    value = exchange_lead(game, after, search.sides, search.own)
    return MOST + value if mine else MOST - value


def net_priority(
    game: SearchFunctions[S, M], after: S, cell: int, mine: bool, search: SearchContext
) -> int:
    """Return the priority of a capture onto a cell if the reply takes the piece there.

    This is a static exchange evaluation of two captures; without selective search, of one.
    """
    gain = gain_priority(game, after, mine, search)
    if load(search.own, PRUNES) == 0 or cell < 0:
        return gain
    return gain - game.risk(after, cell)


def value_after(
    game: SearchFunctions[S, M], state: S, mine: bool, node: SearchNode, search: SearchContext
) -> int:
    """Return the value of the position after a capture, for the team that made it."""
    nodes = load(search.own, NODES)
    if nodes >= load(search.own, LIMIT):
        store(search.own, LIMIT_REACHED, 1)
        return 0
    poll(search.own)
    store(search.own, NODES, nodes + 1)
    store(search.own, QUIESCENCE_NODES, load(search.own, QUIESCENCE_NODES) + 1)
    if is_searcher(game, state, search.own) == mine:
        return quiescence(game, state, node, search)
    turned = SearchNode(0, -node.beta, -node.alpha, node.ply, node.base)
    return -quiescence(game, state, turned, search)
