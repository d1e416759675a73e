"""Kernel code for the first steps of moves that go on, from all origins at once.

Where no first step goes on, the first steps are the moves. See decision 174.
"""

from dataclasses import dataclass
from itertools import combinations

from rulesengine.engine.kernel.analysis.effect_failures import EffectFailures
from rulesengine.engine.kernel.analysis.planes import EMPTY
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.path_steps import PathSteps
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_origins import origins_by_direction, origins_of_steps
from rulesengine.engine.kernel.emit.step_sets import (
    StepSet,
    any_of,
    are_distinct,
    passes_last,
    step_sets_of_branch,
    step_sets_of_group,
)
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import Op, actions, make
from rulesengine.language.ir.roles import has_role, is_conditional
from rulesengine.language.ir.rules import Group, OneOfEach
from rulesengine.support.frozen import replace


@dataclass(frozen=True, slots=True)
class SingleSteps:
    """The first steps of a tier; `are_moves` is true if there are some and none of them goes on."""

    parts: list[StepSet]
    are_moves: Value


def single_steps(ctx: Context, at: Position, side: Value, tier: int) -> SingleSteps | None:
    """Return the first steps of a tier with continuations as sets; None if they are no sets.

    `keep` must keep all of them; and groups without sets must have no steps.
    """
    groups, b = ctx.rules.tiers[tier], ctx.b
    if not any(group.then for group in groups):
        return None
    scene, parts, others = Environment(at, {"player": side}), list[StepSet](), b.m(0)
    for group in passes_last(groups):
        steps = _first_steps(ctx, scene, group)
        if steps is None:
            return None
        parts += steps[0]
        others = b.op("mor", others, steps[1])
    leaving = [_leaving(ctx, at, side, part, tier) for part in parts]
    known = [cells for cells in leaving if cells is not None]
    if not parts or len(known) < len(parts) or not are_distinct(ctx, scene, parts):
        return None
    lengths = {count for _, count in known}
    if keeps_some(ctx, tier) and len(lengths) > 1:
        return None
    out = b.op("many", union(ctx, [others, *(cells for cells, _ in known)]))
    return SingleSteps(parts, b.op("fand", any_of(ctx, parts), b.op("fnot", out)))


def _first_steps(
    ctx: Context, scene: Environment, group: Group
) -> tuple[list[StepSet], Value] | None:
    """Return first steps of a group as sets, and the origins of all others.

    If the targets depend on a condition, the steps of its first branch may be sets.
    """
    sets, b = step_sets_of_group(ctx, scene, group, first_steps=True), ctx.b
    if sets is not None:
        return sets, b.m(0)
    origins = None
    if group.target is not None and is_conditional(group.target) and group.forbid is None:
        test, then, other = group.target.args
        first = replace(group, target=then, when=_both(group.when, test))
        sets = step_sets_of_branch(ctx, scene, group, first)
        other_steps = (
            group
            if sets is None
            else replace(group, target=other, when=_both(group.when, make("deny", test)))
        )
        origins = origins_of_steps(ctx, scene, other_steps)
    else:
        origins = origins_by_direction(ctx, scene, group)
    if origins is None:
        return None
    return sets or [], union(ctx, [cells for _, cells in origins])


def _both(when: Op | None, test: Op) -> Op:
    return test if when is None else make("both", when, test)


def keeps_some(ctx: Context, tier: int) -> bool:
    """True if `keep` may drop moves of a tier."""
    return bool(ctx.rules.keep) and tier not in ctx.rules.unranked


def _leaving(
    ctx: Context, at: Position, side: Value, part: StepSet, tier: int
) -> tuple[Value, int] | None:
    """Return the origins of first steps that may go on, or that `keep` may drop.

    The number is that of captured pieces of all other steps, if `keep` counts them. Return None if
    nothing is known.
    """
    group = ctx.rules.groups[part.group]
    if group.then is None and not keeps_some(ctx, tier):
        return ctx.b.m(0), 0
    if part.path is None or group.kind != "move" or group.choice or ctx.rules.stacks is not None:
        return None
    succeeds = ctx.analysis(EffectFailures).absent_if(group)
    if succeeds is None:
        return None
    steps, state = (path_steps := PathSteps(ctx, at, side)), path_steps.state
    if state.meeting((), part.path):
        return None
    steps.make(group, part.path, part.direction)
    targets, count = ctx.b.m(0), 0
    if group.then is not None:
        targets = steps.following(group.then, part.path, part.direction)
    if keeps_some(ctx, tier):
        dropped = _dropped(ctx, steps, part)
        if dropped is None:
            return None
        targets, count = ctx.b.op("mor", targets, dropped), len(state.captured)
    if state.unknown.constant == ctx.b.full:
        return None
    safe = ctx.value(succeeds, Environment(at, {"player": side}))
    targets = ctx.b.op("mand", part.cells, ctx.b.op("mor", targets, state.unknown))
    return ctx.b.op("pick", safe, targets, part.cells), count


def _dropped(ctx: Context, steps: PathSteps, part: StepSet) -> Value | None:
    """Return the origins of steps that `keep` may drop; None if it has other filters.

    Moves with as many captured pieces are equally good. Their results differ if each takes a piece
    of the mover to an empty cell and takes no other one away: the cells with pieces of the mover
    determine the origin and the target.
    """
    b, state, path = ctx.b, steps.state, part.path or ()
    effects = (*ctx.rules.groups[part.group].effects, *ctx.rules.effects)
    if any(actions(effect) - {"removes", "promotes"} for effect in effects):
        return None
    if not all(isinstance(key, OneOfEach) or _counts_captured(key.value) for key in ctx.rules.keep):
        return None
    empty = state.ending_on(path, state.before(frozenset({EMPTY})))
    steps.finish(path, part.direction)
    targets = b.op("mor", b.op("mnot", empty), state.lost)
    paths = [path for path, _ in state.captured]
    if any(state.meeting(*two) for two in combinations(paths, 2)):
        return None
    for _, origins in state.captured:
        targets = b.op("mor", targets, b.op("mnot", origins))
    return targets


def _counts_captured(op: Op) -> bool:
    """True if a number is that of the captured pieces."""
    is_record = has_role(op, "size") and has_role(op.args[0], "record")
    return is_record and op.args[0].value == "captured"
