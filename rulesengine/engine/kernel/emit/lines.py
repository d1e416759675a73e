"""Kernel code for lines and fills."""

from functools import partial
from itertools import starmap

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.cells import along, image, one_step
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.rays import optional_directions
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import Op
from rulesengine.support.frozen import record

_AxisLines = tuple[tuple[tuple[int, ...], bool], ...]


@record
class _Axis:
    """The lines of an axis, each with a flag that is true for a ring.

    `pair` has the bits of the two directions of the axis; it is 0 if they have none.
    """

    pair: int
    lines: _AxisLines


def some_line(ctx: Context, op: Op, scene: Environment) -> Value:
    """Return a flag for any line: all straight axes in one instruction, others one by one."""
    mask, low, high = (ctx.value(a, scene) for a in op.args[:3])
    chosen = optional_directions(ctx, op, 3, scene).constant
    longest = max((len(line) for _, lines in ctx.shape.axes for line, _ in lines), default=0)
    axes = ctx.shape.straight(chosen) if chosen is not None else ()
    bounded = low.constant is None or high.constant is None or high.constant < longest
    if bounded or not axes or (low.constant or 0) < 2:
        return ctx.b.op("many", _lines(ctx, op, scene, first_cells=True))
    flag = ctx.b.op("mrow", mask, detail=ctx.shape.in_row(low.constant or 0, axes))
    return ctx.b.op("for", flag, ctx.b.op("many", _lines(ctx, op, scene, True, axes)))


def op_line(ctx: Context, op: Op, scene: Environment) -> Value:
    return _lines(ctx, op, scene, first_cells=False)


def _lines(
    ctx: Context, op: Op, scene: Environment, first_cells: bool, but: tuple[int, ...] = ()
) -> Value:
    """Return the cells of the lines of a set, except some axes; `first_cells` allows a subset."""
    mask, low, high = (ctx.value(a, scene) for a in op.args[:3])
    chosen = optional_directions(ctx, op, 3, scene) if len(op.args) > 3 else None
    if low.constant is None or high.constant is None:
        return _line_of_any_length(ctx, mask, low, high, chosen)
    result = ctx.b.m(0)
    for axis in starmap(_Axis, ctx.shape.axes):
        if axis.pair in but:
            continue
        part = _on_axis(ctx, mask, axis, low.constant, high.constant, chosen, first_cells)
        result = ctx.b.op("mor", result, part)
    return result


def _on_axis(
    ctx: Context,
    mask: Value,
    axis: _Axis,
    low: int,
    high: int,
    chosen: Value | None,
    begins: bool,
) -> Value:
    """Return the cells of rows of a length from low to high along one axis, if it is chosen."""
    pair = axis.pair

    def rows() -> Value:
        if pair and _are_apart(axis.lines):
            return _rows_between(ctx, mask, axis, low, high, begins)
        # A cell may be in a row on one line and in a longer one on another.
        single = [_Axis(0, (line,)) for line in axis.lines]
        return union(ctx, [_rows_between(ctx, mask, one, low, high, begins) for one in single])

    if chosen is None:
        return rows()
    if not pair:
        return ctx.b.m(0)
    if chosen.constant is not None:
        return rows() if chosen.constant & pair or chosen.constant == -1 else ctx.b.m(0)
    zero = ctx.b.op("ieq", ctx.b.op("iand", chosen, ctx.b.i(pair)), ctx.b.i(0))
    return ctx.b.choose(zero, lambda: ctx.b.m(0), rows)


def _rows_between(
    ctx: Context, mask: Value, axis: _Axis, low: int, high: int, begins: bool
) -> Value:
    """Return the cells of rows of a length from low to high.

    With `begins` at least the first cell of each row is in the result, except for a full ring,
    which has no first cell.
    """
    low, more = max(low, 1), max(high, 0) + 1
    if more > max((len(line) for line, _ in axis.lines), default=0):
        return _rows_of(ctx, mask, axis, low, begins)
    if begins and axis.pair and not any(closed for _, closed in axis.lines):
        return _first_cells(ctx, mask, cells_of(axis.pair)[0], low, more)
    part = _rows_of(ctx, mask, axis, low, False)
    return ctx.b.op("mless", part, _rows_of(ctx, mask, axis, more, False))


def _first_cells(ctx: Context, mask: Value, direction: int, low: int, more: int) -> Value:
    """Return the first cells of rows with at least `low` cells and fewer than `more`.

    The cell before is not in the set, and the number of cells that follow is in this range.
    See decision 090.
    """
    before = image(ctx, mask, ctx.shape.leap(direction, 1, ahead=True))
    begin = ctx.b.op("mless", _begins(ctx, mask, direction, low), before)
    return ctx.b.op("mless", begin, _begins(ctx, mask, direction, more))


def _rows_of(ctx: Context, mask: Value, axis: _Axis, low: int, begins: bool) -> Value:
    """Return the cells of rows of at least `low` cells."""
    pair, lines = axis.pair, axis.lines
    fitting = [(line, closed) for line, closed in lines if len(line) >= low]
    if not fitting:
        return ctx.b.m(0)
    if low == 1:
        return ctx.b.op("mand", mask, ctx.b.m(_all_of([line for line, _ in lines])))
    if pair and len(fitting) == len([x for x in lines if x[1]]) + len(
        [x for x in fitting if not x[1]]
    ):
        return _rows_by_steps(ctx, mask, cells_of(pair)[0], low, begins)
    result = ctx.b.m(0)
    for line, closed in fitting:
        ends = len(line) if closed else len(line) - low + 1
        for i in range(ends):
            row = ctx.b.m(sum(1 << (line + line)[i + k] for k in range(low)))
            is_full = ctx.b.op("meq", ctx.b.op("mand", mask, row), row)
            result = ctx.b.op("mor", result, ctx.b.op("pick", is_full, row, ctx.b.m(0)))
    return result


def _rows_by_steps(ctx: Context, mask: Value, direction: int, low: int, begins: bool) -> Value:
    """Return the cells of rows of `low` cells, or only the first cells with `begins`."""
    begin = _begins(ctx, mask, direction, low)
    return begin if begins else _doubled(ctx, "mor", begin, direction, low, ahead=True)


def _begins(ctx: Context, mask: Value, direction: int, low: int) -> Value:
    """Return the first cells of rows of that many cells."""
    return _doubled(ctx, "mand", mask, direction, low, ahead=False)


def _doubled(
    ctx: Context, join: str, cells: Value, direction: int, count: int, *, ahead: bool
) -> Value:
    """Combine `count` copies of a set, shifted by 0, 1, ... steps, by parallel prefix doubling."""
    length = 1
    while length < count:
        step = min(length, count - length)
        moved = image(ctx, cells, ctx.shape.leap(direction, step, ahead=ahead))
        cells = ctx.b.op(join, cells, moved)
        length += step
    return cells


def _line_of_any_length(
    ctx: Context, mask: Value, low: Value, high: Value, chosen: Value | None
) -> Value:
    """Return the rows between bounds that are not constant: each possible length separately."""
    longest = max((len(line) for _, lines in ctx.shape.axes for line, _ in lines), default=0)
    result = ctx.b.m(0)
    for length in range(1, longest + 1):
        at_least = ctx.b.op("ile", low, ctx.b.i(length))
        on = ctx.b.op("fand", at_least, ctx.b.op("ile", ctx.b.i(length), high))

        def rows(length: int = length) -> Value:
            part = ctx.b.m(0)
            for axis in starmap(_Axis, ctx.shape.axes):
                more = _on_axis(ctx, mask, axis, length, length, chosen, False)
                part = ctx.b.op("mor", part, more)
            return part

        result = ctx.b.op("mor", result, ctx.b.choose(on, rows, lambda: ctx.b.m(0)))
    return result


def op_fill(ctx: Context, op: Op, scene: Environment) -> Value:
    seeds, within = (ctx.value(a, scene) for a in op.args[:2])
    if len(op.args) < 3:
        return ctx.b.op("mfill", seeds, within, detail=ctx.shape.adjacency)
    directions = ctx.value(op.args[2], scene)
    if directions.constant == -1:
        return ctx.b.op("mfill", seeds, within, detail=ctx.shape.adjacency)
    if directions.constant is not None:
        steps = ctx.shape.step(directions.constant)
        return ctx.b.op("mfill", seeds, within, detail=steps)
    return _fill_by_steps(ctx, seeds, within, directions)


def _fill_by_steps(ctx: Context, seeds: Value, within: Value, directions: Value) -> Value:
    new = ctx.b.let(ctx.b.op("mand", seeds, within))
    reached = ctx.b.let(ctx.b.m(0))

    def grow() -> None:
        last = ctx.b.get(new)
        ctx.b.when(ctx.b.op("fnot", ctx.b.op("many", last)), ctx.b.leave)
        filled = ctx.b.op("mor", ctx.b.get(reached), last)
        ctx.b.set(reached, filled)
        adjacent = ctx.b.op("mand", along(ctx, directions, last, partial(one_step, ctx)), within)
        ctx.b.set(new, ctx.b.op("mless", adjacent, filled))

    ctx.b.loop(grow)
    return ctx.b.get(reached)


def _are_apart(lines: _AxisLines) -> bool:
    """True if no cell is on two of the lines."""
    cells = [cell for line, _ in lines for cell in line]
    return len(cells) == len(set(cells))


def _all_of(lines: list[tuple[int, ...]]) -> int:
    mask = 0
    for line in lines:
        for cell in line:
            mask |= 1 << cell
    return mask
