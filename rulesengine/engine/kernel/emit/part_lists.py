"""Kernel code that lists the moves of one part of a tier: a group and a direction.

See decision 167.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rulesengine.engine.kernel.analysis.ban_bounds import BansOfMovers
from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.effect_failures import EffectFailures
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.lifted_queries import with_constants
from rulesengine.engine.kernel.emit.move_list import LIST_TYPES, LISTS, push_step
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.steps import each_step
from rulesengine.engine.kernel.emit.untouched_bans import BAN_TYPES, BanValues, ban_values
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import Group

EVERY = -1  # as a direction: all directions of a group


@dataclass(frozen=True, slots=True)
class Part:
    """The steps of a group in one direction, or in all of them."""

    group: int
    direction: int


def scene_of(ctx: Context, at: Position, side: Value) -> Environment:
    none = ctx.b.i(-1)
    scene = Environment(at, {"player": side})
    return scene.with_(from_=none, to=none, choice=none, direction=none)


def is_counted(ctx: Context, group: Group) -> bool:
    """True if most steps of a group are counted by the sizes of target sets."""
    target, ban = group.target, group.forbid
    if target is None or ban is None or group.when is not None or ctx.facts.may_fail(target):
        return False
    if (group.kind == "move") != (group.origin is not None):
        return False
    has_region = ctx.analysis(BanRegions).of(group, ban) is not None
    has_bounds = ctx.analysis(BansOfMovers).of(group, ban) is not None
    return has_region and has_bounds and ctx.analysis(EffectFailures).absent_if(group) is not None


def parts_of(ctx: Context, at: Position, side: Value) -> list[Part]:
    """Return the parts of all groups, in the order of their moves."""
    parts = []
    for number, group in enumerate(ctx.rules.groups):
        ways = None
        if group.along is not None and is_counted(ctx, group):
            scene = Environment(at, {"player": side})
            ways = constant(with_constants(ctx, group.along, "", scene))
        directions = [EVERY] if ways is None else cells_of(ways & ctx.shape.every)
        parts += [Part(number, direction) for direction in directions]
    return parts


def _bans(ctx: Context, at: Position, side: Value) -> list[BanValues | None]:
    """Return the values of the ban of each group, which are known for most steps."""
    numbers = range(len(ctx.rules.groups))
    return [ban_values(ctx, scene_of(ctx, at, side), number) for number in numbers]


def list_part(ctx: Context, at: Position, side: Value, part: Value, origins: Value) -> None:
    """List the moves of the part of a number, with origins in a set, in list 1."""
    name, bans = ctx.named(f"list_part_{side.constant}"), _bans(ctx, at, side)
    distinct = list(dict.fromkeys(ban for ban in bans if ban is not None))
    places = [None if ban is None else distinct.index(ban) for ban in bans]
    if name not in ctx.b.module.functions:
        _list_function(ctx, name, side, places, len(distinct))
    arguments = (value for ban in distinct for value in ban)
    ctx.b.call(name, *ctx.lists, *at.values(), part, origins, *arguments)


def _list_function(
    ctx: Context, name: str, side: Value, places: Sequence[int | None], distinct: int
) -> None:
    """Emit the function of `list_part`; `places` has the ban of each group among the distinct."""
    state = LISTS + len(ctx.layout.types)
    types = (*LIST_TYPES, *ctx.layout.types, "i", "m", *(BAN_TYPES * distinct))
    outer = ctx.lists
    with ctx.b.function(name, types, ()) as values:
        ctx.lists = list(values[:LISTS])
        at = Position.of(ctx.layout, values[LISTS:state])
        part, origins, *rest = values[state:]
        size = len(BAN_TYPES)
        starts = range(0, len(rest), size)
        batches = [(a, b, c, d, e) for a, b, c, d, e in (rest[k : k + size] for k in starts)]
        bans = [None if place is None else batches[place] for place in places]
        _list_each(ctx, at, side, part, origins, bans)
        ctx.b.emit_return()
    ctx.lists = outer


def _list_each(
    ctx: Context,
    at: Position,
    side: Value,
    part: Value,
    origins: Value,
    bans: Sequence[BanValues | None],
) -> None:
    """List the moves of the part of a number: one branch for each part."""
    b, moves = ctx.b, ctx.lists[1]
    scene = Environment(at, {"player": side})

    def emit(one: Part) -> None:
        cells = origins if ctx.rules.groups[one.group].origin is not None else None
        directions = None if one.direction == EVERY else b.i(1 << one.direction)
        push = partial(push_step, ctx, moves)
        each_step(ctx, scene, one.group, push, cells, directions, bans[one.group])

    for number, one in enumerate(parts_of(ctx, at, side)):
        b.when(b.op("ieq", part, b.i(number)), partial(emit, one))
