"""Tables of roots and logarithms for the tree search, by whole numbers alone, as a driver."""

from functools import cache

from rulesengine.engine.drivers.memory import Memory, store
from rulesengine.engine.drivers.search.tree_layout import HEAD, LOGS, PATH, ROOTS, SIZE

_ONE = 16  # bits behind the point
_HALF = (1 << _ONE) - 1
_LN2 = 45426  # the natural logarithm of 2, times 2**16
_HIGH = 1 << 18  # above all roots in the tables


def fill_tables(memory: Memory) -> None:
    """Write what `filled` does."""
    memory.numbers[HEAD:PATH] = _tables().numbers[HEAD:PATH]


@cache
def _tables() -> Memory:
    """Memory with both tables: they take longer to work out than a small search."""
    memory = Memory(PATH)
    filled(memory)
    return memory


def filled(own: Memory) -> int:
    """Write the tables of `mcts`; of 0 and 1 they hold what those of 2 and 1 do.

    Gives how many entries each has.
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
    """The root of a number above 0, rounded down, by Newton's method from one not below it."""
    found = above
    while found > n // found:
        found = (found + n // found) // 2
    return found


def logarithm(n: int) -> int:
    """The natural logarithm of a number above 0, times 2**16: bit by bit, by squaring."""
    whole = 0
    while n >> whole > 1:
        whole += 1
    rest, found = (n << 2 * _ONE) >> whole, whole
    for _ in range(_ONE):
        high, low = rest >> _ONE, rest & _HALF
        rest = high * high + ((2 * high * low << _ONE) + low * low >> 2 * _ONE)
        found <<= 1
        if rest >> 2 * _ONE > 1:
            rest >>= 1
            found += 1
    return found * _LN2 >> _ONE
