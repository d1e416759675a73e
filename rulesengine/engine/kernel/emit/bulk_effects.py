"""Kernel code for effects on many pieces at once: carry, push, drop."""

from collections.abc import Callable, Mapping
from functools import partial

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Relation, Value, Var
from rulesengine.engine.kernel.emit.cells import image
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import Draft, select_draft, with_changes, with_contents
from rulesengine.engine.kernel.emit.occupancy import any_content, content_of
from rulesengine.engine.kernel.emit.piece_effects import take_pieces
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import Op, bound
from rulesengine.support.frozen import record


def carry_each(ctx: Context, op: Op, scene: Environment) -> Draft:
    b, at = ctx.b, scene.at
    cells, content = ctx.value(op.args[0], scene), content_of(ctx, op.args[0], scene)
    pieces = _pieces_on(ctx, at, cells, content)
    off, moved, reached = (b.let(b.m(0)) for _ in range(3))
    landed = {i: b.let(b.m(0)) for i in _planes_in(at, content)}

    def carry(cell: Value) -> None:
        target = ctx.value(op.args[1], scene.with_(**{bound(op): cell}))
        start, end = b.op("mcell", cell), b.op("mcell", target)
        clash = b.op("many", b.op("mand", b.get(reached), end))
        b.when(clash, b.fail)
        _add(ctx, reached, end)
        _add(ctx, moved, b.op("mless", end, start))
        _add(ctx, off, b.op("pick", b.op("many", end), b.m(0), start))
        for i, var in landed.items():
            _add(ctx, var, b.op("pick", b.op("mhas", at.planes[i], cell), end, b.m(0)))

    ctx.each_cell(pieces, carry)
    planes = {i: b.get(var) for i, var in landed.items()}
    carried = CarriedPieces(pieces, b.get(off), b.get(reached), b.get(moved), planes)
    return _all_carried(ctx, scene, carried, content)


def _add(ctx: Context, var: Var, cells: Value) -> None:
    ctx.b.set(var, ctx.b.op("mor", ctx.b.get(var), cells))


def push(ctx: Context, op: Op, scene: Environment) -> Draft:
    cells, direction = (ctx.value(arg, scene) for arg in op.args)
    content = content_of(ctx, op.args[0], scene)
    return _in_direction(ctx, scene.at, direction, lambda d: _pushed(ctx, scene, cells, content, d))


def _pushed(ctx: Context, scene: Environment, cells: Value, content: int, direction: int) -> Draft:
    at, targets = scene.at, ctx.shape.targets[direction]
    step = ctx.shape.step(1 << direction)
    pieces = _pieces_on(ctx, at, cells, content)
    edge = ctx.b.m(sum(1 << cell for cell, target in enumerate(targets) if target < 0))
    reached = image(ctx, pieces, step)
    landed = {
        i: image(ctx, ctx.b.op("mand", at.planes[i], pieces), step) for i in _planes_in(at, content)
    }
    off = ctx.b.op("mand", pieces, edge)
    return _all_carried(ctx, scene, CarriedPieces(pieces, off, reached, reached, landed), content)


@record
class CarriedPieces:
    """Pieces that are carried at once: those that leave the board, and the reached cells.

    `moved` are the cells reached from other cells, `landed` the reached cells by plane.
    """

    pieces: Value
    off: Value
    reached: Value
    moved: Value
    landed: Mapping[int, Value]


def _all_carried(ctx: Context, scene: Environment, carried: CarriedPieces, content: int) -> Draft:
    """Return a draft after pieces have been carried; other pieces on their targets are removed."""
    b, everything = ctx.b, any_content(ctx)
    removed = b.op("mor", carried.off, b.op("mless", carried.reached, carried.pieces))
    at = take_pieces(ctx, scene.at, scene, removed, everything)
    planes = [b.op("mless", plane, carried.pieces) for plane in at.planes]
    for i, landed in carried.landed.items():
        planes[i] = b.op("mor", planes[i], landed)
    new = with_changes(ctx, at, planes=planes, moved=carried.moved)
    return with_contents(ctx, new, b.m(0), everything, content | 1 << len(planes))


def _pieces_on(ctx: Context, at: Draft, cells: Value, content: int) -> Value:
    return ctx.b.op("mand", cells, union(ctx, [at.planes[i] for i in _planes_in(at, content)]))


def _planes_in(at: Draft, content: int) -> list[int]:
    return [i for i in cells_of(content) if i < len(at.planes)]


def _in_direction(ctx: Context, at: Draft, direction: Value, work: Callable[[int], Draft]) -> Draft:
    """Emit a draft for a direction; if it is not constant, emit one for each direction."""
    if direction.constant is not None:
        return work(direction.constant)
    for d in cells_of(ctx.shape.every):
        is_direction = ctx.b.op("ieq", direction, ctx.b.i(d))
        at = select_draft(ctx, is_direction, partial(work, d), lambda at=at: at)  # type: ignore[misc]
    return at


def drop(ctx: Context, op: Op, scene: Environment) -> Draft:
    at = scene.at
    cells, direction = (ctx.value(arg, scene) for arg in op.args)
    content = content_of(ctx, op.args[0], scene)
    return _in_direction(ctx, at, direction, lambda d: _dropped(ctx, at, cells, content, d))


def _dropped(ctx: Context, at: Draft, cells: Value, content: int, direction: int) -> Draft:
    """Return a draft after pieces on some cells have dropped in a direction."""
    planes = list(at.planes)
    may_fall = [i for i in cells_of(content) if i < len(planes)]
    occupied_cells, back = union(ctx, planes), ctx.shape.back(1 << direction)
    pieces = ctx.b.op("mand", cells, union(ctx, [planes[i] for i in may_fall]))
    loose = _loose(ctx, pieces, occupied_cells, back)
    still = ctx.b.op("mless", occupied_cells, loose)
    free = _free(ctx, loose, still, direction)
    bound = ctx.b.op("mless", loose, free)
    falling = [ctx.b.op("mand", planes[i], bound) for i in may_fall]
    moved = ctx.b.m(0)
    for i, rest in zip(may_fall, _at_rest(ctx, falling, still, direction), strict=True):
        # The last cell of a cyclic ray is the cell behind its origin.
        turned = image(ctx, ctx.b.op("mand", planes[i], free), back)
        landed = ctx.b.op("mor", rest, turned)
        planes[i] = ctx.b.op("mor", ctx.b.op("mless", planes[i], loose), landed)
        moved = ctx.b.op("mor", moved, landed)
    anywhere = content | 1 << len(planes)
    return with_contents(
        ctx, with_changes(ctx, at, planes=planes, moved=moved), cells, anywhere, anywhere
    )


def _loose(ctx: Context, pieces: Value, occupied_cells: Value, back: Relation) -> Value:
    """Return the pieces of a set with an empty cell ahead, and those in a row behind them."""
    room = image(ctx, ctx.b.op("mnot", occupied_cells), back)
    return ctx.b.op("mfill", room, pieces, detail=back)


def _free(ctx: Context, loose: Value, still: Value, direction: int) -> Value:
    """Return the loose pieces on cyclic lines without a piece at rest."""
    rays = ctx.shape.rays(1 << direction)
    if not rays.cyclic:
        return ctx.b.m(0)
    next_cell = ctx.shape.targets[direction]
    closed = sum(1 << c for c, ray in enumerate(rays.cells[0]) if ray and next_cell[ray[-1]] == c)
    stopped = ctx.b.op("mfill", still, ctx.b.m(closed), detail=rays.steps[0])
    return ctx.b.op("mless", ctx.b.op("mand", loose, ctx.b.m(closed)), stopped)


def _at_rest(ctx: Context, falling: list[Value], still: Value, direction: int) -> list[Value]:
    """Return the final cells of falling pieces, by plane; each round moves all that can fall."""
    b, step, back = ctx.b, ctx.shape.step(1 << direction), ctx.shape.back(1 << direction)
    planes = [b.let(pieces) for pieces in falling]

    def fall() -> None:
        now = [b.get(plane) for plane in planes]
        pieces = union(ctx, now)
        going = _loose(ctx, pieces, b.op("mor", still, pieces), back)
        b.when(b.op("fnot", b.op("many", going)), b.leave)
        for plane, before in zip(planes, now, strict=True):
            fallen = image(ctx, b.op("mand", before, going), step)
            b.set(plane, b.op("mor", b.op("mless", before, going), fallen))

    b.loop(fall)
    return [b.get(plane) for plane in planes]
