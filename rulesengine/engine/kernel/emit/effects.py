"""Kernel code for effects: each returns a new draft, and skips planes that cannot be affected."""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.bulk_effects import carry_each, drop, push
from rulesengine.engine.kernel.emit.cell_numbers import set_at
from rulesengine.engine.kernel.emit.cells import is_between
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import (
    Draft,
    LoopDraft,
    select_draft,
    with_changes,
    with_contents,
)
from rulesengine.engine.kernel.emit.loops import each_value
from rulesengine.engine.kernel.emit.occupancy import content_of
from rulesengine.engine.kernel.emit.piece_effects import (
    carry_piece,
    of_others,
    put_pieces,
    take_pieces,
)
from rulesengine.engine.kernel.emit.stack_carrying import carry_stack, sow
from rulesengine.engine.kernel.emit.stacks import lay, unstack
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op, bound
from rulesengine.support.limits import MAX_ROUNDS


def emit_effect(ctx: Context, op: Op, scene: Environment) -> Environment:
    """Return the scene after an effect."""
    effect = EFFECTS.get(op.name)
    if effect is None:
        raise Unsupported(f"the effect {op.name}")
    return scene.on(effect(ctx, op, scene))


def _put(ctx: Context, op: Op, scene: Environment) -> Draft:
    kind, side, cells = (ctx.value(arg, scene) for arg in op.args)
    return put_pieces(ctx, scene.at, scene, kind, side, cells, content_of(ctx, op.args[2], scene))


def _remove(ctx: Context, op: Op, scene: Environment) -> Draft:
    cells = ctx.value(op.args[0], scene)
    return take_pieces(ctx, scene.at, scene, cells, content_of(ctx, op.args[0], scene))


def _carry(ctx: Context, op: Op, scene: Environment) -> Draft:
    origin, target = (ctx.value(arg, scene) for arg in op.args)
    for cell in (origin, target):
        if not ctx.is_on_board(cell):
            ctx.fail_unless(ctx.b.op("ile", ctx.b.i(0), cell))
    return carry_piece(ctx, scene.at, scene, origin, target)


def _when(ctx: Context, op: Op, scene: Environment) -> Draft:
    other = op.args[2] if len(op.args) > 2 else None
    return select_draft(
        ctx,
        ctx.value(op.args[0], scene),
        lambda: emit_effect(ctx, op.args[1], scene).at,
        lambda: emit_effect(ctx, other, scene).at if other else scene.at,
    )


def _block(ctx: Context, op: Op, scene: Environment) -> Draft:
    for inner in op.args:
        scene = emit_effect(ctx, inner, scene)
    return scene.at


def _for(ctx: Context, op: Op, scene: Environment) -> Draft:
    assert isinstance(op.value, tuple)
    _, variable, domain, _ = op.value
    loop = LoopDraft(ctx, scene.at, op.args[1])

    def round(value: Value) -> None:
        inner = scene.on(loop.now()).with_(**{variable: value})
        loop.store(emit_effect(ctx, op.args[1], inner).at)

    each_value(ctx, op.args[0], domain, scene, round)
    return loop.after()


def _bind(ctx: Context, op: Op, scene: Environment) -> Draft:
    value = ctx.value(op.args[0], scene)
    return emit_effect(ctx, op.args[1], scene.with_(**{bound(op): value})).at


def _repeat(ctx: Context, op: Op, scene: Environment) -> Draft:
    b, body = ctx.b, op.args[0]
    loop = LoopDraft(ctx, scene.at, body)
    rounds = b.let(b.i(0))

    def round() -> None:
        before = loop.now()
        after = emit_effect(ctx, body, scene.on(before))
        loop.store(after.at)
        done = ctx.value(op.args[1], after) if len(op.args) > 1 else _same(ctx, before, after.at)
        count = b.op("iadd", b.get(rounds), b.i(1))
        b.set(rounds, count)
        over = b.op("ile", b.i(MAX_ROUNDS), count)
        b.when(b.op("fand", over, b.op("fnot", done)), b.fail)
        b.when(b.op("for", over, done), b.leave)

    b.loop(round)
    return loop.after()


def _same(ctx: Context, one: Draft, other: Draft) -> Value:
    """Return a flag that is true if two drafts have the same pieces and registers."""
    b, same = ctx.b, ctx.b.f(True)
    parts = zip((*one.planes, *one.registers), (*other.planes, *other.registers), strict=True)
    for left, right in parts:
        if left.type == "m":
            equal = b.op("meq", left, right)
        elif left.type == "f":
            equal = b.op("ieq", b.op("fint", left), b.op("fint", right))
        else:
            equal = b.op("ieq", left, right)
        same = b.op("fand", same, equal)
    return same


def _flip(ctx: Context, op: Op, scene: Environment) -> Draft:
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
        if not content >> i & 1 or same.constant == 1:
            after |= content & 1 << i
            continue
        turned = ctx.b.op("mand", before[i], cells)
        turned = ctx.b.op("pick", same, ctx.b.m(0), turned)
        planes[i] = ctx.b.op("mless", planes[i], turned)
        for to in range(ctx.sides + 1):
            is_side = ctx.b.op("ieq", side, ctx.b.i(to))
            j = place.get(kind * (ctx.sides + 1) + to)
            part = ctx.b.op("pick", is_side, turned, ctx.b.m(0))
            if j is None:
                # A piece without a symbol: the interpreter has a plane of its own for it.
                ctx.b.when(ctx.b.op("many", part), ctx.b.fail)
            elif is_side.constant != 0:
                planes[j] = ctx.b.op("mor", planes[j], part)
                after |= 1 << j
        _fail_if_lost(ctx, turned, side, ctx.sides)
        flipped = ctx.b.op("mor", flipped, turned)
        captured = ctx.b.op("mor", captured, of_others(ctx, number, mover, turned))
    after |= content & 1 << len(planes)
    if side.constant is None:
        after |= content
    new = with_changes(ctx, at, planes=planes, flipped=flipped, captured=captured)
    return with_contents(ctx, new, cells, content, after)


def _fail_if_lost(ctx: Context, pieces: Value, index: Value, last: int) -> None:
    """Fail if pieces would get a side or kind that does not exist."""
    if index.constant is not None and 0 <= index.constant <= last:
        return
    there = is_between(ctx, index, 0, last)
    ctx.b.when(ctx.b.op("fand", ctx.b.op("many", pieces), ctx.b.op("fnot", there)), ctx.b.fail)


def _promote(ctx: Context, op: Op, scene: Environment) -> Draft:
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
            is_kind = ctx.b.op("ieq", kind, ctx.b.i(k))
            part = ctx.b.op("pick", is_kind, changed, ctx.b.m(0))
            j = place.get(k * (ctx.sides + 1) + number % (ctx.sides + 1))
            if j is None:
                ctx.b.when(ctx.b.op("many", part), ctx.b.fail)
            elif is_kind.constant != 0:
                planes[j] = ctx.b.op("mor", planes[j], part)
                after |= 1 << j
        _fail_if_lost(ctx, changed, kind, len(ctx.rules.kinds) - 1)
    new = replace(at, planes=tuple(planes))
    return with_contents(ctx, new, cells, content, after)


def _ensure(ctx: Context, op: Op, scene: Environment) -> Draft:
    ctx.fail_unless(ctx.value(op.args[0], scene))
    return scene.at


def _set(ctx: Context, op: Op, scene: Environment) -> Draft:
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
    if side.constant is not None:
        if not 0 <= side.constant < ctx.sides:
            ctx.b.fail()
            return at
        registers[slot + side.constant] = value
        return replace(at, registers=tuple(registers))
    ctx.fail_unless(is_between(ctx, side, 0, ctx.sides - 1))
    for i in range(ctx.sides):
        is_side = ctx.b.op("ieq", side, ctx.b.i(i))
        registers[slot + i] = ctx.b.op("pick", is_side, value, registers[slot + i])
    return replace(at, registers=tuple(registers))


EFFECTS: MappingProxyType[str, Callable[[Context, Op, Environment], Draft]] = MappingProxyType(
    {
        "put": _put,
        "remove": _remove,
        "flip": _flip,
        "carry": _carry,
        "carry_each": carry_each,
        "push": push,
        "promote": _promote,
        "drop": drop,
        "set": _set,
        "set_at": set_at,
        "lay": lay,
        "unstack": unstack,
        "carry_stack": carry_stack,
        "sow": sow,
        "ensure": _ensure,
        "when": _when,
        "block": _block,
        "for": _for,
        "bind": _bind,
        "repeat": _repeat,
    }
)
