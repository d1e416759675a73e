"""Sets of cells in rows: operations along lines, and conversion to words in cell order."""

from functools import partial

from rulesengine.engine.kernel.backends.native import lines, packing, ray_walks, row_lines, row_runs
from rulesengine.engine.kernel.backends.native.layout import MANY_PIECES, Bounds, Step, Stride
from rulesengine.engine.kernel.backends.native.row_sets import RowSets
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays, Relation, RowPattern, Runs

MOST_ROWS = 64
MOST_COLUMNS = 64


class Rows(RowSets):
    """The layout `RowSets` with operations along lines."""

    def move(self, b: Body, value: str, moves: Relation) -> str:
        groups = self._grouped(moves)
        if groups is None:
            return super().move(b, value, moves)
        return self.union(b, [self.part(b, value, stride, mask) for stride, mask in groups])

    def steps_within(self, b: Body, within: str, moves: Relation) -> list[Step] | None:
        groups = self._grouped(moves)
        if groups is None:
            return super().steps_within(b, within, moves)
        return [partial(self._part_within, b, within, *group) for group in groups]

    def _part_within(self, b: Body, within: str, stride: Stride, mask: int, cells: str) -> str:
        return self.op(b, "and", self.part(b, cells, stride, mask), within)

    def _grouped(self, moves: Relation) -> list[tuple[Stride, int]] | None:
        """Return the strides of a relation with the cells that they move; None if that is no gain.

        Where rows have different numbers of cells, one stride has many differences of numbers.
        """
        if len(moves.deltas) <= MANY_PIECES:
            return None
        by_stride: dict[Stride, int] = {}
        for delta, mask in zip(moves.deltas, moves.masks, strict=True):
            for stride, cells in self.parts(delta, mask):
                by_stride[stride] = by_stride.get(stride, 0) | cells
        return list(by_stride.items()) if len(by_stride) <= MANY_PIECES else None

    # lines

    def toward(self, b: Body, runs: Runs, over: str, until: str) -> str:
        if runs.least == 1 and runs.most is None:
            return row_runs.toward(b, self, runs, over, until)
        return lines.toward(b, self, runs, over, until)

    def slide(self, b: Body, rays: Rays, start: str, through: str) -> str:
        return lines.slide(b, self, rays, start, through)

    def between(
        self, b: Body, rays: Rays, cell: str, over: str, until: str, low: str, high: str
    ) -> str:
        strides = row_lines.strides_of(self, rays)
        if strides is None:
            return ray_walks.between(b, self, rays, cell, over, until, Bounds(low, high))
        return row_lines.between(b, self, strides, cell, over, until, (low, high))

    def row_in(self, b: Body, value: str, row: RowPattern) -> str:
        return lines.row_in(b, self, value, row)

    def load(self, b: Body, pointer: str) -> str:
        name = b.pool.helper("@h.unpack", lambda: packing.unpack_text(self))
        return b.let(f"call fastcc {self.type} {name}(ptr {pointer})")

    def store(self, b: Body, value: str, pointer: str) -> None:
        name = b.pool.helper("@h.pack", lambda: packing.pack_text(self))
        b.do(f"call fastcc void {name}({self.type} {value}, ptr {pointer})")
