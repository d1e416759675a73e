"""Kernel code for the sizes of groups: large ones, and the cells that would join groups to such.

The groups around each cell are added up in bit slices, one group after the other. Groups of one or
two cells are counted only next to cells for which they may decide. See decision 187.
"""

from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.cells import image
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.tallies import Slices
from rulesengine.language.ir.ops import Op


def op_large_groups(ctx: Context, op: Op, scene: Environment) -> Value:
    assert isinstance(op.value, tuple)
    cells, least = ctx.value(op.args[0], scene), int(op.value[1])
    key = cells, least
    if key not in ctx.large_groups or not ctx.b.reaches(ctx.large_groups[key][0]):
        groups = GroupSizes(ctx, cells, least).large_and_joined()
        ctx.large_groups[key] = ctx.b.scope(), groups
    return ctx.large_groups[key][1][("alone", "joined").index(op.value[0])]


class GroupSizes:
    """The code that finds groups of a set with at least `least` cells, two or more."""

    def __init__(self, ctx: Context, cells: Value, least: int) -> None:
        self.ctx, self.b = ctx, ctx.b
        self.cells, self.least = cells, least
        self.large, self.joined = self._cleared(), self._cleared()
        self.bits = [self._cleared() for _ in range((least - 1).bit_length())]
        self.above = self._cleared()

    def large_and_joined(self) -> tuple[Value, Value]:
        """Return the groups with so many cells, and the cells that would join groups to such."""
        b = self.b
        enough = b.op("ile", b.i(self.least - 1), b.op("mcount", self.cells))
        b.when(enough, self._search)
        return b.get(self.large), b.get(self.joined)

    def _cleared(self) -> Var:
        return self.b.let(self.b.m(0))

    def _search(self) -> None:
        b = self.b
        once, twice = b.m(0), b.m(0)
        for piece in self.ctx.shape.pieces:
            moved = image(self.ctx, self.cells, piece)
            twice = b.op("mor", twice, b.op("mand", once, moved))
            once = b.op("mor", once, moved)
        inner = b.op("mand", twice, self.cells)
        big = b.op("mfill", inner, self.cells, detail=self.ctx.shape.adjacency)
        self._add_each(big)
        self._add_small(b.op("mless", self.cells, big))
        b.set(self.joined, b.op("mless", self._sums().at_least(self.least - 1), self.cells))

    def _add_small(self, small: Value) -> None:
        """Add the groups of one or two cells to the sums that they may decide."""
        b, sums = self.b, self._sums()
        most = Slices(self.ctx, sums.bits, sums.above)
        for piece in self.ctx.shape.pieces:
            most.add(2, image(self.ctx, small, piece))
        open_ = b.op("mless", most.at_least(self.least - 1), sums.at_least(self.least - 1))
        adjacent = image(self.ctx, b.op("mless", open_, self.cells), self.ctx.shape.adjacency)
        self._add_each(b.op("mand", adjacent, small))

    def _sums(self) -> Slices:
        return Slices(self.ctx, [self.b.get(bit) for bit in self.bits], self.b.get(self.above))

    def _add_each(self, some: Value) -> None:
        """Add the size of each group that has some cells to the sums of the cells around it."""
        b, adjacency = self.b, self.ctx.shape.adjacency
        left = b.let(some)

        def one() -> None:
            now = b.get(left)
            b.when(b.op("fnot", b.op("many", now)), b.leave)
            part = b.op("mfill", b.op("mpick", now, b.i(0)), self.cells, detail=adjacency)
            size = b.op("mcount", part)
            wide = b.op("ile", b.i(self.least), size)
            b.set(self.large, b.op("mor", b.get(self.large), b.op("pick", wide, part, b.m(0))))
            self._add(b.op("imin", size, b.i(self.least - 1)), image(self.ctx, part, adjacency))
            b.set(left, b.op("mless", now, part))

        b.loop(one)

    def _add(self, size: Value, around: Value) -> None:
        b, sums = self.b, self._sums()
        for place in range(len(self.bits)):
            is_set = b.op("ieq", b.op("iand", b.op("ishr", size, b.i(place)), b.i(1)), b.i(1))
            sums.add_bit(place, b.op("pick", is_set, around, b.m(0)))
        for var, value in zip((*self.bits, self.above), (*sums.bits, sums.above), strict=True):
            b.set(var, value)
