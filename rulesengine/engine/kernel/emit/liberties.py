"""Kernel code for connected components by the number of adjacent cells of another set."""

from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.cells import image
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op


def op_components(ctx: Context, op: Op, scene: Environment) -> Value:
    cells, free = (ctx.value(arg, scene) for arg in op.args)
    key = cells, free
    if key not in ctx.components or not ctx.b.reaches(ctx.components[key][0]):
        components = _components(ctx, cells, free)
        ctx.components[key] = ctx.b.scope(), components
    return ctx.components[key][1][("several", "one", "last").index(str(op.value))]


def _components(ctx: Context, cells: Value, free: Value) -> tuple[Value, Value, Value]:
    """Return the components adjacent to several cells of `free`, those to one, and these single
    cells.

    A component that has a cell with two neighbours in `free` needs no separate count. If all cells
    have two, as in the opening of a game, no count is needed at all.
    """
    b, adjacency = ctx.b, ctx.shape.adjacency
    adjacent = image(ctx, free, adjacency)
    once, twice = b.m(0), b.m(0)
    for piece in ctx.shape.pieces:
        moved = image(ctx, free, piece)
        twice = b.op("mor", twice, b.op("mand", once, moved))
        once = b.op("mor", once, moved)
    sure, single_liberty, last = b.let(cells), b.let(b.m(0)), b.let(b.m(0))

    def classify() -> None:
        wide = b.op("mfill", b.op("mand", twice, cells), cells, detail=adjacency)
        others = b.op("mand", b.op("mless", cells, wide), adjacent)
        single = b.op("mless", others, image(ctx, cells, adjacency))
        b.set(sure, wide)
        b.set(single_liberty, single)
        b.set(last, b.op("mand", image(ctx, single, adjacency), free))
        _each_component(
            ctx, b.op("mless", others, single), (cells, free), (sure, single_liberty, last)
        )

    b.when(b.op("many", b.op("mless", cells, twice)), classify)
    return b.get(sure), b.get(single_liberty), b.get(last)


def _each_component(
    ctx: Context, others: Value, bounds: tuple[Value, Value], classes: tuple[Var, Var, Var]
) -> None:
    """Classify the components that contain some cells one by one, and add them to `classes`."""
    b, adjacency, (cells, free), (sure, rest, last) = ctx.b, ctx.shape.adjacency, bounds, classes
    left = b.let(others)

    def one() -> None:
        now = b.get(left)
        b.when(b.op("fnot", b.op("many", now)), b.leave)
        part = b.op("mfill", b.op("mpick", now, b.i(0)), cells, detail=adjacency)
        liberties = b.op("mand", free, image(ctx, part, adjacency))
        alone = b.op("ieq", b.op("mcount", liberties), b.i(1))
        grows = (
            (sure, b.op("pick", alone, b.m(0), part)),
            (rest, b.op("pick", alone, part, b.m(0))),
            (last, b.op("pick", alone, liberties, b.m(0))),
        )
        for var, more in grows:
            b.set(var, b.op("mor", b.get(var), more))
        b.set(left, b.op("mless", now, part))

    b.loop(one)
