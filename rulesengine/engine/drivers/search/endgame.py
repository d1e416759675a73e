"""The last plies of a game of points in which moves fill the board, as a driver.

There a plain search is faster than one with a table, move ordering and a principal variation.

See decision 062.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.layout import LARGE, LIMIT, LIMIT_REACHED, NODES
from rulesengine.engine.drivers.search.position_value import is_searcher, worth

S = TypeVar("S")
M = TypeVar("M")


def endgame_value(
    game: SearchFunctions[S, M], state: S, depth: int, beta: int, sides: int, own: Memory
) -> int:
    """Return a bound of the value of a position for the team to move.

    It is an upper bound if it is less than `beta`, else a lower bound.
    """
    nodes = load(own, NODES)
    if nodes >= load(own, LIMIT):
        store(own, LIMIT_REACHED, 1)
        return 0
    store(own, NODES, nodes + 1)
    if depth == 0:
        return worth(game, state, True, sides, 0, own)
    moves = game.legal(state)
    if not moves:
        return worth(game, state, False, sides, 0, own)
    mine, best = is_searcher(game, state, own), -LARGE
    for move in moves:
        after = game.apply(state, move)
        if is_searcher(game, after, own) == mine:
            value = endgame_value(game, after, depth - 1, beta, sides, own)
        else:
            value = -endgame_value(game, after, depth - 1, 1 - beta, sides, own)
        if load(own, LIMIT_REACHED) != 0:
            return 0
        best = max(best, value)
        if best >= beta:
            break
    return best
