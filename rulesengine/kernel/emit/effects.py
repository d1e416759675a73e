"""Effects as kernel code: each gives a new draft; what cannot be on a cell is not looked for."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from rulesengine.ir.ops import Op
from rulesengine.kernel.analysis.shape import cells_of
from rulesengine.kernel.code.form import Relation, Value
from rulesengine.kernel.emit.cell_numbers import set_at
from rulesengine.kernel.emit.cells import image, is_between
from rulesengine.kernel.emit.context import Context, Unsupported
from rulesengine.kernel.emit.draft import Draft, either_draft, known_after, recorded
from rulesengine.kernel.emit.occupancy import anything, content_of
from rulesengine.kernel.emit.scene import Scene
from rulesengine.kernel.emit.values import union


def perform(ctx: Context, op: Op, scene: Scene) -> Scene:
    """The scene after an effect."""
    effect = EFFECTS.get(op.name)
    if effect is None:
        raise Unsupported(f"the effect {op.name}")
    return scene.on(effect(ctx, op, scene))


def _put(ctx: Context, op: Op, scene: Scene) -> Draft:
    kind, side, cells = (ctx.value(arg, scene) for arg in op.args)
    return put_pieces(ctx, scene.at, scene, kind, side, cells, content_of(ctx, op.args[2], scene))


def _remove(ctx: Context, op: Op, scene: Scene) -> Draft:
    cells = ctx.value(op.args[0], scene)
    return take_pieces(ctx, scene.at, scene, cells, content_of(ctx, op.args[0], scene))


def _carry(ctx: Context, op: Op, scene: Scene) -> Draft:
    origin, target = (ctx.value(arg, scene) for arg in op.args)
    for cell in (origin, target):
        if not ctx.there(cell):
            ctx.fail_unless(ctx.b.op("ile", ctx.b.i(0), cell))
    return carry_piece(ctx, scene.at, scene, origin, target)


def _when(ctx: Context, op: Op, scene: Scene) -> Draft:
    other = op.args[2] if len(op.args) > 2 else None
    return either_draft(
        ctx,
        ctx.value(op.args[0], scene),
        lambda: perform(ctx, op.args[1], scene).at,
        lambda: perform(ctx, other, scene).at if other else scene.at,
    )


def put_pieces(
    ctx: Context, at: Draft, scene: Scene, kind: Value, side: Value, cells: Value, content: int
) -> Draft:
    """Put pieces on cells; what stood there is removed."""
    at = take_pieces(ctx, at, scene, cells, content)
    known = kind.known is not None and side.known is not None
    planes = list(at.planes)
    after = 0
    any_plane = ctx.b.f(False)
    for i, number in enumerate(ctx.layout.planes):
        k, owner = divmod(number, ctx.sides + 1)
        is_kind = ctx.b.op("ieq", kind, ctx.b.i(k))
        here = ctx.b.op("fand", is_kind, ctx.b.op("ieq", side, ctx.b.i(owner)))
        if here.known == 0:
            continue
        part = ctx.b.op("pick", here, cells, ctx.b.m(0))
        planes[i] = ctx.b.op("mor", planes[i], part)
        any_plane = ctx.b.op("for", any_plane, here)
        after |= 1 << i
    if any_plane.known != 1:
        wrong = ctx.b.op("fand", ctx.b.op("many", cells), ctx.b.op("fnot", any_plane))
        ctx.b.when(wrong, ctx.b.fail)
    new = recorded(ctx, at, planes=planes, placed=cells)
    return known_after(ctx, new, cells, content, after if known else after | content)


def take_pieces(ctx: Context, at: Draft, scene: Scene, cells: Value, content: int) -> Draft:
    """Remove the pieces on cells."""
    planes = list(at.planes)
    removed = captured = ctx.b.m(0)
    mover = scene.variables["player"]
    for i, number in enumerate(ctx.layout.planes):
        if not content >> i & 1:
            continue
        gone = ctx.b.op("mand", planes[i], cells)
        planes[i] = ctx.b.op("mless", planes[i], cells)
        removed = ctx.b.op("mor", removed, gone)
        captured = ctx.b.op("mor", captured, _of_others(ctx, number, mover, gone))
    new = recorded(ctx, at, planes=planes, removed=removed, captured=captured)
    return known_after(ctx, new, cells, content, 1 << len(planes))


def _of_others(ctx: Context, plane: int, mover: Value, gone: Value) -> Value:
    """The pieces that are gone from a plane unless it is the mover's."""
    own = ctx.b.op("ieq", mover, ctx.b.i(plane % (ctx.sides + 1)))
    return ctx.b.op("pick", own, ctx.b.m(0), gone)


def carry_piece(ctx: Context, at: Draft, scene: Scene, origin: Value, target: Value) -> Draft:
    """Carry the piece on a cell to another; what stood there is removed."""
    start, end = ctx.b.op("mcell", origin), ctx.b.op("mcell", target)
    sources = at.content.get(start, anything(ctx))
    bits = [i for i in cells_of(sources) if i < len(at.planes)]
    sure = len(bits) == 1 and sources == 1 << bits[0] and _apart(ctx, scene, origin, target)
    if sure:
        return _carried(ctx, at, scene, start, end, bits)
    occupied = union(ctx, [at.planes[i] for i in bits])
    some = ctx.b.op("many", ctx.b.op("mand", occupied, start))
    moves = some
    if not _apart(ctx, scene, origin, target):
        moves = ctx.b.op("fand", some, ctx.b.op("fnot", ctx.b.op("ieq", origin, target)))
    if sources >> len(at.planes) & 1 or moves is not some:
        return either_draft(
            ctx, moves, lambda: _carried(ctx, at, scene, start, end, bits), lambda: at
        )
    return _carried(ctx, at, scene, start, end, bits)


def _apart(ctx: Context, scene: Scene, origin: Value, target: Value) -> bool:
    """Whether two cells are known to differ: what stands on the one cannot on the other."""
    content = scene.at.content
    start, end = ctx.b.op("mcell", origin), ctx.b.op("mcell", target)
    return not content.get(start, anything(ctx)) & content.get(end, anything(ctx))


def _carried(
    ctx: Context, at: Draft, scene: Scene, start: Value, end: Value, sources: list[int]
) -> Draft:
    before = at.planes
    targets = at.content.get(end, anything(ctx))
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
    new = recorded(ctx, at, planes=planes, moved=end)
    carried = sum(1 << i for i in sources)
    new = known_after(ctx, new, end, targets, carried)
    return known_after(ctx, new, start, carried, 1 << len(planes))


def _flip(ctx: Context, op: Op, scene: Scene) -> Draft:
    at = scene.at
    cells, side = (ctx.value(arg, scene) for arg in op.args)
    content = content_of(ctx, op.args[0], scene)
    planes = list(at.planes)
    before = at.planes
    flipped = captured = ctx.b.m(0)
    mover = scene.variables["player"]
    after = 0
    place = {number: i for i, number in enumerate(ctx.layout.planes)}
    for i, number in enumerate(ctx.layout.planes):
        kind, owner = divmod(number, ctx.sides + 1)
        same = ctx.b.op("ieq", side, ctx.b.i(owner))
        if not content >> i & 1 or same.known == 1:
            after |= content & 1 << i
            continue
        turned = ctx.b.op("mand", before[i], cells)
        turned = ctx.b.op("pick", same, ctx.b.m(0), turned)
        planes[i] = ctx.b.op("mless", planes[i], turned)
        for to in range(ctx.sides + 1):
            here = ctx.b.op("ieq", side, ctx.b.i(to))
            j = place.get(kind * (ctx.sides + 1) + to)
            part = ctx.b.op("pick", here, turned, ctx.b.m(0))
            if j is None:
                # A piece without a symbol: the interpreter keeps it on a plane of its own.
                ctx.b.when(ctx.b.op("many", part), ctx.b.fail)
            elif here.known != 0:
                planes[j] = ctx.b.op("mor", planes[j], part)
                after |= 1 << j
        _fail_if_lost(ctx, turned, side, ctx.sides)
        flipped = ctx.b.op("mor", flipped, turned)
        captured = ctx.b.op("mor", captured, _of_others(ctx, number, mover, turned))
    after |= content & 1 << len(planes)
    if side.known is None:
        after |= content
    new = recorded(ctx, at, planes=planes, flipped=flipped, captured=captured)
    return known_after(ctx, new, cells, content, after)


def _fail_if_lost(ctx: Context, pieces: Value, index: Value, last: int) -> None:
    """Fail if pieces would become those of a side or of a kind that is not there."""
    if index.known is not None and 0 <= index.known <= last:
        return
    there = is_between(ctx, index, 0, last)
    ctx.b.when(ctx.b.op("fand", ctx.b.op("many", pieces), ctx.b.op("fnot", there)), ctx.b.fail)


def _promote(ctx: Context, op: Op, scene: Scene) -> Draft:
    at = scene.at
    cells, kind = (ctx.value(arg, scene) for arg in op.args)
    content = content_of(ctx, op.args[0], scene)
    planes = list(at.planes)
    before = at.planes
    place = {number: i for i, number in enumerate(ctx.layout.planes)}
    after = content & 1 << len(planes)
    for i, number in enumerate(ctx.layout.planes):
        if not content >> i & 1:
            continue
        changed = ctx.b.op("mand", before[i], cells)
        planes[i] = ctx.b.op("mless", planes[i], changed)
        for k in range(len(ctx.rules.kinds)):
            here = ctx.b.op("ieq", kind, ctx.b.i(k))
            part = ctx.b.op("pick", here, changed, ctx.b.m(0))
            j = place.get(k * (ctx.sides + 1) + number % (ctx.sides + 1))
            if j is None:
                ctx.b.when(ctx.b.op("many", part), ctx.b.fail)
            elif here.known != 0:
                planes[j] = ctx.b.op("mor", planes[j], part)
                after |= 1 << j
        _fail_if_lost(ctx, changed, kind, len(ctx.rules.kinds) - 1)
    new = replace(at, planes=tuple(planes))
    return known_after(ctx, new, cells, content, after)


def _drop(ctx: Context, op: Op, scene: Scene) -> Draft:
    at = scene.at
    cells, direction = (ctx.value(arg, scene) for arg in op.args)
    content = content_of(ctx, op.args[0], scene)
    if direction.known is not None:
        return _dropped(ctx, at, cells, content, direction.known)
    for d in cells_of(ctx.shape.every):
        here = ctx.b.op("ieq", direction, ctx.b.i(d))
        fall = partial(_dropped, ctx, at, cells, content, d)
        at = either_draft(ctx, here, fall, lambda at=at: at)  # type: ignore[misc]
    return at


def _dropped(ctx: Context, at: Draft, cells: Value, content: int, direction: int) -> Draft:
    """A draft after pieces on cells have fallen in a direction."""
    planes = list(at.planes)
    may_fall = [i for i in cells_of(content) if i < len(planes)]
    taken, back = union(ctx, planes), ctx.shape.back(1 << direction)
    pieces = ctx.b.op("mand", cells, union(ctx, [planes[i] for i in may_fall]))
    loose = _loose(ctx, pieces, taken, back)
    still = ctx.b.op("mless", taken, loose)
    free = _free(ctx, loose, still, direction)
    bound = ctx.b.op("mless", loose, free)
    falling = [ctx.b.op("mand", planes[i], bound) for i in may_fall]
    moved = ctx.b.m(0)
    for i, rest in zip(may_fall, _at_rest(ctx, falling, still, direction), strict=True):
        # The end of a ray that comes round is the cell behind.
        turned = image(ctx, ctx.b.op("mand", planes[i], free), back)
        landed = ctx.b.op("mor", rest, turned)
        planes[i] = ctx.b.op("mor", ctx.b.op("mless", planes[i], loose), landed)
        moved = ctx.b.op("mor", moved, landed)
    anywhere = content | 1 << len(planes)
    return known_after(
        ctx, recorded(ctx, at, planes=planes, moved=moved), cells, anywhere, anywhere
    )


def _loose(ctx: Context, pieces: Value, taken: Value, back: Relation) -> Value:
    """The pieces of a set that stand before an empty cell, and those in a row behind them."""
    room = image(ctx, ctx.b.op("mnot", taken), back)
    return ctx.b.op("mfill", room, pieces, detail=back)


def _free(ctx: Context, loose: Value, still: Value, direction: int) -> Value:
    """The loose pieces on lines that come round and on which no piece is still."""
    rays = ctx.shape.rays(1 << direction)
    if not rays.cyclic:
        return ctx.b.m(0)
    next_cell = ctx.shape.targets[direction]
    closed = sum(1 << c for c, ray in enumerate(rays.cells[0]) if ray and next_cell[ray[-1]] == c)
    stopped = ctx.b.op("mfill", still, ctx.b.m(closed), detail=rays.steps[0])
    return ctx.b.op("mless", ctx.b.op("mand", loose, ctx.b.m(closed)), stopped)


def _at_rest(ctx: Context, falling: list[Value], still: Value, direction: int) -> list[Value]:
    """Where falling pieces come to rest, plane by plane: in each round all go on that can."""
    b, step, back = ctx.b, ctx.shape.step(1 << direction), ctx.shape.back(1 << direction)
    planes = [b.let(pieces) for pieces in falling]

    def fall() -> None:
        now = [b.get(plane) for plane in planes]
        pieces = union(ctx, now)
        going = _loose(ctx, pieces, b.op("mor", still, pieces), back)
        b.when(b.op("fnot", b.op("many", going)), b.leave)
        for plane, before in zip(planes, now, strict=True):
            gone = image(ctx, b.op("mand", before, going), step)
            b.set(plane, b.op("mor", b.op("mless", before, going), gone))

    b.loop(fall)
    return [b.get(plane) for plane in planes]


def _set(ctx: Context, op: Op, scene: Scene) -> Draft:
    at = scene.at
    assert isinstance(op.value, tuple)
    name = str(op.value[0])
    value = ctx.value(op.args[0], scene)
    side = ctx.value(op.args[1], scene) if len(op.args) > 1 else ctx.b.i(0)
    register = ctx.facts.registers[name]
    if value.type == "f":
        value = ctx.b.op("fint", value)
    if register.type == "number":
        low, high = ctx.facts.range(op.args[0])
        if low < register.low or high > register.high:
            ctx.fail_unless(is_between(ctx, value, register.low, register.high))
    registers = list(at.registers)
    slot = ctx.slots[name]
    if side.known is not None:
        if not 0 <= side.known < ctx.sides:
            ctx.b.fail()
            return at
        registers[slot + side.known] = value
        return replace(at, registers=tuple(registers))
    ctx.fail_unless(is_between(ctx, side, 0, ctx.sides - 1))
    for i in range(ctx.sides):
        here = ctx.b.op("ieq", side, ctx.b.i(i))
        registers[slot + i] = ctx.b.op("pick", here, value, registers[slot + i])
    return replace(at, registers=tuple(registers))


EFFECTS: MappingProxyType[str, Callable[[Context, Op, Scene], Draft]] = MappingProxyType(
    {
        "put": _put,
        "remove": _remove,
        "flip": _flip,
        "carry": _carry,
        "promote": _promote,
        "drop": _drop,
        "set": _set,
        "set_at": set_at,
        "when": _when,
    }
)
