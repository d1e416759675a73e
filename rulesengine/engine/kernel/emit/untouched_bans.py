"""Kernel code for bans of steps that cannot change them: the ban is computed once for a state.

Most steps are of pieces that are not pinned while no king is in check: for these, the ban is known.
See decisions 146 and 181.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulesengine.engine.kernel.analysis.ban_bounds import BanBounds, BansOfMovers
from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.analysis.effect_failures import EffectFailures
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import StateBan
from rulesengine.engine.kernel.emit.occupancy import content_of
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import Op


@dataclass(frozen=True, slots=True)
class _Ban:
    """A ban with its region and its bounds, if it has any, for one player."""

    condition: Op
    region: Op
    bounds: BanBounds | None
    player: int


def state_ban(ctx: Context, scene: Environment, number: int) -> StateBan | None:
    """Return the ban of a group in a state; None if its steps may change it anywhere."""
    condition, player = ctx.ban(number), scene.variables["player"]
    if condition is None or player.constant is None:
        return None
    group = ctx.rules.groups[number]
    region = ctx.analysis(BanRegions).of(group, condition)
    if region is None:
        return None
    bounds = ctx.analysis(BansOfMovers).of(group, condition)
    key = id(condition), bounds is None, player, scene.at.values()
    if key in ctx.state_bans and ctx.b.reaches(ctx.state_bans[key][0]):
        found = ctx.state_bans[key][1]
    else:
        found = _call(ctx, _Ban(condition, region, bounds, player.constant), scene.at)
        ctx.state_bans[key] = ctx.b.scope(), found
    exceptions = ctx.analysis(BanRegions).exceptions(group) or ()
    succeeds = ctx.analysis(EffectFailures).absent_if(group)
    safe = None if succeeds is None else ctx.value(succeeds, scene)
    return StateBan(*found, exceptions, safe)


def _call(ctx: Context, ban: _Ban, at: Position) -> tuple[Value, Value, Value]:
    """Call the function of a ban in a state: the targets, the origins, and the ban."""
    number = next(i for i in range(len(ctx.rules.groups)) if ctx.ban(i) == ban.condition)
    word = "state_ban_answer" if ctx.answers else "state_ban"
    suffix = "" if ban.bounds is None else "_bounded"
    name = ctx.named(f"{word}_{number}_{ban.player}{suffix}")
    if name not in ctx.b.module.functions:
        opened = _opened(ctx, ban, name)
        with ctx.b.function(name, ctx.layout.types, ("m", "m", "f"), pure=True) as values:
            side = ctx.b.i((ban.player + 1) % ctx.sides)
            here = Position.of(ctx.layout, values, side)
            scene = Environment(here, {"player": ctx.b.i(ban.player)})
            ctx.b.emit_return(*_values(ctx, ban, scene, opened))
    first, second, third = ctx.b.call(name, *replace(at, side=ctx.b.i(ban.player)).values())
    return first, second, third


def _values(
    ctx: Context, ban: _Ban, scene: Environment, opened: Callable[[Position, Value], Value]
) -> tuple[Value, Value, Value]:
    """Return the targets and the origins of steps that may change a ban, and the ban."""
    b, bounds = ctx.b, ban.bounds
    region, holds = ctx.value(ban.region, scene), ctx.value(ban.condition, scene)
    if bounds is None:
        return region, region, holds
    anchors, movers = ctx.value(bounds.anchors, scene), ctx.value(bounds.movers, scene)
    around = b.op("mand", region, movers)
    is_watched = b.op("for", holds, ctx.value(bounds.bound, scene))
    targets = b.op("mor", b.op("pick", is_watched, region, b.m(0)), anchors)
    pinned = b.let(b.m(0))

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
    return targets, b.op("mor", b.get(pinned), anchors), holds


def _opened(ctx: Context, ban: _Ban, name: str) -> Callable[[Position, Value], Value]:
    """Return a function that evaluates the part of a ban that emptied cells can make true."""
    bounds, inner = ban.bounds, f"{name}_opened"
    if bounds is None:
        return lambda at, cells: ctx.b.f(False)
    with ctx.b.function(inner, (*ctx.layout.types, "m"), ("f",), pure=True) as values:
        *state, cells = values
        side = ctx.b.i((ban.player + 1) % ctx.sides)
        here = Position.of(ctx.layout, tuple(state), side)
        scene = Environment(here, {"player": ctx.b.i(ban.player)})
        planes = _without(ctx, bounds.movers, scene, cells)
        ctx.b.emit_return(ctx.value(bounds.opened, scene.on(replace(here, planes=planes))))
    return lambda at, cells: ctx.b.call(inner, *at.values(), cells)[0]


def _without(ctx: Context, movers: Op, scene: Environment, cells: Value) -> tuple[Value, ...]:
    """Return the planes of a state without the movers on some cells."""
    may = content_of(ctx, movers, scene)
    planes = enumerate(scene.at.planes)
    return tuple(ctx.b.op("mless", p, cells) if may >> i & 1 else p for i, p in planes)
