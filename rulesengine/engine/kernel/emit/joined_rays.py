"""Kernel code for runs and slides across the joins of a board, which walk each ray in a loop."""

from collections.abc import Callable

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.cells import along
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.rays import optional_directions, union_over
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op


def op_slide_on(ctx: Context, op: Op, scene: Environment) -> Value:
    start, directions, through, low, high = (ctx.value(a, scene) for a in op.args)
    b = ctx.b

    def walk(cell: Value, direction: int) -> Value:
        cells, behind = b.let(b.m(0)), b.let(b.i(0))

        def step(target: Value, crossed: Value) -> None:
            b.when(b.op("fnot", b.op("mhas", through, target)), b.leave)
            count = b.op("iadd", b.get(behind), crossed)
            b.set(behind, count)
            among = b.op("fand", b.op("ile", low, count), b.op("ile", count, high))
            b.when(among, lambda: _add(ctx, cells, b.op("mcell", target)))

        _walk(ctx, cell, direction, step)
        return b.get(cells)

    return along(ctx, directions, start, lambda s, d: _each_ray(ctx, s, d, walk))


def op_run_on(ctx: Context, op: Op, scene: Environment) -> Value:
    start, over, until, low, high = (ctx.value(a, scene) for a in op.args[:5])
    directions = optional_directions(ctx, op, 5, scene)
    b = ctx.b

    def walk(cell: Value, direction: int) -> Value:
        cells, passed, length = b.let(b.m(0)), b.let(b.m(0)), b.let(b.i(0))

        def end(target: Value) -> None:
            count = b.get(length)
            holds = b.op("fand", b.op("ile", low, count), b.op("ile", count, high))
            holds = b.op("fand", holds, b.op("mhas", until, target))
            b.when(holds, lambda: b.set(cells, b.get(passed)))
            b.leave()

        def step(target: Value, crossed: Value) -> None:
            b.when(b.op("fnot", b.op("mhas", over, target)), lambda: end(target))
            _add(ctx, passed, b.op("mcell", target))
            b.set(length, b.op("iadd", b.get(length), b.i(1)))

        _walk(ctx, cell, direction, step)
        return b.get(cells)

    return along(ctx, directions, start, lambda s, d: _each_ray(ctx, s, d, walk))


def _each_ray(
    ctx: Context, start: Value, directions: int, walk: Callable[[Value, int], Value]
) -> Value:
    """Return the union of the results of the rays from all cells of a set."""

    def one(cell: Value) -> Value:
        cells = ctx.b.m(0)
        for d in cells_of(directions):
            cells = ctx.b.op("mor", cells, walk(cell, d))
        return cells

    return union_over(ctx, start, one)


def _walk(ctx: Context, cell: Value, direction: int, step: Callable[[Value, Value], None]) -> None:
    """Emit a loop along a ray, until it leaves the board or returns to its start; a step may leave
    it.

    The arguments of `step` are the next cell, and 1 if the ray crosses a join to it, else 0.
    """
    b = ctx.b
    start = b.op("iadd", cell, b.i(direction * ctx.shape.cells))
    at = b.let(start)

    def on() -> None:
        onward = b.op("ilook", b.get(at), detail=ctx.shape.onward)
        b.when(b.op("ilt", onward, b.i(0)), b.leave)
        there = b.op("ishr", onward, b.i(1))
        b.when(b.op("ieq", there, start), b.leave)
        target = b.op("ilook", there, detail=ctx.shape.step_table)
        ctx.cells_on_board.add(target)
        step(target, b.op("iand", onward, b.i(1)))
        b.set(at, there)

    b.loop(on)


def _add(ctx: Context, total: Var, cells: Value) -> None:
    ctx.b.set(total, ctx.b.op("mor", ctx.b.get(total), cells))
