"""Null-move pruning, as drivers.

Null move (Donninger, 1993): a side passes, and a search of reduced depth follows. If its value is
at least beta, the value of the best move is assumed to be so, too.

It needs a null window, a position without a threat, and a game with null moves. See decisions 127
and 160.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import load
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.context import SearchContext, SearchNode
from rulesengine.engine.drivers.search.layout import (
    CERTAIN,
    LARGE,
    NULL_REDUCTION,
    NULL_SHARE,
    PASSED,
    PRUNES,
)
from rulesengine.engine.drivers.search.position_value import worth

S = TypeVar("S")
M = TypeVar("M")


def static_value(
    game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext
) -> int:
    """Return the estimate of a position without a threat, or `-LARGE`."""
    if not game.has_null_moves(state) or load(search.own, PRUNES) == 0:
        return -LARGE
    if game.threatened(state):
        return -LARGE
    value = worth(game, state, True, search.sides, node.ply, search.own)
    return -LARGE if value >= CERTAIN else value


def null_depth(node: SearchNode) -> int:
    """Return the depth of the search after a null move."""
    return max(0, node.depth - 1 - NULL_REDUCTION - node.depth // NULL_SHARE)


def may_pass(
    game: SearchFunctions[S, M], state: S, node: SearchNode, search: SearchContext
) -> bool:
    """True if a null move is allowed: none leads here, and zugzwang is unlikely."""
    return load(search.own, PASSED) != node.ply and game.may_pass(state)


def is_null_window(node: SearchNode) -> bool:
    """Return True for a null window between estimates."""
    return node.beta - node.alpha == 1 and node.beta < CERTAIN and node.alpha > -CERTAIN
