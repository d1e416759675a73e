"""Kernel code for the cells from which a group has a step, as sets. See decision 174."""

from collections.abc import Sequence

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.lifted_queries import emit_cells_where
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_sets import step_sets_of_group
from rulesengine.language.ir.ops import make
from rulesengine.language.ir.rules import Group


def origins_by_direction(
    ctx: Context, scene: Environment, group: Group
) -> list[tuple[Value, Value]] | None:
    """Return the origins of a group's steps by direction, -1 for a group without directions.

    Return None if the steps have no origins, or their sets are not known.
    """
    if ctx.ban(ctx.rules.groups.index(group)) is not None:
        return None
    return origins_of_steps(ctx, scene, group)


def origins_of_steps(
    ctx: Context, scene: Environment, group: Group
) -> list[tuple[Value, Value]] | None:
    """Do the same for steps like those of a group, without a ban."""
    if not _may_be_known(ctx, group):
        return None
    none = ctx.b.i(-1)
    scene = scene.with_(from_=none, to=none, choice=none, direction=none)
    directions = _directions(ctx, scene, group)
    if directions is None:
        return None
    by_direction = [
        _origins(ctx, scene.with_(direction=direction), group) for direction in directions
    ]
    known = [cells for cells in by_direction if cells is not None]
    return list(zip(directions, known, strict=True)) if len(known) == len(by_direction) else None


def _may_be_known(ctx: Context, group: Group) -> bool:
    """True if the origins may be sets, judged by the form of the rules."""
    if group.origin is None or group.target is None:
        return False
    ops = [op for op in (group.along, group.origin, group.target, group.when) if op is not None]
    if any(map(ctx.facts.may_fail, (*ops, *group.choice))):
        return False
    read = frozenset().union(*map(ctx.facts.variables, ops))
    return not read & {"to", "choice", *(choice.name for choice in group.choices)}


def _directions(ctx: Context, scene: Environment, group: Group) -> Sequence[Value] | None:
    """Return the directions of a group's steps, -1 without any; None if they are not constant."""
    if group.along is None:
        return [ctx.b.i(-1)]
    directions = ctx.value(group.along, scene).constant
    return (
        None if directions is None else [ctx.b.i(d) for d in cells_of(directions & ctx.shape.every)]
    )


def _origins(ctx: Context, scene: Environment, group: Group) -> Value | None:
    """Return the origins of steps in the direction of a scene."""
    assert group.origin is not None
    assert group.target is not None
    conditions = [make("any", group.target), *([group.when] if group.when else [])]
    origins = ctx.value(group.origin, scene)
    for question in conditions:
        cells = emit_cells_where(ctx, question, "from", scene)
        if cells is None:
            return None
        origins = ctx.b.op("mand", origins, cells)
    return origins


def has_step(ctx: Context, at: Position, side: Value, group: Group) -> Value | None:
    """Return a flag that is true if a side has a step of a group; None if sets do not decide it."""
    scene = Environment(at, {"player": side})
    sets = step_sets_of_group(ctx, scene, group, first_steps=True)
    if sets is None:
        origins = origins_by_direction(ctx, scene, group)
        if origins is None:
            return None
        flags = [ctx.b.op("many", cells) for _, cells in origins]
    else:
        flags = [
            part.flag if part.flag is not None else ctx.b.op("many", part.cells) for part in sets
        ]
    some = ctx.b.f(False)
    for flag in flags:
        some = ctx.b.op("for", some, flag)
    return some
