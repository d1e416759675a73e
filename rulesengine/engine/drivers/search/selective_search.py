"""Selective search: moves that are left out or searched less deep, as drivers.

Late moves are reduced by plies that grow with the depth and their place in the order. Near the
horizon, quiet moves are left out: those after the first ones (late move pruning), and all if the
estimate is far below alpha (futility pruning). Moves that threaten a royal piece are exempt. A
position without a table move is searched one ply less deep (internal iterative reduction).

No result of a game is assumed: a move is left out only if another one does not lose. See decision
157.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.context import SearchNode
from rulesengine.engine.drivers.search.layout import (
    CERTAIN,
    FUTILE_DEPTH,
    FUTILE_GAIN,
    PRUNED_AFTER,
    PRUNED_DEPTH,
    PRUNES,
    REDUCED_DEPTHS,
    REDUCED_TURNS,
    REDUCTIONS,
    STATIC,
    UNKNOWN_DEPTH,
)
from rulesengine.engine.drivers.search.move_ordering import MAX_HISTORY
from rulesengine.engine.drivers.search.null_move import is_null_window

S = TypeVar("S")
M = TypeVar("M")


def adjusted_depth(
    game: SearchFunctions[S, M], state: S, data: int, node: SearchNode, own: Memory
) -> int:
    """Return the depth of a position: a ply less without a table entry `data`."""
    if not game.has_null_moves(state) or load(own, PRUNES) == 0:
        return node.depth
    return node.depth - int(data == 0 and node.depth >= UNKNOWN_DEPTH)


def reduction(
    game: SearchFunctions[S, M], after: S, turn: int, soon: int, node: SearchNode, own: Memory
) -> int:
    """Return the plies of the late move reduction of a move, which leads to the position `after`.

    Good captures and killer moves are not reduced, nor moves in games without threats or captures.
    """
    has_tactics = game.has_urgent(after) or game.has_captures(after)
    if not has_tactics or soon >= 2 * MAX_HISTORY:
        return 0
    row, column = min(node.depth, REDUCED_DEPTHS - 1), min(turn, REDUCED_TURNS - 1)
    plies = load(own, REDUCTIONS + row * REDUCED_TURNS + column)
    if plies > 0 and load(own, PRUNES) != 0:
        if load(own, STATIC + node.ply) <= -CERTAIN or game.threatened(after):
            return 0
        if node.beta - node.alpha > 1 and plies > 1:
            plies -= 1
    return min(plies, node.depth - 1)


def skips(
    game: SearchFunctions[S, M],
    after: S,
    turn: int,
    soon: int,
    best: int,
    node: SearchNode,
    own: Memory,
) -> bool:
    """True if a quiet move near the horizon is left out."""
    static = load(own, STATIC + node.ply)
    if static <= -CERTAIN or turn == 0 or best <= -CERTAIN or soon >= 2 * MAX_HISTORY:
        return False
    if not is_null_window(node):
        return False
    is_late = node.depth <= PRUNED_DEPTH and turn >= PRUNED_AFTER + node.depth * node.depth
    most = static + FUTILE_GAIN * node.depth
    is_hopeless = node.depth <= FUTILE_DEPTH and most <= node.alpha
    return (is_late or is_hopeless) and not game.threatened(after)
