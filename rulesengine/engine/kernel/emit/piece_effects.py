"""Kernel code that puts, removes and carries pieces in drafts."""

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import Draft, select_draft, with_changes, with_contents
from rulesengine.engine.kernel.emit.occupancy import any_content
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.values import union


def put_pieces(
    ctx: Context,
    at: Draft,
    scene: Environment,
    kind: Value,
    side: Value,
    cells: Value,
    content: int,
) -> Draft:
    """Put pieces on cells, after removing the pieces there."""
    at = take_pieces(ctx, at, scene, cells, content)
    known = kind.constant is not None and side.constant is not None
    planes = list(at.planes)
    after = 0
    any_plane = ctx.b.f(False)
    for i, number in enumerate(ctx.layout.planes):
        k, owner = divmod(number, ctx.sides + 1)
        is_kind = ctx.b.op("ieq", kind, ctx.b.i(k))
        is_piece = ctx.b.op("fand", is_kind, ctx.b.op("ieq", side, ctx.b.i(owner)))
        if is_piece.constant == 0:
            continue
        part = ctx.b.op("pick", is_piece, cells, ctx.b.m(0))
        planes[i] = ctx.b.op("mor", planes[i], part)
        any_plane = ctx.b.op("for", any_plane, is_piece)
        after |= 1 << i
    if any_plane.constant != 1:
        wrong = ctx.b.op("fand", ctx.b.op("many", cells), ctx.b.op("fnot", any_plane))
        ctx.b.when(wrong, ctx.b.fail)
    new = with_changes(ctx, at, planes=planes, placed=cells)
    return with_contents(ctx, new, cells, content, after if known else after | content)


def take_pieces(ctx: Context, at: Draft, scene: Environment, cells: Value, content: int) -> Draft:
    """Remove the pieces on cells."""
    planes = list(at.planes)
    removed = captured = ctx.b.m(0)
    mover = scene.variables["player"]
    for i, number in enumerate(ctx.layout.planes):
        if not content >> i & 1:
            continue
        taken = ctx.b.op("mand", planes[i], cells)
        planes[i] = ctx.b.op("mless", planes[i], cells)
        removed = ctx.b.op("mor", removed, taken)
        captured = ctx.b.op("mor", captured, of_others(ctx, number, mover, taken))
    new = with_changes(ctx, at, planes=planes, removed=removed, captured=captured)
    return with_contents(ctx, new, cells, content, 1 << len(planes))


def of_others(ctx: Context, plane: int, mover: Value, taken: Value) -> Value:
    """Return the pieces removed from a plane, unless it is the mover's."""
    own = ctx.b.op("ieq", mover, ctx.b.i(plane % (ctx.sides + 1)))
    return ctx.b.op("pick", own, ctx.b.m(0), taken)


def carry_piece(ctx: Context, at: Draft, scene: Environment, origin: Value, target: Value) -> Draft:
    """Carry the piece on a cell to another one, after removing the piece there."""
    start, end = ctx.b.op("mcell", origin), ctx.b.op("mcell", target)
    sources = at.content.get(start, any_content(ctx))
    bits = [i for i in cells_of(sources) if i < len(at.planes)]
    sure = len(bits) == 1 and sources == 1 << bits[0] and _are_disjoint(ctx, scene, origin, target)
    if sure:
        return _carried(ctx, at, scene, start, end, bits)
    occupied = union(ctx, [at.planes[i] for i in bits])
    some = ctx.b.op("many", ctx.b.op("mand", occupied, start))
    moves = some
    if not _are_disjoint(ctx, scene, origin, target):
        moves = ctx.b.op("fand", some, ctx.b.op("fnot", ctx.b.op("ieq", origin, target)))
    if sources >> len(at.planes) & 1 or moves is not some:
        return select_draft(
            ctx, moves, lambda: _carried(ctx, at, scene, start, end, bits), lambda: at
        )
    return _carried(ctx, at, scene, start, end, bits)


def _are_disjoint(ctx: Context, scene: Environment, origin: Value, target: Value) -> bool:
    """True if two cells certainly differ, since their possible contents are disjoint."""
    content = scene.at.content
    start, end = ctx.b.op("mcell", origin), ctx.b.op("mcell", target)
    return not content.get(start, any_content(ctx)) & content.get(end, any_content(ctx))


def _carried(
    ctx: Context, at: Draft, scene: Environment, start: Value, end: Value, sources: list[int]
) -> Draft:
    before = at.planes
    targets = at.content.get(end, any_content(ctx))
    at = take_pieces(ctx, at, scene, end, targets)
    planes = list(at.planes)
    both = ctx.b.op("mor", start, end)
    for i in sources:
        if len(sources) == 1:
            turned = both
        else:
            on = ctx.b.op("many", ctx.b.op("mand", before[i], start))
            turned = ctx.b.op("pick", on, both, ctx.b.m(0))
        planes[i] = ctx.b.op("mxor", planes[i], turned)
    new = with_changes(ctx, at, planes=planes, moved=end)
    carried = sum(1 << i for i in sources)
    new = with_contents(ctx, new, end, targets, carried)
    return with_contents(ctx, new, start, carried, 1 << len(planes))
