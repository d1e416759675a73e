"""Kernel code for sets of cells, single cells and directions."""

from collections.abc import Callable, Sequence
from functools import partial

from rulesengine.board.coordinates import label
from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Relation, Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.occupancy import content_of, whole_planes
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role


def op_and(ctx: Context, op: Op, scene: Environment) -> Value:
    planes = whole_planes(ctx, op, scene)
    if planes is not None:
        return planes
    result = ctx.b.m(ctx.b.full)
    for value in _sets(ctx, op.args, scene):
        result = ctx.b.op("mand", result, value)
    return result


def _sets(ctx: Context, args: Sequence[Op], scene: Environment) -> list[Value]:
    """Return the values of sets; those with the longest code are computed first.

    That order needs the fewest live values (Sethi and Ullman, "The generation of optimal code for
    arithmetic expressions", JACM 17, 1970).
    """
    order = sorted(range(len(args)), key=lambda place: -ctx.facts.steps(args[place]))
    sets = {place: ctx.value(args[place], scene) for place in order}
    return [sets[place] for place in range(len(args))]


def op_or(ctx: Context, op: Op, scene: Environment) -> Value:
    planes = whole_planes(ctx, op, scene)
    return planes if planes is not None else union(ctx, _sets(ctx, op.args, scene))


def op_minus(ctx: Context, op: Op, scene: Environment) -> Value:
    if not content_of(ctx, op.args[0], scene) & content_of(ctx, op.args[1], scene):
        return ctx.value(op.args[0], scene)
    planes = whole_planes(ctx, op, scene)
    if planes is not None:
        return planes
    left, right = _sets(ctx, op.args, scene)
    return ctx.b.op("mless", left, right)


def op_not(ctx: Context, op: Op, scene: Environment) -> Value:
    planes = whole_planes(ctx, op, scene)
    return planes if planes is not None else ctx.b.op("mnot", ctx.value(op.args[0], scene))


def op_single(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("mcell", ctx.value(op.args[0], scene))


def op_shift(ctx: Context, op: Op, scene: Environment) -> Value:
    cell = _stepped(ctx, op, scene)
    if cell is not None:
        return ctx.b.op("mcell", cell)
    mask = ctx.value(op.args[0], scene)
    for arg in op.args[1:]:
        mask = along(ctx, ctx.value(arg, scene), mask, partial(one_step, ctx))
    return mask


def _stepped(ctx: Context, op: Op, scene: Environment) -> Value | None:
    """Return the cell, or -1, reached by single steps from one cell; None if it is constant."""
    if has_role(op, "singleton"):
        return ctx.value(op.args[0], scene)
    if not has_role(op, "shift") or not all(has_role(a, "singleton") for a in op.args[1:]):
        return None
    cell = _stepped(ctx, op.args[0], scene)
    directions = [ctx.value(a.args[0], scene) for a in op.args[1:]] if cell is not None else []
    if cell is None or all(direction.constant is not None for direction in directions):
        return None
    for direction in directions:
        cell = _next_cell(ctx, cell, direction)
    return cell


def _next_cell(ctx: Context, cell: Value, direction: Value) -> Value:
    def lookup() -> Value:
        start = ctx.b.op("imul", direction, ctx.b.i(ctx.shape.cells))
        index = ctx.b.op("iadd", start, cell)
        return ctx.b.op("ilook", index, detail=ctx.shape.next_cells)

    if ctx.is_on_board(cell):
        return lookup()
    return ctx.b.choose(ctx.b.op("ile", ctx.b.i(0), cell), lookup, lambda: ctx.b.i(-1))


def one_step(ctx: Context, mask: Value, directions: int) -> Value:
    """Return the cells one step away in any of the directions."""
    return image(ctx, mask, ctx.shape.step(directions))


def image(ctx: Context, mask: Value, moves: Relation) -> Value:
    known = mask.constant
    if known is not None:
        pairs = zip(moves.deltas, moves.masks, strict=True)
        cells = 0
        for delta, of in pairs:
            cells |= (known & of) << delta if delta >= 0 else (known & of) >> -delta
        return ctx.b.m(cells)
    return ctx.b.op("mmove", mask, detail=moves) if moves.deltas else ctx.b.m(0)


def along(
    ctx: Context, directions: Value, mask: Value, work: Callable[[Value, int], Value]
) -> Value:
    """Apply `work` along a set of directions, one by one if the set is not constant."""
    if directions.constant is not None:
        return work(mask, directions.constant & ctx.shape.every)
    result = ctx.b.m(0)
    for d in cells_of(ctx.shape.every):
        on = has_direction(ctx, ctx.b.i(d), directions)
        part = ctx.b.choose(on, lambda d=d: work(mask, 1 << d), lambda: ctx.b.m(0))  # type: ignore[misc]
        result = ctx.b.op("mor", result, part)
    return result


def op_neighbours(ctx: Context, op: Op, scene: Environment) -> Value:
    mask = ctx.value(op.args[0], scene)
    if len(op.args) > 1:
        return along(ctx, ctx.value(op.args[1], scene), mask, partial(one_step, ctx))
    return image(ctx, mask, ctx.shape.adjacency)


def op_back(ctx: Context, op: Op, scene: Environment) -> Value:
    mask = ctx.value(op.args[0], scene)
    for arg in reversed(op.args[1:]):
        directions = ctx.value(arg, scene)
        mask = along(ctx, directions, mask, lambda m, d: image(ctx, m, ctx.shape.back(d)))
    return mask


def op_rows(ctx: Context, op: Op, scene: Environment) -> Value:
    return _band(ctx, op, scene, 0)


def op_columns(ctx: Context, op: Op, scene: Environment) -> Value:
    return _band(ctx, op, scene, 1)


def _band(ctx: Context, op: Op, scene: Environment, axis: int) -> Value:
    """Return the cells of a band: those up to its upper bound without those
    below its lower bound.
    """
    low, high = (ctx.value(a, scene) for a in op.args)
    if low.constant is not None and high.constant is not None:
        return ctx.b.m(_below(ctx, axis, high.constant + 1) & ~_below(ctx, axis, low.constant))
    places = [place[axis] for place in ctx.program.topology.coordinates]
    first, end = min(places), max(places) + 1
    table = Table("m", tuple(_below(ctx, axis, k) for k in range(first, end + 1)))

    def below(bound: Value) -> Value:
        cut = ctx.b.op("imin", ctx.b.op("imax", bound, ctx.b.i(first)), ctx.b.i(end))
        return ctx.b.op("mlook", ctx.b.op("isub", cut, ctx.b.i(first)), detail=table)

    top = ctx.b.op("imin", high, ctx.b.i(end))
    return ctx.b.op("mless", below(ctx.b.op("iadd", top, ctx.b.i(1))), below(low))


def _below(ctx: Context, axis: int, bound: int) -> int:
    places = enumerate(ctx.program.topology.coordinates)
    return sum(1 << cell for cell, place in places if place[axis] < bound)


def op_count(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("mcount", ctx.value(op.args[0], scene))


def op_first(ctx: Context, op: Op, scene: Environment) -> Value:
    return _end(ctx, op, scene, "mfirst")


def op_last(ctx: Context, op: Op, scene: Environment) -> Value:
    return _end(ctx, op, scene, "mlast")


def _end(ctx: Context, op: Op, scene: Environment, name: str) -> Value:
    mask = ctx.value(op.args[0], scene)
    there = ctx.b.op("many", mask)
    ctx.fail_unless(there)
    cell = ctx.b.choose(there, lambda: ctx.b.op(name, mask), lambda: ctx.b.i(0))
    ctx.cells_on_board.add(cell)
    return cell


def op_member(ctx: Context, op: Op, scene: Environment) -> Value:
    cell, cells = (ctx.value(a, scene) for a in op.args)
    return is_in(ctx, cell, cells)


def is_in(ctx: Context, cell: Value, cells: Value) -> Value:
    if ctx.is_on_board(cell):
        return ctx.b.op("mhas", cells, cell)
    return ctx.b.op("many", ctx.b.op("mand", cells, ctx.b.op("mcell", cell)))


def op_inside(ctx: Context, op: Op, scene: Environment) -> Value:
    left, right = (ctx.value(a, scene) for a in op.args)
    return ctx.b.op("fnot", ctx.b.op("many", ctx.b.op("mless", left, right)))


def op_has_direction(ctx: Context, op: Op, scene: Environment) -> Value:
    direction, directions = (ctx.value(a, scene) for a in op.args)
    return has_direction(ctx, direction, directions)


def has_direction(ctx: Context, direction: Value, directions: Value) -> Value:
    if direction.constant is not None and directions.constant is not None:
        return ctx.b.f(bool(directions.constant >> direction.constant & 1))
    bit = ctx.b.op("ishr", directions, direction)
    return ctx.b.op("ieq", ctx.b.op("iand", bit, ctx.b.i(1)), ctx.b.i(1))


def op_at(ctx: Context, op: Op, scene: Environment) -> Value:
    row, column = (ctx.value(a, scene) for a in op.args)
    places = {p: c for c, p in enumerate(ctx.program.topology.coordinates)}
    bounds = [(min(p[i] for p in places), max(p[i] for p in places)) for i in (0, 1)]
    (top, bottom), (left, right) = bounds
    table = Table(
        "i",
        tuple(
            places.get((r, c), -1) for r in range(top, bottom + 1) for c in range(left, right + 1)
        ),
    )
    on = ctx.b.op("fand", is_between(ctx, row, top, bottom), is_between(ctx, column, left, right))

    def lookup() -> Value:
        line = ctx.b.op("imul", ctx.b.op("isub", row, ctx.b.i(top)), ctx.b.i(right - left + 1))
        index = ctx.b.op("iadd", line, ctx.b.op("isub", column, ctx.b.i(left)))
        return ctx.b.op("ilook", index, detail=table)

    cell = ctx.b.choose(on, lookup, lambda: ctx.b.i(-1))
    ctx.fail_unless(ctx.b.op("ile", ctx.b.i(0), cell))
    return cell


def is_between(ctx: Context, value: Value, low: int, high: int) -> Value:
    above = ctx.b.op("ile", ctx.b.i(low), value)
    return ctx.b.op("fand", above, ctx.b.op("ile", value, ctx.b.i(high)))


def op_row(ctx: Context, op: Op, scene: Environment) -> Value:
    return _place(ctx, op, scene, ctx.shape.coordinate(0, False))


def op_column(ctx: Context, op: Op, scene: Environment) -> Value:
    return _place(ctx, op, scene, ctx.shape.coordinate(1, False))


def op_screen_row(ctx: Context, op: Op, scene: Environment) -> Value:
    return _place(ctx, op, scene, ctx.shape.coordinate(0, True))


def op_screen_column(ctx: Context, op: Op, scene: Environment) -> Value:
    return _place(ctx, op, scene, ctx.shape.coordinate(1, True))


def op_row_label(ctx: Context, op: Op, scene: Environment) -> Value:
    return _labelled(ctx, op, scene, 0, ctx.rules.notation.rows)


def op_column_label(ctx: Context, op: Op, scene: Environment) -> Value:
    return _labelled(ctx, op, scene, 1, ctx.rules.notation.columns)


def _labelled(ctx: Context, op: Op, scene: Environment, axis: int, labels: str) -> Value:
    """Return the number of the label of a cell's row or column."""
    places = ctx.program.topology.coordinates
    numbers = tuple(ctx.text_number(label(place[axis], labels)) for place in places)
    return _place(ctx, op, scene, Table("i", numbers))


def _place(ctx: Context, op: Op, scene: Environment, table: Table) -> Value:
    cell = ctx.value(op.args[0], scene)
    if cell.constant is not None and cell.constant >= 0:
        return ctx.b.i(table.items[cell.constant])
    if not ctx.is_on_board(cell):
        on = ctx.b.op("ile", ctx.b.i(0), cell)
        ctx.fail_unless(on)
        cell = ctx.b.op("imax", cell, ctx.b.i(0))
    return ctx.b.op("ilook", cell, detail=table)


def op_just(ctx: Context, op: Op, scene: Environment) -> Value:
    direction = ctx.value(op.args[0], scene)
    return ctx.b.op("ishl", ctx.b.i(1), direction)


def op_all_directions(ctx: Context, op: Op, scene: Environment) -> Value:
    result = ctx.b.i(0)
    for arg in op.args:
        value = ctx.value(arg, scene)
        if value.constant is not None and result.constant is not None:
            result = ctx.b.i(value.constant | result.constant)
        else:
            result = ctx.b.op("ior", result, value)
    return result


def op_opposite(ctx: Context, op: Op, scene: Environment) -> Value:
    directions = ctx.value(op.args[0], scene)
    if directions.constant is not None:
        return ctx.b.i(ctx.shape.opposite(directions.constant))
    result = ctx.b.i(0)
    for d in cells_of(ctx.shape.every):
        on = has_direction(ctx, ctx.b.i(d), directions)
        turned = ctx.b.i(ctx.shape.opposite(1 << d))
        result = ctx.b.op("ior", result, ctx.b.op("pick", on, turned, ctx.b.i(0)))
    return result


def op_turned(ctx: Context, op: Op, scene: Environment) -> Value:
    directions, steps = (ctx.value(arg, scene) for arg in op.args)
    if directions.constant is not None and steps.constant is not None:
        return ctx.b.i(ctx.shape.turned(directions.constant, steps.constant))
    result = ctx.b.i(0)
    for d in cells_of(ctx.shape.every):
        on = has_direction(ctx, ctx.b.i(d), directions)
        bit = ctx.b.op("ishl", ctx.b.i(1), _turned(ctx, ctx.b.i(d), steps))
        result = ctx.b.op("ior", result, ctx.b.op("pick", on, bit, ctx.b.i(0)))
    return result


def op_turned_one(ctx: Context, op: Op, scene: Environment) -> Value:
    direction, steps = (ctx.value(arg, scene) for arg in op.args)
    return _turned(ctx, direction, steps)


def _turned(ctx: Context, direction: Value, steps: Value) -> Value:
    """Return a direction turned clockwise by a number of steps, by a table of all turns."""
    turns, b = ctx.shape.turns, ctx.b
    if steps.constant is not None:
        row = turns[steps.constant % len(turns)]
        if direction.constant is not None:
            return b.i(row[direction.constant])
        return b.op("ilook", direction, detail=Table("i", row))
    begin = b.op("imul", b.op("cmod", steps, b.i(len(turns))), b.i(len(turns[0])))
    table = Table("i", tuple(way for row in turns for way in row))
    return b.op("ilook", b.op("iadd", begin, direction), detail=table)
