"""Runs on sets in rows, from all cells at once: rows by addition, other lines sheared upright."""

from rulesengine.engine.kernel.backends.native import lines, prefix, row_lines
from rulesengine.engine.kernel.backends.native.lines import ShiftDirection
from rulesengine.engine.kernel.backends.native.prefix import Reach
from rulesengine.engine.kernel.backends.native.row_sets import RowSets
from rulesengine.engine.kernel.backends.native.text import Body, lanes_of
from rulesengine.engine.kernel.code.form import Runs


def toward(b: Body, layout: RowSets, runs: Runs, over: str, until: str) -> str:
    """Compute `Layout.toward` for runs of any length, by axis."""
    strides = row_lines.strides_of(layout, runs.rays)
    if strides is None:
        return lines.toward(b, layout, runs, over, until)
    sets = []
    for axis in row_lines.AXES:
        directions = [sign for sign in (1, -1) if (axis[0] * sign, axis[1] * sign) in strides]
        inner = layout.op(b, "and", over, layout.const(_inner(layout, axis)))
        if directions and not axis[0]:
            sets.append(_in_rows(b, layout, inner, until, directions))
        elif directions and not axis[1]:
            sets.append(_in_columns(b, layout, inner, until, directions))
        elif directions:
            inner, ends = (_slanted(b, layout, cells, -axis[1]) for cells in (inner, until))
            upright = _in_columns(b, layout, inner, ends, directions)
            sets.append(_slanted(b, layout, upright, axis[1]))
    return layout.union(b, sets)


def _inner(layout: RowSets, axis: tuple[int, int]) -> int:
    """Return the cells with neighbours both ways along an axis; only they can be inside a run."""
    places = [divmod(place, layout.columns) for place in layout.places]
    board = set(places)
    down, right = axis
    return sum(
        1 << cell
        for cell, (row, column) in enumerate(places)
        if {(row + down, column + right), (row - down, column - right)} <= board
    )


def _slanted(b: Body, layout: RowSets, cells: str, slope: int) -> str:
    """Shear a set: rotate each row by `slope` columns per row; inner cells do not wrap around."""
    by = lanes_of(layout.lane, [slope * row % layout.width for row in range(layout.lanes)])
    name = f"llvm.fshl.v{layout.lanes}i{layout.width}"
    return b.call(layout.type, name, *((layout.type, v) for v in (cells, cells, by)))


def _in_columns(b: Body, layout: RowSets, over: str, until: str, directions: list[int]) -> str:
    """Return the cells from which a run goes down a column (a way of 1) or up."""
    sets, reach = [], Reach(1, (layout.rows - 2,))
    for direction in directions:
        # A run is traced backwards: from `until` through `over`.
        back = ShiftDirection(b, layout, (-direction, 0), None)
        sets += prefix.toward([back], reach, over, until)
    return layout.union(b, sets)


def _in_rows(b: Body, layout: RowSets, over: str, until: str, directions: list[int]) -> str:
    """Return the cells from which a run goes to higher columns (a way of 1) or to lower ones."""
    sets = []
    for direction in directions:
        if direction > 0:
            over_, until_ = (_reversed(b, layout, cells) for cells in (over, until))
            sets.append(_reversed(b, layout, _carried(b, layout, over_, until_)))
        else:
            sets.append(_carried(b, layout, over, until))
    return layout.union(b, sets)


def _carried(b: Body, layout: RowSets, over: str, until: str) -> str:
    """Return the cells that follow a cell of `until` and then at least one cell of `over`.

    A bit added at the beginning of a run carries to the cell after it and changes only the bits in
    between. Bitboard programs know this as o^(o-2r), and with reversed rows for the other direction
    as hyperbola quintessence.
    """
    start = layout.op(b, "and", layout.op(b, "shl", until, layout.splat(b, "1")), over)
    changed = layout.op(b, "xor", layout.op(b, "add", over, start), over)
    return layout.op(b, "xor", changed, start)


def _reversed(b: Body, layout: RowSets, cells: str) -> str:
    name = f"llvm.bitreverse.v{layout.lanes}i{layout.width}"
    return b.call(layout.type, name, (layout.type, cells))
