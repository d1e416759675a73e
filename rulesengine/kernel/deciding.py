"""Which of many placements `forbid` lets through, decided for most of them at once."""

from dataclasses import replace

from rulesengine.ir.ops import Op
from rulesengine.ir.rules import Group
from rulesengine.kernel.code import Value
from rulesengine.kernel.context import Context
from rulesengine.kernel.facts import inside
from rulesengine.kernel.families import (
    Candidates,
    Undecided,
    flag_of,
    is_constant,
    known_family,
)
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.values import union


def decided_targets(ctx: Context, scene: Scene, group: Group, cells: Value) -> tuple[Value, Value]:
    """Targets that are surely allowed, and those that are to be asked about one by one."""
    if not decides(ctx, scene, group):
        return ctx.b.m(0), cells
    return _decide(ctx, scene, group, cells)


def decides(ctx: Context, scene: Scene, group: Group) -> bool:
    """Whether targets of a group can be decided at once at all."""
    try:
        ctx.b.inside(lambda: _decide(ctx, scene, group, ctx.b.new("m")))
    except Undecided:
        return False
    return True


def _decide(ctx: Context, scene: Scene, group: Group, cells: Value) -> tuple[Value, Value]:
    if group.forbid is None or group.kind != "place" or ctx.facts.may_fail(group.forbid):
        raise Undecided
    if not ctx.facts.is_player(ctx.rules.next):
        raise Undecided
    at = _placed(ctx, scene, group, cells)
    for effect in (*group.effects, *ctx.rules.effects):
        at = _changed(ctx, effect, at)
    forbidden = flag_of(ctx, group.forbid, at)
    doubtful = ctx.b.op("mand", cells, union(ctx, at.doubts))
    sure = ctx.b.op("mless", cells, doubtful)
    return ctx.b.op("mless", sure, forbidden), doubtful


def _placed(ctx: Context, scene: Scene, group: Group, cells: Value) -> Candidates:
    """The states after a piece is placed on each cell, before any effect."""
    assert group.piece is not None
    assert group.side is not None
    if not (is_constant(ctx, group.piece) and is_constant(ctx, group.side)):
        raise Undecided
    kind, side = ctx.value(group.piece, scene).known, ctx.value(group.side, scene).known
    if kind is None or side is None:
        raise Undecided
    number = kind * (ctx.sides + 1) + side
    if number not in ctx.layout.planes or not 0 <= side <= ctx.sides:
        raise Undecided
    here = tuple(ctx.b.m(ctx.b.full if n == number else 0) for n in ctx.layout.planes)
    return Candidates(cells, scene, scene.at, replace(scene.at, planes=here))


def _changed(ctx: Context, effect: Op, at: Candidates) -> Candidates:
    match effect.name:
        case "remove":
            gone = known_family(ctx, effect.args[0], at)
            return at.after(_without(ctx, at.rest, gone.rest), _without(ctx, at.here, gone.here))
        case "set" if len(effect.args) == 1 and isinstance(effect.value, tuple):
            # Registers are not asked about; a value that does not fit would be an error.
            register = ctx.facts.registers[str(effect.value[0])]
            value, bounds = effect.args[0], (register.low, register.high)
            fits = register.type != "number" or inside(ctx.facts.range(value), bounds)
            if fits and not ctx.facts.may_fail(value):
                return at
    raise Undecided


def _without(ctx: Context, at: Position, cells: Value) -> Position:
    return replace(at, planes=tuple(ctx.b.op("mless", p, cells) for p in at.planes))
