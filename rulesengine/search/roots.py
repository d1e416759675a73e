"""Tables of roots and logarithms for the tree search, by whole numbers alone."""

from array import array
from functools import cache
from math import isqrt

from rulesengine.memory import WORD, Memory
from rulesengine.search.tree_layout import LOGS, ROOTS, SIZE

_ONE = 16  # bits behind the point
_LN2 = 45426  # the natural logarithm of 2, times 2**16


def fill_tables(memory: Memory) -> None:
    """Write the tables of `mcts`; of 0 and 1 they hold what those of 2 and 1 do."""
    logs, roots = tables()
    memory.bytes[WORD * LOGS : WORD * (LOGS + SIZE)] = logs
    memory.bytes[WORD * ROOTS : WORD * (ROOTS + SIZE)] = roots


@cache
def tables() -> tuple[bytes, bytes]:
    """The roots of logarithms, and of inverses: all searches have the same."""
    logs = array("q", (isqrt(logarithm(max(n, 2)) << _ONE) for n in range(SIZE)))
    roots = array("q", (isqrt((1 << 4 * _ONE) // max(n, 1)) >> _ONE for n in range(SIZE)))
    return logs.tobytes(), roots.tobytes()


def logarithm(n: int) -> int:
    """The natural logarithm of a number above 0, times 2**16: bit by bit, by squaring."""
    whole = n.bit_length() - 1
    rest, found = (n << 2 * _ONE) >> whole, whole
    for _ in range(_ONE):
        rest = rest * rest >> 2 * _ONE
        found <<= 1
        if rest >> 2 * _ONE > 1:
            rest >>= 1
            found += 1
    return found * _LN2 >> _ONE
