"""Effects as kernel code: each gives a new draft; what cannot be on a cell is not looked for."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from rulesengine.ir.ops import Op
from rulesengine.kernel.analysis.shape import cells_of
from rulesengine.kernel.code.form import Instr, Value
from rulesengine.kernel.emit.cells import is_between
from rulesengine.kernel.emit.context import Context, Unsupported
from rulesengine.kernel.emit.occupancy import anything, content_of
from rulesengine.kernel.emit.scene import RECORDS, Position, Scene
from rulesengine.kernel.emit.values import union

Draft = Position


def drafted(ctx: Context, at: Position) -> Draft:
    """A draft of a state, with nothing changed so far."""
    nothing = dict.fromkeys(RECORDS, ctx.b.m(0))
    return replace(at, record=MappingProxyType(nothing))


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
    new = _recorded(ctx, at, scene, planes=planes, placed=cells)
    return _known_after(ctx, new, cells, content, after if known else after | content)


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
    new = _recorded(ctx, at, scene, planes=planes, removed=removed, captured=captured)
    return _known_after(ctx, new, cells, content, 1 << len(planes))


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
    new = _recorded(ctx, at, scene, planes=planes, moved=end)
    carried = sum(1 << i for i in sources)
    new = _known_after(ctx, new, end, targets, carried)
    return _known_after(ctx, new, start, carried, 1 << len(planes))


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
    new = _recorded(ctx, at, scene, planes=planes, flipped=flipped, captured=captured)
    return _known_after(ctx, new, cells, content, after)


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
    return _known_after(ctx, new, cells, content, after)


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


def _recorded(
    ctx: Context, at: Draft, scene: Scene, *, planes: list[Value], **changed: Value
) -> Draft:
    """A draft with new planes, and what has changed added to its record."""
    assert at.record is not None
    record = {
        name: ctx.b.op("mor", cells, changed[name]) if name in changed else cells
        for name, cells in at.record.items()
    }
    return replace(at, planes=tuple(planes), record=MappingProxyType(record))


def either_draft(
    ctx: Context, flag: Value, then: Callable[[], Draft], other: Callable[[], Draft]
) -> Draft:
    """One of two drafts."""
    if flag.known is not None:
        return then() if flag.known else other()
    drafts: list[Draft] = []
    blocks = [ctx.b.inside(lambda f=f: drafts.append(f())) for f in (then, other)]  # type: ignore[misc]
    first, second = ([*_parts(draft)] for draft in drafts)
    merged: list[Value] = []
    before: list[Instr] = []
    after: list[Instr] = []
    for a, b in zip(first, second, strict=True):
        if a == b:
            merged.append(a)
            continue
        var, out = ctx.b.var(a.type), ctx.b.new(a.type)
        before.append(Instr("let", (ctx.b.const(a.type, 0),), (var,)))
        blocks[0].append(Instr("set", (var, a)))
        blocks[1].append(Instr("set", (var, b)))
        after.append(Instr("get", (var,), (out,)))
        merged.append(out)
    for instr in (*before, Instr("if", (flag,), (), None, (blocks[0], blocks[1])), *after):
        ctx.b.add(instr)
    return _rebuilt(drafts[0], merged, _common(drafts[0].content, drafts[1].content))


def _known_after(ctx: Context, at: Draft, cells: Value, before: int, after: int) -> Draft:
    """A draft of which is known what is on these cells now."""
    content = {}
    for other, may in at.content.items():
        content[other] = may if not may & before else may | after
    if cells.known != 0:
        content[cells] = after
    return replace(at, content=MappingProxyType(content))


def _parts(at: Draft) -> list[Value]:
    assert at.record is not None
    return [*at.values(), *at.record.values()]


def _rebuilt(form: Draft, parts: list[Value], content: Mapping[Value, int]) -> Draft:
    """A draft of the form of another."""
    assert form.record is not None
    planes, registers = len(form.planes), len(form.registers)
    rest = parts[planes + 1 + registers :]
    seats = rest.pop(0) if form.seats is not None else None
    history = rest.pop(0) if form.history is not None else None
    kept = tuple(rest.pop(0) for _ in form.kept)
    record = dict(zip(form.record, rest, strict=True))
    return replace(
        form,
        planes=tuple(parts[:planes]),
        side=parts[planes],
        registers=tuple(parts[planes + 1 : planes + 1 + registers]),
        seats=seats,
        history=history,
        kept=kept,
        record=MappingProxyType(record),
        content=MappingProxyType(dict(content)),
    )


def _common(a: Mapping[Value, int], b: Mapping[Value, int]) -> dict[Value, int]:
    return {cells: a[cells] | b[cells] for cells in a if cells in b}


EFFECTS: MappingProxyType[str, Callable[[Context, Op, Scene], Draft]] = MappingProxyType(
    {
        "put": _put,
        "remove": _remove,
        "flip": _flip,
        "carry": _carry,
        "promote": _promote,
        "set": _set,
        "when": _when,
    }
)
