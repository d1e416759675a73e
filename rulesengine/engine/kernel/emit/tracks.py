"""Kernel code for tracks: tables of their cells, places and successors."""

from collections.abc import Callable

from rulesengine.engine.kernel.code.form import Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op
from rulesengine.support.limits import MAX_ROUNDS


def op_further(ctx: Context, op: Op, scene: Environment) -> Value:
    """Return the cell a number of steps further on a track, by its computed place."""
    b, routes = ctx.b, ctx.program.routes
    track, cell, number = (ctx.value(arg, scene) for arg in op.args)
    longest = max(len(route.cells) for route in routes)
    items = tuple(c for r in routes for c in (*r.cells, *[-1] * (longest - len(r.cells))))
    place, length = _place(ctx, track, cell), _of_track(ctx, track, [len(r.cells) for r in routes])
    closed = b.op("ieq", _of_track(ctx, track, [int(r.closed) for r in routes]), b.i(1))
    limit = b.i(longest + 1)
    steps = b.op("imin", b.op("imax", number, b.op("isub", b.i(0), limit)), limit)
    round = b.op("cmod", b.op("iadd", place, b.op("cmod", number, length)), length)
    at = b.op("pick", closed, round, b.op("iadd", place, steps))
    on = b.op("fand", b.op("ile", b.i(0), at), b.op("ilt", at, length))
    before = b.op("ieq", place, b.i(-1))
    lost = b.op("for", b.op("ieq", place, b.i(-2)), b.op("fand", before, _negative(ctx, number)))
    on = b.op("fand", on, b.op("fnot", lost))
    stays = b.op("fand", b.op("ieq", number, b.i(0)), b.op("fnot", b.op("ieq", place, b.i(-2))))

    def lookup() -> Value:
        index = b.op("iadd", b.op("imul", track, b.i(longest)), at)
        return b.op("ilook", index, detail=Table("i", items))

    further = b.choose(on, lookup, lambda: b.i(-1))
    return b.op("pick", stays, cell, further)


def op_place_on(ctx: Context, op: Op, scene: Environment) -> Value:
    track, cell = (ctx.value(arg, scene) for arg in op.args)
    place = ctx.b.op("iadd", _place(ctx, track, cell), ctx.b.i(1))
    return ctx.b.op("imax", place, ctx.b.i(0))


def each_along(ctx: Context, op: Op, scene: Environment, take: Callable[[Value], None]) -> None:
    """Call `take` with the next cells of a track that are not skipped."""
    b, routes = ctx.b, ctx.program.routes
    track, cell, number, *skipped = (ctx.value(arg, scene) for arg in op.args)
    ctx.fail_unless(b.op("ile", number, b.i(MAX_ROUNDS)))
    every = tuple(sum(1 << c for c in route.cells) for route in routes)
    skip = skipped[0] if skipped else b.m(0)
    counted = b.op("mless", b.op("mlook", track, detail=Table("m", every)), skip)
    most = b.op("pick", b.op("many", counted), b.op("imin", number, b.i(MAX_ROUNDS)), b.i(0))
    at, left = b.let(cell), b.let(most)
    following = _by_cell(
        ctx, [[r.further(c, 1) for c in range(-1, ctx.shape.cells)] for r in routes]
    )

    def one() -> None:
        b.when(b.op("ile", b.get(left), b.i(0)), b.leave)
        following_cell = _look(ctx, following, track, b.get(at))
        b.when(b.op("ilt", following_cell, b.i(0)), b.leave)
        cell = b.op("imax", following_cell, b.i(0))
        ctx.cells_on_board.add(cell)
        b.set(at, cell)
        counts = b.op("mhas", counted, cell)
        b.set(left, b.op("isub", b.get(left), b.op("fint", counts)))
        b.when(counts, lambda: take(cell))

    b.loop(one)


def _negative(ctx: Context, number: Value) -> Value:
    return ctx.b.op("ilt", number, ctx.b.i(0))


def _place(ctx: Context, track: Value, cell: Value) -> Value:
    cells = range(-1, ctx.shape.cells)
    table = _by_cell(ctx, [[route.place(c) for c in cells] for route in ctx.program.routes])
    return _look(ctx, table, track, cell)


def _by_cell(ctx: Context, rows: list[list[int]]) -> Table:
    """Return a table with a row for each track: a number for no cell, then one for each cell."""
    return Table("i", tuple(item for row in rows for item in row))


def _look(ctx: Context, table: Table, track: Value, cell: Value) -> Value:
    b = ctx.b
    row = b.op("imul", track, b.i(ctx.shape.cells + 1))
    return b.op("ilook", b.op("iadd", row, b.op("iadd", cell, b.i(1))), detail=table)


def _of_track(ctx: Context, track: Value, numbers: list[int]) -> Value:
    return ctx.b.op("ilook", track, detail=Table("i", tuple(numbers)))
