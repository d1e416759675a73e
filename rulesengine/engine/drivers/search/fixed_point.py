"""Fixed-point tables of square roots and logarithms for the tree search, as a driver."""

from functools import cache

from rulesengine.engine.drivers.memory import Memory, store
from rulesengine.engine.drivers.search.tree_layout import HEAD, LOGS, PATH, ROOTS, SIZE

_ONE = 16  # bits after the binary point
_HALF = (1 << _ONE) - 1
_LN2 = 45426  # the natural logarithm of 2, times 2**16
_HIGH = 1 << 18  # an upper bound of all roots in the tables


def fill_tables(memory: Memory) -> None:
    """Write the tables of `filled`; they are computed once."""
    memory.numbers[HEAD:PATH] = _tables().numbers[HEAD:PATH]


@cache
def _tables() -> Memory:
    """Return memory with both tables; computing them takes longer than a small search."""
    memory = Memory(PATH)
    filled(memory)
    return memory


def filled(own: Memory) -> int:
    """Write the tables for `mcts`; the entries of 0 and 1 are those of 2 and 1.

    Return the number of entries of each table.
    """
    above = _HIGH
    for turn in range(SIZE):
        n = SIZE - 1 - turn
        above = root(logarithm(max(n, 2)) << _ONE, above)
        store(own, LOGS + n, above)
    above = _HIGH
    for n in range(SIZE):
        above = root((1 << 2 * _ONE) // max(n, 1), above)
        store(own, ROOTS + n, above)
    return SIZE


def root(n: int, above: int) -> int:
    """Return the integer square root of a positive number, by Newton's method from above."""
    estimate = above
    while estimate > n // estimate:
        estimate = (estimate + n // estimate) // 2
    return estimate


def logarithm(n: int) -> int:
    """Return the natural logarithm of a positive number, times 2**16: bit by bit, by squaring."""
    exponent = 0
    while n >> exponent > 1:
        exponent += 1
    mantissa, result = (n << 2 * _ONE) >> exponent, exponent
    for _ in range(_ONE):
        high, low = mantissa >> _ONE, mantissa & _HALF
        mantissa = high * high + ((2 * high * low << _ONE) + low * low >> 2 * _ONE)
        result <<= 1
        if mantissa >> 2 * _ONE > 1:
            mantissa >>= 1
            result += 1
    return result * _LN2 >> _ONE
