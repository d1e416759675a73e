"""Tables of roots and logarithms for the tree search, by whole numbers alone."""

from array import array
from functools import cache
from math import isqrt

from rulesengine.memory import Memory
from rulesengine.search.tree_layout import LOGS, ROOTS, SIZE

_ONE = 16  # bits behind the point
_LN2 = 45426  # the natural logarithm of 2, times 2**16


def fill_tables(memory: Memory) -> None:
    """Write the tables of `mcts`; of 0 and 1 they hold what those of 2 and 1 do."""
    logs, roots = _tables()
    memory.numbers[LOGS : LOGS + SIZE] = logs
    memory.numbers[ROOTS : ROOTS + SIZE] = roots


@cache
def _tables() -> tuple[memoryview, memoryview]:
    """Both tables: they take longer to work out than a small search."""
    logs = array("q", (isqrt(logarithm(max(n, 2)) << _ONE) for n in range(SIZE)))
    roots = array("q", (isqrt((1 << 4 * _ONE) // max(n, 1)) >> _ONE for n in range(SIZE)))
    return memoryview(logs).toreadonly(), memoryview(roots).toreadonly()


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
