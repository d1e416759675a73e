"""The last plies of a game of points whose moves fill the board, as a driver.

There a plain search is faster than one with a table, move ordering and a principal variation.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import Judged
from rulesengine.engine.drivers.search.layout import ENDED, LARGE, LIMIT, NODES
from rulesengine.engine.drivers.search.position_value import team, worth

S = TypeVar("S")
M = TypeVar("M")


def closing(game: Judged[S, M], state: S, depth: int, beta: int, sides: int, own: Memory) -> int:
    """Return a bound of the value of a position for the team to move.

    It is an upper bound if it is less than `beta`, else a lower bound.
    """
    nodes = load(own, NODES)
    if nodes >= load(own, LIMIT):
        store(own, ENDED, 1)
        return 0
    store(own, NODES, nodes + 1)
    if depth == 0:
        return worth(game, state, True, sides, 0, own)
    moves = game.legal(state)
    if not moves:
        return worth(game, state, False, sides, 0, own)
    mine, best = team(game, state, own), -LARGE
    for move in moves:
        after = game.apply(state, move)
        if team(game, after, own) == mine:
            value = closing(game, after, depth - 1, beta, sides, own)
        else:
            value = -closing(game, after, depth - 1, 1 - beta, sides, own)
        if load(own, ENDED) != 0:
            return 0
        best = max(best, value)
        if best >= beta:
            break
    return best
