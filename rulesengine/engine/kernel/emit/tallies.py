"""Kernel code for tallies: numbers of all cells in bit slices, added and compared set by set.

Slice i has the cells with bit i set in their sum (vertical counters). See decision 180.
"""

from collections.abc import Sequence

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.tallies import Tally, best_of, tally_of


def op_tally(ctx: Context, op: Op, scene: Environment) -> Value:
    tally = tally_of(op)
    sets = [ctx.value(arg, scene) for arg in op.args]
    counter = Slices.cleared(ctx, _slices_for(tally))
    for weight, cells in zip(tally.weights, sets, strict=True):
        counter.add(weight, cells)
    wanted = frozenset(n for n in range(1 << len(counter.bits)) if tally.has(n))
    members = counter.members(wanted)
    if tally.modulus:
        return members
    is_open = tally.high >= sum(tally.weights)
    return ctx.b.op("mor" if is_open else "mless", members, counter.above)


def op_best(ctx: Context, op: Op, scene: Environment) -> Value:
    (order, weights), b = best_of(op), ctx.b
    candidates, *sets = [ctx.value(arg, scene) for arg in op.args]
    counter = Slices.cleared(ctx, sum(weights).bit_length())
    for weight, cells in zip(weights, sets, strict=True):
        counter.add(weight, cells)
    for bit in reversed(counter.bits):
        better = b.op("mand" if order == "most" else "mless", candidates, bit)
        candidates = b.op("pick", b.op("many", better), better, candidates)
    return candidates


def _slices_for(tally: Tally) -> int:
    """Return the number of slices that decide a tally; larger sums are alike."""
    total = sum(tally.weights)
    if tally.modulus:
        is_power = not tally.modulus & tally.modulus - 1
        return (tally.modulus - 1 if is_power else total).bit_length()
    return max(tally.low - 1 if tally.high >= total else tally.high, 1).bit_length()


class Slices:
    """Sums of weights in bit slices; `above` has the cells with a sum that has more bits."""

    def __init__(self, ctx: Context, bits: Sequence[Value], above: Value) -> None:
        self.ctx, self.b = ctx, ctx.b
        self.bits, self.above = list(bits), above

    @classmethod
    def cleared(cls, ctx: Context, count: int) -> "Slices":
        """Return so many slices with sums of 0."""
        return cls(ctx, [ctx.b.m(0)] * count, ctx.b.m(0))

    def add(self, weight: int, cells: Value) -> None:
        """Add a weight to the sums of some cells."""
        for place in range(weight.bit_length()):
            if weight >> place & 1:
                self.add_bit(place, cells)

    def add_bit(self, place: int, carry: Value) -> None:
        """Add a power of two to the sums of some cells."""
        for i in range(place, len(self.bits)):
            bit = self.bits[i]
            self.bits[i] = self.b.op("mxor", bit, carry)
            carry = self.b.op("mand", bit, carry)
        self.above = self.b.op("mor", self.above, carry)

    def members(self, wanted: frozenset[int]) -> Value:
        """Return the cells with one of some sums, sums with more bits aside."""
        return _members(self.ctx, self.bits, wanted)

    def at_least(self, least: int) -> Value:
        """Return the cells with at least a sum that the slices can hold."""
        wanted = frozenset(range(least, 1 << len(self.bits)))
        return self.b.op("mor", self.members(wanted), self.above)


def _members(ctx: Context, bits: Sequence[Value], wanted: frozenset[int]) -> Value:
    """Return the cells with one of some numbers, decided from the highest slice down."""
    b = ctx.b
    if not wanted or len(wanted) == 1 << len(bits):
        return b.m(b.full if wanted else 0)
    *lower, top = bits
    half = 1 << len(lower)
    clear = _members(ctx, lower, frozenset(n for n in wanted if n < half))
    set_ = _members(ctx, lower, frozenset(n - half for n in wanted if n >= half))
    if clear == set_:
        return clear
    return b.op("mor", b.op("mand", top, set_), b.op("mless", clear, top))
