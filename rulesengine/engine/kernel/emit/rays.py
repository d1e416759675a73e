"""Kernel code for runs and slides."""

from collections.abc import Callable

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Runs, Value
from rulesengine.engine.kernel.emit.cells import along, image
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role


def op_slide(ctx: Context, op: Op, scene: Environment) -> Value:
    start, directions, through = (ctx.value(a, scene) for a in op.args)
    return along(ctx, directions, start, lambda s, d: _slide(ctx, s, d, through))


def _slide(ctx: Context, start: Value, directions: int, through: Value) -> Value:
    rays = ctx.shape.rays(directions)
    if not rays.cells:
        return ctx.b.m(0)
    if not rays.cyclic:
        return ctx.b.op("mslide", start, through, detail=rays)
    # A cyclic line: as far as `through` extends, but never back to the start.
    blocked = ctx.b.op("mnot", through)
    all_cells = ctx.b.m(ctx.b.full)

    def one(cell: Value) -> Value:
        cells = ctx.b.m(0)
        for d in cells_of(directions):
            cells = ctx.b.op("mor", cells, _slide_one(ctx, cell, d, through, blocked, all_cells))
        return cells

    return union_over(ctx, start, one)


def _slide_one(
    ctx: Context, cell: Value, direction: int, through: Value, blocked: Value, all_cells: Value
) -> Value:
    """Slide step by step, at most once around."""
    cells, at = ctx.b.let(ctx.b.m(0)), ctx.b.let(ctx.b.op("mcell", cell))
    start = ctx.b.op("mcell", cell)
    moves = ctx.shape.step(1 << direction)

    def on() -> None:
        new = ctx.b.op("mless", ctx.b.op("mand", image(ctx, ctx.b.get(at), moves), through), start)
        visited = ctx.b.get(cells)
        new = ctx.b.op("mless", new, visited)
        ctx.b.when(ctx.b.op("fnot", ctx.b.op("many", new)), ctx.b.leave)
        ctx.b.set(cells, ctx.b.op("mor", visited, new))
        ctx.b.set(at, new)

    ctx.b.loop(on)
    return ctx.b.get(cells)


def op_toward(ctx: Context, op: Op, scene: Environment) -> Value:
    """Emit `toward`; a pass has verified that in each direction all longest lines are alike."""
    over, until, low, high, directions = (ctx.value(a, scene) for a in op.args)
    assert low.constant is not None
    assert high.constant is not None
    least, bound = low.constant, high.constant

    def one(cells: Value, ways: int) -> Value:
        rays = ctx.shape.rays(ways)
        longest = max((len(ray) for of in rays.cells for ray in of), default=0) - 1
        if not rays.cells or max(least, 1) > min(longest, bound):
            return ctx.b.m(0)
        most = bound if bound < longest else None
        return ctx.b.op("mtoward", cells, until, detail=Runs(rays, least, most))

    return along(ctx, directions, over, one)


def op_run(ctx: Context, op: Op, scene: Environment) -> Value:
    start_op = op.args[0]
    over, until, low, high = (ctx.value(a, scene) for a in op.args[1:5])
    directions = optional_directions(ctx, op, 5, scene)

    def one(cell: Value, ways: int) -> Value:
        rays = ctx.shape.rays(ways)
        if not rays.cells:
            return ctx.b.m(0)
        sets = (over, until)
        if not rays.cyclic:  # then no ray from a cell contains this cell
            sets = (ctx.b.ignoring(over, cell), ctx.b.ignoring(until, cell))
        return ctx.b.op("mbetween", cell, *sets, low, high, detail=rays)

    if has_role(start_op, "singleton"):
        cell = ctx.value(start_op.args[0], scene)
        return along(ctx, directions, cell, one)
    start = ctx.value(start_op, scene)
    return along(ctx, directions, start, lambda s, d: union_over(ctx, s, lambda cell: one(cell, d)))


def optional_directions(ctx: Context, op: Op, index: int, scene: Environment) -> Value:
    """Return the directions of an optional argument."""
    if len(op.args) > index:
        return ctx.value(op.args[index], scene)
    return ctx.b.i(ctx.shape.every)


def union_over(ctx: Context, mask: Value, work: Callable[[Value], Value]) -> Value:
    """Return the union of `work` over the cells of a set."""
    total = ctx.b.let(ctx.b.m(0))

    def add(cell: Value) -> None:
        ctx.b.set(total, ctx.b.op("mor", ctx.b.get(total), work(cell)))

    ctx.each_cell(mask, add)
    return ctx.b.get(total)
