"""Kernel code for legal steps as sets, where the groups of a tier allow it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.duplicate_steps import have_no_equal_steps, step_forms
from rulesengine.engine.kernel.emit.lifted_queries import emit_cells_where, with_constants
from rulesengine.engine.kernel.emit.make_move import StepValue, remark, same_effect
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_bans import is_allowed
from rulesengine.language.ir.ops import Op, contained_in, make
from rulesengine.language.ir.roles import constant, has_role, is_single, reads_variable
from rulesengine.language.ir.rules import Group, operations


@dataclass(frozen=True, slots=True)
class StepSet:
    """The steps of a group and a direction as a set; `path` leads from the origin to the target.

    Without `path` the set contains the targets. With `flag` there is one step without cells. The
    steps may have a `choice`.
    """

    group: int
    direction: Value
    cells: Value
    flag: Value | None = None
    path: tuple[int, ...] | None = None
    choice: int | None = None


def step_sets_of_tier(
    ctx: Context, at: Position, player: Value, tier: tuple[Group, ...]
) -> list[StepSet] | None:
    """Return the steps of a tier as sets in order; None if some group is no set."""
    sets, scene = list[StepSet](), Environment(at, {"player": player})
    for group in passes_last(tier):
        new = step_sets_of_group(ctx, scene, group)
        if new is None:
            return None
        # A step that is constantly absent is no part.
        sets += [part for part in new if part.flag is None or part.flag.constant != 0]
    return sets if are_distinct(ctx, scene, sets) else None


def step_sets_of_group(
    ctx: Context, scene: Environment, group: Group, first_steps: bool = False
) -> list[StepSet] | None:
    """Return the steps of a group as sets; `first_steps` allows a group with continuations."""
    number = ctx.rules.groups.index(group)
    if not may_be_sets(ctx, group) or (group.then and not first_steps):
        return None
    ctx.b.note(remark(group))
    none = ctx.b.i(-1)
    scene = scene.with_(from_=none, to=none, choice=none, direction=none)
    return _parts(ctx, scene, group, number)


def _parts(ctx: Context, scene: Environment, group: Group, number: int) -> list[StepSet] | None:
    """Return the steps of a group with one choice or none as sets, by direction."""
    if group.along is None:
        return _targets(ctx, scene, group, number)
    along = ctx.value(group.along, scene)
    if along.constant is None:
        return None
    sets = []
    for d in cells_of(along.constant & ctx.shape.every):
        part = _origins(ctx, scene.with_(direction=ctx.b.i(d)), group, number, d)
        if part is None:
            return None
        sets.append(part)
    return sets


def step_sets_of_choices(ctx: Context, scene: Environment, group: Group) -> list[StepSet] | None:
    """Return the steps of a group with choices that come before its cells, a set for each choice.

    Other groups are as in `step_sets_of_group`.
    """
    if not group.chooses_first:
        return step_sets_of_group(ctx, scene, group)
    number, sets, none = ctx.rules.groups.index(group), list[StepSet](), ctx.b.i(-1)
    if group.then is not None:
        return None
    for op in group.choice:
        choice = ctx.b.i(int(str(op.value)))
        known = Environment(scene.at, {"choice": choice})
        when = group.when and with_constants(ctx, group.when, "", known)
        alone = replace(group, when=when, choice=())
        here = scene.with_(from_=none, to=none, choice=choice, direction=none)
        parts = _parts(ctx, here, alone, number) if may_be_sets(ctx, alone) else None
        if parts is None:
            return None
        sets += [replace(part, choice=choice.constant) for part in parts]
    return sets


def step_sets_of_branch(
    ctx: Context, scene: Environment, group: Group, branch: Group
) -> list[StepSet] | None:
    """Return the steps of a group that are those of a `branch` of it, as sets."""
    if not may_be_sets(ctx, branch):
        return None
    none = ctx.b.i(-1)
    scene = scene.with_(from_=none, to=none, choice=none, direction=none)
    return _parts(ctx, scene, branch, ctx.rules.groups.index(group))


def may_be_sets(ctx: Context, group: Group) -> bool:
    """True if steps of a group may be sets, judged by the form of its rules."""
    ops = (group.along, group.origin, group.target, group.when)
    if group.choice or any(ctx.facts.may_fail(op) for op in ops if op is not None):
        return False
    if group.along is None:
        return group.origin is None
    return group.origin is not None and group.target is not None


def _targets(ctx: Context, scene: Environment, group: Group, number: int) -> list[StepSet] | None:
    none = ctx.b.i(-1)
    if group.target is None:
        flag = ctx.value(group.when, scene) if group.when else ctx.b.f(True)
        if group.forbid is not None:
            step = StepValue(number, none, none, none, none)
            flag = ctx.b.choose(
                flag, lambda: is_allowed(ctx, scene, group, step), lambda: ctx.b.f(False)
            )
        return [StepSet(number, none, ctx.b.m(0), flag)]
    cells = ctx.value(group.target, scene)
    if group.when is not None:
        allowed = emit_cells_where(ctx, group.when, "to", scene)
        if allowed is None:
            return None
        cells = ctx.b.op("mand", cells, allowed)
    if group.forbid is not None:
        cells = _filtered(ctx, scene, group, cells, number)
    return [StepSet(number, none, cells)]


def _filtered(ctx: Context, scene: Environment, group: Group, cells: Value, number: int) -> Value:
    """Return the targets that `forbid` allows."""
    key = number, scene.variables["player"], scene.at.values()
    if is_computed(ctx, *key):
        return ctx.target_cache[key][1]
    none = ctx.b.i(-1)
    decided = group.decided
    sure = ctx.value(decided.allowed, scene) if decided else ctx.b.m(0)
    doubtful = ctx.value(decided.doubtful, scene) if decided else cells
    targets = ctx.b.let(sure)

    def test(cell: Value) -> None:
        step = StepValue(number, none, none, cell, none)
        flag = is_allowed(ctx, scene.with_(to=cell), group, step)

        def add() -> None:
            more = ctx.b.op("mor", ctx.b.get(targets), ctx.b.op("mcell", cell))
            ctx.b.set(targets, more)

        ctx.b.when(flag, add)

    ctx.each_cell(doubtful, test)
    ctx.target_cache[key] = ctx.b.scope(), ctx.b.get(targets)
    return ctx.target_cache[key][1]


def is_computed(ctx: Context, group: int, player: Value, at: tuple[Value, ...]) -> bool:
    """True if the targets that `forbid` allows a group in a state are already computed here."""
    key = group, player, at
    return key in ctx.target_cache and ctx.b.reaches(ctx.target_cache[key][0])


def _origins(
    ctx: Context, scene: Environment, group: Group, number: int, direction: int
) -> StepSet | None:
    """Return the steps from each origin to the one cell at the end of a path."""
    assert group.origin is not None
    assert group.target is not None
    if group.forbid is not None or "to" in ctx.facts.variables(group.target):
        return None
    if group.when is not None and "to" in ctx.facts.variables(group.when):
        return None
    path = _path(ctx, group.target, direction)
    if path is None:
        return None
    cells = ctx.value(group.origin, scene)
    if group.when is not None:
        allowed = emit_cells_where(ctx, group.when, "from", scene)
        if allowed is None:
            return None
        cells = ctx.b.op("mand", cells, allowed)
    there = emit_cells_where(ctx, make("any", group.target), "from", scene)
    if there is None:
        return None
    return StepSet(number, ctx.b.i(direction), ctx.b.op("mand", cells, there), None, path)


def _path(ctx: Context, op: Op, direction: int) -> tuple[int, ...] | None:
    """Return the directions from the origin to the only possible cell of a set."""
    if is_single(op, "from"):
        return ()
    if has_role(op, "shift"):
        path = _path(ctx, op.args[0], direction)
        for way in op.args[1:]:
            known = one_direction(ctx, way, direction)
            if path is None or known is None:
                return None
            path = (*path, known)
        return path
    if has_role(op, "meet", "difference"):
        paths = (_path(ctx, superset, direction) for superset in contained_in(op))
        return next((path for path in paths if path is not None), None)
    return None


def leads_along_paths(ctx: Context, group: Group) -> bool:
    """True if a step of a group in a direction leads along a fixed path."""
    if group.along is None or group.origin is None or group.target is None:
        return False
    return _path(ctx, group.target, 0) is not None


def one_direction(ctx: Context, op: Op, direction: int) -> int | None:
    if is_single(op):
        return direction if is_single(op, "direction") else None
    directions = constant(op)
    return (
        directions.bit_length() - 1
        if directions is not None and directions.bit_count() == 1
        else None
    )


def are_distinct(ctx: Context, scene: Environment, parts: list[StepSet]) -> bool:
    """True if no step can be in two parts."""
    seen: dict[tuple[str, int, str], list[StepSet]] = {}
    for part in parts:
        kind, written = ctx.rules.groups[part.group].kind, ctx.analysis(step_forms)[part.group][0]
        form = "flag" if part.flag is not None else "to" if part.path is None else "from"
        seen.setdefault((kind, written, form), []).append(part)
    return all(
        _are_apart(ctx, scene, *two) for alike in seen.values() for two in combinations(alike, 2)
    )


def _are_apart(ctx: Context, scene: Environment, one: StepSet, other: StepSet) -> bool:
    """True if no step can be in both of two parts of the same kind and form."""
    if one.path is not None and other.path is not None:
        ends = (
            [end_of(ctx, c, p.path or ()) for p in (one, other)] for c in range(ctx.shape.cells)
        )
        if all(first != second or first < 0 for first, second in ends):
            return True
    return one.group != other.group and have_no_equal_steps(ctx, scene, one.group, other.group)


def end_of(ctx: Context, cell: int, path: tuple[int, ...]) -> int:
    """Return the cell at the end of a path; -1 off the board."""
    for direction in path:
        cell = ctx.shape.targets[direction][cell] if cell >= 0 else -1
    return cell


def step_of(ctx: Context, part: StepSet, cell: Value) -> StepValue:
    """Return the step of a part at a cell of its set."""
    none = ctx.b.i(-1)
    ctx.cells_on_board.add(cell)
    if part.flag is not None:
        return StepValue(part.group, none, none, none, none)
    if part.path is None:
        return StepValue(part.group, none, none, cell, none)
    ends = [end_of(ctx, c, part.path) for c in range(ctx.shape.cells)]
    deltas = {end - c for c, end in enumerate(ends) if end >= 0}
    if len(deltas) == 1:
        target = ctx.b.op("iadd", cell, ctx.b.i(deltas.pop()))
    else:
        target = ctx.b.op("ilook", cell, detail=Table("i", tuple(ends)))
    ctx.cells_on_board.add(target)
    return StepValue(part.group, part.direction, cell, target, none)


def select_step(ctx: Context, parts: Sequence[StepSet], index: Value) -> StepValue | None:
    """Return the step of an index among parts with equal effects, without branches; else None."""
    numbers = [part.group for part in parts]
    if any(part.path is None for part in parts) or not have_same_effects(ctx, numbers):
        return None
    origins, targets, direction = ctx.b.m(0), ctx.b.m(0), ctx.b.i(-1)
    before, relations = ctx.b.i(0), [ctx.shape.path(part.path or ()) for part in parts]
    most = sum(mask.bit_count() for moves in relations for mask in moves.masks)
    for part, moves in zip(parts, relations, strict=True):
        left = ctx.b.op("isub", index, before)
        cell = ctx.b.op("mtake", part.cells, left, detail=most)
        origins = ctx.b.op("mor", origins, cell)
        targets = ctx.b.op("mor", targets, ctx.b.op("mstep", cell, detail=moves))
        direction = ctx.b.op("pick", ctx.b.op("many", cell), part.direction, direction)
        before = ctx.b.op("iadd", before, count_of(ctx, part))
    origin, target = ctx.b.cell_of(origins), ctx.b.cell_of(targets)
    ctx.cells_on_board |= {origin, target}
    none = ctx.b.i(-1)
    return StepValue(numbers[0], direction, origin, target, none, tuple(set(numbers[1:])))


def have_same_effects(ctx: Context, numbers: list[int]) -> bool:
    """True if steps of these groups have the same effects in all directions."""
    if any(ctx.rules.groups[n].kind != "move" for n in numbers):
        return False
    for number in numbers:
        same, reads_direction = same_effect(ctx, numbers[0], number)
        if not same or reads_direction:
            return False
    after = operations((ctx.rules.effects, ctx.rules.next))
    return not any(reads_variable(op, "direction") for op in after)


def count_of(ctx: Context, part: StepSet) -> Value:
    if part.flag is not None:
        return ctx.b.op("fint", part.flag)
    return ctx.b.op("mcount", part.cells)


def count_of_all(ctx: Context, parts: Sequence[StepSet]) -> Value:
    count = ctx.b.i(0)
    for part in parts:
        count = ctx.b.op("iadd", count, count_of(ctx, part))
    return count


def any_of(ctx: Context, parts: Sequence[StepSet]) -> Value:
    """Return a flag that is true if any of the parts has a step."""
    some = ctx.b.f(False)
    for part in parts:
        flag = part.flag if part.flag is not None else ctx.b.op("many", part.cells)
        some = ctx.b.op("for", some, flag)
    return some


def passes_last(tier: tuple[Group, ...]) -> Iterator[Group]:
    """Return the groups of a tier, passes last."""
    return iter(sorted(tier, key=lambda group: group.kind == "pass"))
