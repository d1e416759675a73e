"""Sets in rows: the lines through a cell, each extracted into one word."""

from rulesengine.engine.kernel.backends.native.layout import Stride
from rulesengine.engine.kernel.backends.native.row_sets import RowSets
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays

AXES = ((0, 1), (1, 0), (1, 1), (1, -1))


def strides_of(layout: RowSets, rays: Rays) -> list[Stride] | None:
    """Return the strides of the directions, or None if this module cannot process them.

    Each must be a step to one of the eight neighbours, with rays that end at the edge of the board.
    """
    if layout.lanes > 64:
        return None
    strides = [layout.stride(step) for step in rays.steps if step.deltas]
    good = [s for s in strides if s is not None and (s in AXES or (-s[0], -s[1]) in AXES)]
    if len(good) < len(rays.steps) or len(set(good)) < len(good):
        return None
    pairs = zip(good, rays.cells, strict=True)
    return good if all(_reaches(layout, stride, cells) for stride, cells in pairs) else None


def _reaches(layout: RowSets, stride: Stride, rays: tuple[tuple[int, ...], ...]) -> bool:
    places = [divmod(place, layout.columns) for place in layout.places]
    board = set(places)
    return all(
        (places[last][0] + stride[0], places[last][1] + stride[1]) not in board
        for last in (ray[-1] if ray else cell for cell, ray in enumerate(rays))
    )


def between(
    b: Body,
    layout: RowSets,
    strides: list[Stride],
    cell: str,
    over: str,
    until: str,
    bounds: tuple[str, str],
) -> str:
    """Extract each line through the cell into a word, and deposit the result."""
    sure = ("place", cell) in b.facts
    there = b.let(f"icmp sge i64 {cell}, 0")
    row, column = layout.place(b, cell if sure else b.let(f"select i1 {there}, i64 {cell}, i64 0"))
    row_sets = []
    for axis in AXES:
        directions = [sign for sign in (1, -1) if (axis[0] * sign, axis[1] * sign) in strides]
        if directions and not axis[0]:
            sets = layout.row(b, over, row), layout.row(b, until, row)
            cells = _bracketed(b, sets, column, directions, bounds)
            row_sets.append(layout.in_row(b, row, cells))
        elif directions:
            row_sets.append(
                _across(b, layout, axis[1], (row, column), (over, until), directions, bounds)
            )
    joined = layout.union(b, row_sets)
    if sure:
        return joined
    empty = layout.const(0)
    return b.let(f"select i1 {there}, {layout.type} {joined}, {layout.type} {empty}")


def _across(
    b: Body,
    layout: RowSets,
    slope: int,
    place: tuple[str, str],
    sets: tuple[str, str],
    directions: list[int],
    bounds: tuple[str, str],
) -> str:
    """Compute the result on the line through a cell that moves `slope` columns a row."""
    line = _line(b, layout, slope, place)
    over, until = (_extract_line(b, layout, line, cells) for cells in sets)
    cells = _bracketed(b, (over, until), place[0], directions, bounds)
    bits = cells if layout.lanes == 64 else b.let(f"trunc i64 {cells} to i{layout.lanes}")
    flags = b.let(f"bitcast i{layout.lanes} {bits} to <{layout.lanes} x i1>")
    return layout.choose(b, flags, line)


def _line(b: Body, layout: RowSets, slope: int, place: tuple[str, str]) -> str:
    """Return the cells of a line, one in each lane; none in lanes beyond the board."""
    row, column = place
    if not slope:
        one = b.let(f"shl i64 1, {b.let(f'and i64 {column}, 63')}")
        return layout.splat(b, layout.narrow(b, one))
    at_top = b.let(f"{'sub' if slope > 0 else 'add'} i64 {column}, {row}")
    top = layout.splat(b, layout.narrow(b, at_top))
    columns = layout.op(b, "add" if slope > 0 else "sub", top, layout.iota())
    inside = b.let(f"icmp ult {layout.type} {columns}, {layout.splat(b, str(layout.width))}")
    return layout.choose(b, inside, layout.op(b, "shl", layout.splat(b, "1"), columns))


def _extract_line(b: Body, layout: RowSets, line: str, cells: str) -> str:
    """Extract a line of a set: a bit for each row."""
    common = layout.op(b, "and", line, cells)
    flags = b.let(f"icmp ne {layout.type} {common}, zeroinitializer")
    bits = b.let(f"bitcast <{layout.lanes} x i1> {flags} to i{layout.lanes}")
    return bits if layout.lanes == 64 else b.let(f"zext i{layout.lanes} {bits} to i64")


def _bracketed(
    b: Body, sets: tuple[str, str], place: str, directions: list[int], bounds: tuple[str, str]
) -> str:
    """Return the bits of the first set next to a bit, up or down, up to a bit of the second set."""
    outside = b.let(f"xor i64 {sets[0]}, -1")
    cells = "0"
    for direction in directions:
        end, near = (_up if direction > 0 else _down)(b, outside, sets[1], place)
        fine = b.let(f"icmp ne i64 {end}, 0")
        fine = _counted(b, fine, near, bounds)
        masked = b.let(f"select i1 {fine}, i64 {near}, i64 0")
        cells = b.let(f"or i64 {cells}, {masked}")
    return cells


def _up(b: Body, outside: str, until: str, place: str) -> tuple[str, str]:
    above = b.let(f"shl i64 -2, {place}")
    beyond = b.let(f"and i64 {outside}, {above}")
    lowest = b.let(f"and i64 {beyond}, {b.let(f'sub i64 0, {beyond}')}")
    near = b.let(f"and i64 {b.let(f'sub i64 {lowest}, 1')}, {above}")
    return b.let(f"and i64 {lowest}, {until}"), near


def _down(b: Body, outside: str, until: str, place: str) -> tuple[str, str]:
    """Search downwards, on bits shifted up by one; bit 0 is a sentinel that is not in `until`."""
    below = b.let(f"sub i64 {b.let(f'shl i64 1, {place}')}, 1")
    beyond = b.let(f"and i64 {outside}, {below}")
    guarded = b.let(f"or i64 {b.let(f'shl i64 {beyond}, 1')}, 1")
    zeros = b.call("i64", "llvm.ctlz.i64", ("i64", guarded), ("i1", "true"))
    highest = b.let(f"lshr i64 {-(2**63)}, {zeros}")
    end = b.let(f"and i64 {highest}, {b.let(f'shl i64 {until}, 1')}")
    return end, b.let(f"and i64 {below}, {b.let(f'sub i64 0, {highest}')}")


def _counted(b: Body, flag: str, cells: str, bounds: tuple[str, str]) -> str:
    low, high = bounds
    if low.isdecimal() and int(low) <= 1 and high.isdecimal() and int(high) >= 63:
        return flag
    number = b.call("i64", "llvm.ctpop.i64", ("i64", cells))
    for test, bound in (("sge", low), ("sle", high)):
        flag = b.let(f"and i1 {flag}, {b.let(f'icmp {test} i64 {number}, {bound}')}")
    return flag
