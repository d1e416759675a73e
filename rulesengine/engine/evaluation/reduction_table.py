"""The plies of late move reduction, by depth and place in the order of moves.

Selective search reduces by a product of logarithms. Other searches reduce by
one ply. See decisions 079 and 157.
"""

from array import array
from functools import cache
from math import log

from rulesengine.engine.drivers.search import layout

# Of a reduction in plies: the constant, and the divisor of the product.
_LEAST, _DIVISOR = 0.2, 2.25


@cache
def late_move_reductions(*, is_selective: bool) -> "array[int]":
    """Return the table of `layout.REDUCTIONS`, row by row."""
    rows = range(layout.REDUCED_DEPTHS)
    columns = range(layout.REDUCED_TURNS)
    return array("q", [_plies(d, t, is_selective=is_selective) for d in rows for t in columns])


def _plies(depth: int, turn: int, *, is_selective: bool) -> int:
    if depth < layout.REDUCTION_DEPTH or turn < layout.LATE_MOVES:
        return 0
    return int(_LEAST + log(depth) * log(turn + 1) / _DIVISOR) if is_selective else 1
