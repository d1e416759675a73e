"""Kernel code for the playout policy of a search: the best moves by a strategy's keys.

See decision 082.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.chance import is_chance, with_branches
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.lifted_queries import cells_where, emit_cells_where
from rulesengine.engine.kernel.emit.move_choice import (
    by_tiers,
    filter_best,
    list_legal,
    position_of,
)
from rulesengine.engine.kernel.emit.move_list import LIST_TYPES, LISTS
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MoveSet, MovesInSets
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_sets import StepSet, any_of, count_of_all
from rulesengine.language.ir.ops import OPS, Op, walk
from rulesengine.language.ir.roles import is_conditional, is_single
from rulesengine.language.ir.rules import Group, Key


def with_policy_moves(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[MoveSet], None],
    none: Callable[[], None],
) -> None:
    """Do the same as `with_moves` for a running game, with the moves of the playout policy.

    Keys that can be evaluated for sets of moves yield sets, others a list.
    """

    def listed() -> None:
        _with_listed(ctx, at, side, use, none)

    def emit_rest() -> None:
        nowhere = dict.fromkeys(("from", "to", "choice", "direction"), ctx.b.i(-1))
        scene = Environment(at, {"player": side, **nowhere})
        if can_narrow(ctx, scene):
            narrow = partial(_filtered, ctx, scene)
            by_tiers(ctx, at, side, lambda moves: use(narrow(moves)), none, lambda *_: listed())
        else:
            listed()

    ctx.b.when(is_chance(ctx, at, side), lambda: with_branches(ctx, at, side, use), emit_rest)


def can_narrow(ctx: Context, scene: Environment) -> bool:
    """True if the keys can be evaluated for sets of moves, for all groups."""
    groups = [group for tier in ctx.rules.tiers for group in tier]
    return all(
        questions and all(_is_liftable(ctx, q, group, scene) for q in questions for group in groups)
        for questions in map(_conditions, ctx.rules.likely)
    )


def _conditions(key: Key) -> list[Op]:
    """Return the conditions that a key prefers, the best first; empty if it computes a number."""
    value, conditions, worths = key.value, list[Op](), list[Op]()
    while is_conditional(value):
        question, worth, value = value.args
        conditions.append(question)
        worths.append(worth)
    numbers = [op.value for op in (*worths, value) if isinstance(op.value, int)]
    strict = sorted(set(numbers), reverse=key.order == "most")
    return conditions if len(numbers) == len(conditions) + 1 and numbers == strict else []


def _is_liftable(ctx: Context, question: Op, group: Group, scene: Environment) -> bool:
    read = ctx.facts.variables(question)
    if not read <= {"player", "from", "to"}:  # the step of a move reads its changes
        return False
    missing = {"from", "to"} if group.target is None else {"from"}
    if group.along is None and not read.isdisjoint(missing) and _fails_without_cell(question):
        return False
    if group.target is None:
        return True
    if group.along is None:
        return cells_where(ctx, question, "to", scene) is not None
    condition = _with_target_of_origin(question, group.target)
    directions = (scene.with_(direction=ctx.b.i(d)) for d in range(len(ctx.shape.targets)))
    return "to" not in ctx.facts.variables(condition) and all(
        cells_where(ctx, condition, "from", direction) is not None for direction in directions
    )


def _fails_without_cell(question: Op) -> bool:
    return any("cell" in OPS[op.name].fails for op in walk(question))


def _with_target_of_origin(op: Op, target: Op) -> Op:
    """Substitute the target's expression of the origin for `to` in a condition."""
    if is_single(op, "to"):
        return target
    return Op(
        op.name, op.type, tuple(_with_target_of_origin(arg, target) for arg in op.args), op.value
    )


def _filtered(ctx: Context, scene: Environment, moves: MovesInSets) -> MovesInSets:
    """Filter the moves by the keys, with set operations alone."""
    parts = moves.parts
    for key in ctx.rules.likely:
        parts = _first_satisfied(ctx, scene, parts, _conditions(key))
    return MovesInSets(ctx, moves.at, moves.side, parts, count_of_all(ctx, parts))


def _first_satisfied(
    ctx: Context, scene: Environment, parts: Sequence[StepSet], questions: Sequence[Op]
) -> list[StepSet]:
    """Return the steps for the first condition that holds for any; all steps if none does."""
    b = ctx.b
    left = [b.let(_members(part)) for part in parts]

    def prefer_first(questions: Sequence[Op]) -> None:
        if not questions:
            return
        better = [_satisfying_steps(ctx, scene, part, questions[0]) for part in parts]

        def take() -> None:
            for var, part in zip(left, better, strict=True):
                b.set(var, _members(part))

        b.when(any_of(ctx, better), take, lambda: prefer_first(questions[1:]))

    prefer_first(questions)
    return [_with_members(part, b.get(var)) for part, var in zip(parts, left, strict=True)]


def _satisfying_steps(ctx: Context, scene: Environment, part: StepSet, question: Op) -> StepSet:
    """Return the steps of a part that satisfy a condition."""
    b, group = ctx.b, ctx.rules.groups[part.group]
    if part.flag is not None:
        return _with_members(part, b.op("fand", part.flag, ctx.value(question, scene)))
    name = "to"
    if group.along is not None:
        assert group.target is not None
        question, name = _with_target_of_origin(question, group.target), "from"
        scene = scene.with_(direction=part.direction)
    allowed = emit_cells_where(ctx, question, name, scene)
    assert allowed is not None
    return _with_members(part, b.op("mand", part.cells, allowed))


def _members(part: StepSet) -> Value:
    return part.cells if part.flag is None else part.flag


def _with_members(part: StepSet, members: Value) -> StepSet:
    return replace(part, cells=members) if part.flag is None else replace(part, flag=members)


def _with_listed(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[MoveSet], None],
    none: Callable[[], None],
) -> None:
    """Use the moves that remain in a filtered list."""
    b = ctx.b
    base, first = b.result("size", "i", ctx.lists[1]), b.result("size", "i", ctx.lists[2])
    b.call(_lister(ctx, side), *ctx.lists, *at.values())
    count = b.op("isub", b.result("size", "i", ctx.lists[2]), first)
    moves = ListedMoves(ctx, at, side, base, first, count, _may_pass(ctx))
    b.when(b.op("ilt", b.i(0), count), lambda: use(moves), none)


def _may_pass(ctx: Context) -> bool:
    return any(group.kind == "pass" for tier in ctx.rules.tiers for group in tier)


def _lister(ctx: Context, side: Value) -> str:
    """Return the name of the function that lists them."""
    name = ctx.named(f"likely_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    b, outer = ctx.b, ctx.lists
    with b.function(name, (*LIST_TYPES, *ctx.layout.types), ()) as values:
        ctx.lists = list(values[:LISTS])
        at = position_of(ctx, values[LISTS:], side)
        base, first = b.result("size", "i", ctx.lists[1]), b.result("size", "i", ctx.lists[2])
        list_legal(ctx, at)
        filter_best(ctx, at, side, base, first, ctx.rules.likely)
        b.emit_return()
    ctx.lists = outer
    return name
