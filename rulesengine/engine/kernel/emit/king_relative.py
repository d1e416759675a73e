"""Kernel code for the sum of the weights of king-relative tables: `KingRelative.entries`."""

from collections.abc import Sequence
from functools import partial

from rulesengine.engine.drivers.memory import WORD
from rulesengine.engine.kernel.code.form import Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.patterns.king_relative import KingRelative

_PLACE = WORD.bit_length() - 1  # the shift from a word index to a byte offset


def total_of(ctx: Context, at: Position, weights: Value, tables: KingRelative) -> Value:
    """Return the sum of the weights of a state.

    The side to move must be constant.
    """
    return _Total(ctx, at, weights, tables).value()


def word_at(ctx: Context, memory: Value, place: Value) -> Value:
    """Return the signed word of memory at an index."""
    b = ctx.b
    return b.op("usign", b.read("load64", memory, b.op("ishl", place, b.i(_PLACE))))


class _Total:
    """A sum over pieces: of their weights in the rows for the phase and for each royal piece."""

    def __init__(self, ctx: Context, at: Position, weights: Value, tables: KingRelative) -> None:
        assert at.side.constant is not None
        self._ctx, self._at, self._weights, self._tables = ctx, at, weights, tables
        self._side = at.side.constant
        self._turned = Table("i", tables.turned)
        self._sum = ctx.b.let(ctx.b.i(0))

    def value(self) -> Value:
        b, tables = self._ctx.b, self._tables
        rows = [b.op("imul", self._phase(), b.i(tables.row)), self._row(0), self._row(1)]
        for number, piece in enumerate(tables.pieces):
            first = number * len(tables.turned)
            starts = [b.op("iadd", row, b.i(first)) for row in rows]
            b.bits(self._plane(piece[self._side]), partial(self._add, starts))
        return b.get(self._sum)

    def _row(self, player: int) -> Value:
        """Return the row of the royal piece of the viewer (0) or the other player (1)."""
        b, tables = self._ctx.b, self._tables
        royal = b.op("mor", self._plane(tables.royal[self._side ^ player]), b.m(1))
        row = b.op("imul", self._seen(b.op("mlast", royal)), b.i(tables.row))
        return b.op("iadd", b.i(tables.relative(player)), row)

    def _add(self, starts: Sequence[Value], cell: Value) -> None:
        """Add the weights of a piece."""
        b, piece = self._ctx.b, self._seen(cell)
        total = b.get(self._sum)
        for start in starts:
            weight = word_at(self._ctx, self._weights, b.op("iadd", start, piece))
            total = b.op("iadd", total, weight)
        b.set(self._sum, total)

    def _phase(self) -> Value:
        b, tables, occupied = self._ctx.b, self._tables, self._ctx.b.m(0)
        for piece in tables.pieces:
            occupied = b.op("mor", occupied, self._plane(piece[self._side]))
        cells = range(len(tables.turned) + 1)
        phases = Table("i", tuple(map(tables.phase, cells)))
        return b.op("ilook", b.op("mcount", occupied), detail=phases)

    def _seen(self, cell: Value) -> Value:
        """Return the cell that the viewer sees in the place of a cell."""
        return self._ctx.b.op("ilook", cell, detail=self._turned) if self._side else cell

    def _plane(self, number: int) -> Value:
        """Return a plane, empty if it has no symbol."""
        planes = self._ctx.layout.planes
        is_known = number in planes
        return self._at.planes[planes.index(number)] if is_known else self._ctx.b.m(0)
