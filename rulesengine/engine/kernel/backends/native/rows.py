"""Sets of cells in rows: operations along lines, and conversion to words in cell order."""

from rulesengine.engine.kernel.backends.native import lines, packing, ray_walks, row_lines, row_runs
from rulesengine.engine.kernel.backends.native.layout import Bounds
from rulesengine.engine.kernel.backends.native.row_sets import RowSets
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays, RowPattern, Runs

MOST_ROWS = 64
MOST_COLUMNS = 64


class Rows(RowSets):
    """The layout `RowSets` with operations along lines."""

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
