"""Tallies: the cells with a sum of weights, over the sets that contain them, in a range.

A tally is a comparison of a number for each cell, for all cells at once. The operation has the sets
as operands. Its value has the weights, the bounds, and the modulus of the sum (0 for the sum
itself) as texts.
"""

from collections.abc import Sequence

from rulesengine.language.ir.ops import Op, make
from rulesengine.support.frozen import record
from rulesengine.support.limits import INTEGER_MAX


@record
class Tally:
    """The weights of sets, and the range of the sum, which is inclusive; `modulus` 0 is none."""

    weights: tuple[int, ...]
    low: int
    high: int = INTEGER_MAX
    modulus: int = 0

    def has(self, total: int) -> bool:
        """True if a sum is in the range."""
        residue = total % self.modulus if self.modulus else total
        return self.low <= residue <= self.high


def make_tally(sets: Sequence[Op], tally: Tally) -> Op:
    """Return the operation for a tally of sets."""
    weights = " ".join(map(str, tally.weights))
    value = (weights, str(tally.low), str(tally.high), str(tally.modulus))
    return make("tally", *sets, value=value)


def tally_of(op: Op) -> Tally:
    """Return the tally of an operation."""
    assert isinstance(op.value, tuple)
    weights, low, high, modulus = op.value
    return Tally(tuple(map(int, weights.split())), int(low), int(high), int(modulus))


def make_best(cells: Op, sets: Sequence[Op], weights: tuple[int, ...], order: str) -> Op:
    """Return the operation for the cells of a set with the greatest or least sum of weights."""
    return make("best", cells, *sets, value=(order, " ".join(map(str, weights))))


def best_of(op: Op) -> tuple[str, tuple[int, ...]]:
    """Return the order, `most` or `least`, and the weights of such an operation."""
    assert isinstance(op.value, tuple)
    order, weights = op.value
    return order, tuple(map(int, weights.split()))
