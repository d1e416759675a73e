"""Kernel code for bans of steps that cannot change them: the ban is computed once for a state.

See decision 146.
"""

from dataclasses import replace

from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import StateBan
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import Op


def state_ban(ctx: Context, scene: Environment, number: int) -> StateBan | None:
    """Return the ban of a group in a state; None if its steps may change it anywhere."""
    ban, player = ctx.ban(number), scene.variables["player"]
    if ban is None or player.constant is None:
        return None
    region = ctx.analysis(BanRegions).of(ctx.rules.groups[number], ban)
    if region is None:
        return None
    key = id(ban), player, scene.at.values()
    if key in ctx.state_bans and ctx.b.reaches(ctx.state_bans[key][0]):
        found = ctx.state_bans[key][1]
    else:
        found = _call(ctx, ban, region, player.constant, scene.at)
        ctx.state_bans[key] = ctx.b.scope(), found
    return StateBan(*found)


def _call(ctx: Context, ban: Op, region: Op, player: int, at: Position) -> tuple[Value, Value]:
    """Call the function that returns a region and the ban in a state."""
    number = next(i for i in range(len(ctx.rules.groups)) if ctx.ban(i) == ban)
    word = "state_ban_answer" if ctx.answers else "state_ban"
    name = ctx.named(f"{word}_{number}_{player}")
    if name not in ctx.b.module.functions:
        with ctx.b.function(name, ctx.layout.types, ("m", "f"), pure=True) as values:
            side = ctx.b.i((player + 1) % ctx.sides)
            here = Position.of(ctx.layout, values, side)
            scene = Environment(here, {"player": ctx.b.i(player)})
            ctx.b.emit_return(ctx.value(region, scene), ctx.value(ban, scene))
    first, second = ctx.b.call(name, *replace(at, side=ctx.b.i(player)).values())
    return first, second
