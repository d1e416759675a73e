"""Kernel code for bans of steps that cannot change them: the ban is computed once for a state.

Most steps are of pieces that are not pinned while no king is in check: for these, the ban is known.
See decisions 146, 166 and 168.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulesengine.engine.kernel.analysis.ban_bounds import BanBounds, BansOfMovers
from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.analysis.effect_failures import EffectFailures
from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.occupancy import content_of
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_bans import StateBan
from rulesengine.engine.kernel.passes.anchor_bans import AnchorBans
from rulesengine.language.ir.ops import Op

BanValues = tuple[Value, Value, Value, Value, Value]
BAN_TYPES: tuple[Type, ...] = ("m", "m", "f", "m", "m")


@dataclass(frozen=True, slots=True)
class _Ban:
    """A ban with its region and its bounds, if it has any, for one player.

    `forbidden` are the targets that it forbids to the only anchor.
    """

    condition: Op
    region: Op
    bounds: BanBounds | None
    forbidden: Op | None
    player: int


def state_ban(ctx: Context, scene: Environment, number: int) -> StateBan | None:
    """Return the ban of a group in a state; None if its steps may change it anywhere."""
    values = ban_values(ctx, scene, number)
    return None if values is None else ban_of_values(ctx, scene, number, values)


def ban_values(ctx: Context, scene: Environment, number: int) -> BanValues | None:
    """Return the first fields of a `StateBan`, computed once for a state; None as `state_ban`."""
    condition, player = ctx.ban(number), scene.variables["player"]
    if condition is None or player.constant is None:
        return None
    group = ctx.rules.groups[number]
    region = ctx.analysis(BanRegions).of(group, condition)
    if region is None:
        return None
    bounds = ctx.analysis(BansOfMovers).of(group, condition)
    forbidden = None if bounds is None else ctx.analysis(AnchorBans).of(condition)
    key = id(condition), bounds is None, player, scene.at.values()
    if key not in ctx.state_bans or not ctx.b.reaches(ctx.state_bans[key][0]):
        ban = _Ban(condition, region, bounds, forbidden, player.constant)
        ctx.state_bans[key] = ctx.b.scope(), _call(ctx, ban, scene.at)
    return ctx.state_bans[key][1]


def ban_of_values(ctx: Context, scene: Environment, number: int, values: BanValues) -> StateBan:
    """Return the ban of a group with known fields."""
    group = ctx.rules.groups[number]
    exceptions = ctx.analysis(BanRegions).exceptions(group) or ()
    succeeds = ctx.analysis(EffectFailures).absent_if(group)
    safe = None if succeeds is None else ctx.value(succeeds, scene)
    if not ctx.analysis(AnchorBans).applies(group):
        values = (*values[:3], ctx.b.m(0), ctx.b.m(0))
    return StateBan(*values, exceptions, safe)


def _call(ctx: Context, ban: _Ban, at: Position) -> BanValues:
    """Call the function of a ban in a state."""
    number = next(i for i in range(len(ctx.rules.groups)) if ctx.ban(i) == ban.condition)
    word = "state_ban_answer" if ctx.answers else "state_ban"
    word += "" if ban.bounds is None else "_bounded"
    name = ctx.named(f"{word}_{number}_{ban.player}")
    if name not in ctx.b.module.functions:
        opened = _opened(ctx, ban, ctx.named(f"{word}_opened_{number}_{ban.player}"))
        with ctx.b.function(name, ctx.layout.types, BAN_TYPES, pure=True) as values:
            side = ctx.b.i((ban.player + 1) % ctx.sides)
            here = Position.of(ctx.layout, values, side)
            scene = Environment(here, {"player": ctx.b.i(ban.player)})
            ctx.b.emit_return(*_values(ctx, ban, scene, opened))
    returned = ctx.b.call(name, *replace(at, side=ctx.b.i(ban.player)).values())
    first, second, third, fourth, fifth = returned
    return first, second, third, fourth, fifth


def _values(
    ctx: Context, ban: _Ban, scene: Environment, opened: Callable[[Position, Value], Value]
) -> BanValues:
    """Return the fields of a `StateBan`."""
    b, bounds, none = ctx.b, ban.bounds, ctx.b.m(0)
    region, holds = ctx.value(ban.region, scene), ctx.value(ban.condition, scene)
    if bounds is None:
        return region, region, holds, none, none
    anchors, movers = ctx.value(bounds.anchors, scene), ctx.value(bounds.movers, scene)
    around = b.op("mand", region, movers)
    is_watched = b.op("for", holds, ctx.value(bounds.bound, scene))
    targets = b.op("mor", b.op("pick", is_watched, region, none), anchors)
    pinned = b.let(none)

    def pin(cell: Value) -> None:
        one = b.op("mcell", cell)
        b.when(opened(scene.at, one), lambda: b.set(pinned, b.op("mor", b.get(pinned), one)))

    def find() -> None:
        b.when(opened(scene.at, around), lambda: ctx.each_cell(around, pin), odds="seldom")

    b.when(
        is_watched,
        lambda: b.set(pinned, region),
        lambda: b.when(b.op("many", around), find),
        "seldom",
    )
    lone, forbidden = _of_anchor(ctx, ban, scene, anchors)
    return targets, b.op("mor", b.get(pinned), anchors), holds, lone, forbidden


def _of_anchor(ctx: Context, ban: _Ban, scene: Environment, anchors: Value) -> tuple[Value, Value]:
    """Return the only anchor and the targets that a ban forbids to it, if these are known."""
    b = ctx.b
    if ban.forbidden is None:
        return b.m(0), b.m(0)
    is_one = b.op("ieq", b.op("mcount", anchors), b.i(1))
    lone = b.op("pick", is_one, anchors, b.m(0))
    forbidden = b.let(b.m(0))

    def find(cell: Value) -> None:
        cells = ctx.value(ban.forbidden, scene.with_(from_=cell)) if ban.forbidden else b.m(0)
        b.set(forbidden, cells)

    ctx.each_cell(lone, find)
    return lone, b.get(forbidden)


def _opened(ctx: Context, ban: _Ban, name: str) -> Callable[[Position, Value], Value]:
    """Return a function that evaluates the part of a ban that emptied cells can make true."""
    bounds = ban.bounds
    if bounds is None:
        return lambda at, cells: ctx.b.f(False)
    with ctx.b.function(name, (*ctx.layout.types, "m"), ("f",), pure=True) as values:
        *state, cells = values
        side = ctx.b.i((ban.player + 1) % ctx.sides)
        here = Position.of(ctx.layout, tuple(state), side)
        scene = Environment(here, {"player": ctx.b.i(ban.player)})
        planes = _without(ctx, bounds.movers, scene, cells)
        ctx.b.emit_return(ctx.value(bounds.opened, scene.on(replace(here, planes=planes))))
    return lambda at, cells: ctx.b.call(name, *at.values(), cells)[0]


def _without(ctx: Context, movers: Op, scene: Environment, cells: Value) -> tuple[Value, ...]:
    """Return the planes of a state without the movers on some cells."""
    may = content_of(ctx, movers, scene)
    planes = enumerate(scene.at.planes)
    return tuple(ctx.b.op("mless", p, cells) if may >> i & 1 else p for i, p in planes)
