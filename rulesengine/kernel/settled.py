"""Who wins for sure by the moves that he has in reserve: as the interpreter has it."""

from rulesengine.drivers import SETTLED
from rulesengine.interpreter import Interpreter
from rulesengine.kernel.passes.reserves import Masks, Reserves, Side
from rulesengine.state import State


def settled(machine: Interpreter, reserves: Reserves | None, state: State) -> int:
    """As `Judged.settled` says."""
    if reserves is None:
        return 0
    mine, other = state.side, 1 - state.side
    moves, replies = (machine.number_of(reserves.cells, state, side) for side in (mine, other))
    own, others = reserves.sides[mine], reserves.sides[other]
    # At most one of each set of moves that are apart is ever made.
    most, most_own = _packed(replies, others.apart), _packed(moves, own.apart)
    sure, sure_replies = _sure(own, moves, replies, 1), _sure(others, replies, moves, 0)
    if sure > most:
        return SETTLED
    if sure_replies >= most_own:
        return -SETTLED
    return sure - most - sure_replies + most_own


def _packed(cells: int, gone: Masks) -> int:
    """How many cells are taken, one after the other, if with each of them a set is gone."""
    count = 0
    while cells:
        cells &= ~gone[_first(cells)]
        count += 1
    return count


def _sure(side: Side, moves: int, replies: int, first: int) -> int:
    """How many of these moves a side can make at least; `first` is 1 if it is to move.

    Those that no reply spoils, and half of those that replies spoil one at a time.
    """
    left, rest, count = moves, moves, 0
    while left:
        cell = _first(left)
        if side.spoils[cell] & replies:
            left &= ~(1 << cell)
        else:
            left, rest, count = left & ~side.takes[cell], rest & ~side.takes[cell], count + 1
    return count + (_packed(rest, side.near) + first) // 2


def _first(cells: int) -> int:
    return (cells & -cells).bit_length() - 1
