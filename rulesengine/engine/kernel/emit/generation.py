"""Kernel code for lists of complete moves: first steps and their continuations."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import begin_draft
from rulesengine.engine.kernel.emit.duplicate_steps import possible_duplicates, step_forms
from rulesengine.engine.kernel.emit.make_move import StepValue, make_step, same_effect
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    STRIDE,
    draft_of,
    draft_types,
    draft_values,
    push_step,
    read_step,
)
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_sets import passes_last
from rulesengine.engine.kernel.emit.steps import each_step
from rulesengine.language.ir.rules import Group
from rulesengine.support.limits import MAX_CHAIN_STEPS, MAX_MOVE_STEPS, MAX_MOVES
from rulesengine.support.words import DIRECTION, DIRECTIONS, GROUPS, ORIGIN, TARGET


def list_tier(ctx: Context, at: Position, side: Value, tier: tuple[Group, ...]) -> None:
    """List the moves of a tier."""
    first = ctx.b.result("size", "i", ctx.lists[2])
    if any(group.then for group in ctx.rules.groups):
        _list_chains(ctx, at, side, tier)
    else:
        moves, ends = ctx.lists[1], ctx.lists[2]

        def push(step: StepValue) -> None:
            push_step(ctx, moves, step)
            ctx.b.effect("push", ends, ctx.b.result("size", "i", moves))

        list_first(ctx, at, side, tier, moves, push)
    count = ctx.b.op("isub", ctx.b.result("size", "i", ctx.lists[2]), first)
    ctx.b.when(ctx.b.op("ilt", ctx.b.i(MAX_MOVES), count), ctx.b.fail)


def list_first(
    ctx: Context,
    at: Position,
    side: Value,
    tier: tuple[Group, ...],
    steps: Value,
    push: Callable[[StepValue], None],
) -> None:
    """List the first steps of a tier's moves, without duplicates."""
    scene, begins = Environment(at, {"player": side}), dict[int, Value]()
    for number, alike in possible_duplicates(ctx, scene, passes_last(tier)):
        begins.setdefault(number, ctx.b.result("size", "i", steps))
        each_step(ctx, scene, number, _push_unless_listed(ctx, steps, begins, alike, push))


def _push_unless_listed(
    ctx: Context,
    steps: Value,
    begins: Mapping[int, Value],
    alike: Sequence[int],
    push: Callable[[StepValue], None],
) -> Callable[[StepValue], None]:
    """Return a function that lists a step, unless an equal step of some
    groups is listed already.
    """
    if not alike:
        return push
    start = begins[alike[0]]
    return lambda step: _add_unless_listed(ctx, steps, start, step, alike, lambda: push(step))


def _add_unless_listed(
    ctx: Context,
    steps: Value,
    start: Value,
    step: StepValue,
    alike: Sequence[int],
    push: Callable[[], None],
) -> None:
    """List a step unless an equal one is listed; fail if the equal one has another effect."""
    shows_direction = ctx.analysis(step_forms)[step.group][1]
    new = ctx.b.let(ctx.b.f(True))
    size = ctx.b.result("size", "i", steps)
    cells = ctx.b.op(
        "iadd",
        ctx.b.op("ishl", ctx.b.op("iadd", step.target, ctx.b.i(1)), ctx.b.i(TARGET - ORIGIN)),
        ctx.b.op("iadd", step.origin, ctx.b.i(1)),
    )
    index = ctx.b.let(start)

    def is_along(word: Value) -> Value:
        direction = ctx.b.op("ishr", word, ctx.b.i(DIRECTION))
        direction = ctx.b.op("iand", direction, ctx.b.i(DIRECTIONS))
        return ctx.b.op("ieq", direction, ctx.b.op("iadd", step.direction, ctx.b.i(1)))

    def compare_step() -> None:
        at = ctx.b.get(index)
        ctx.b.when(ctx.b.op("ile", size, at), ctx.b.leave)
        word = ctx.b.result("item", "i", steps, at)
        choice = ctx.b.result("item", "i", steps, ctx.b.op("iadd", at, ctx.b.i(1)))
        same = ctx.b.op("ieq", ctx.b.op("ishr", word, ctx.b.i(ORIGIN)), cells)
        same = ctx.b.op("fand", same, ctx.b.op("ieq", choice, step.choice))
        group = ctx.b.op("iand", word, ctx.b.i(GROUPS))
        kinds = ctx.b.f(False)
        for other in alike:
            kinds = ctx.b.op("for", kinds, ctx.b.op("ieq", group, ctx.b.i(other)))
        same = ctx.b.op("fand", same, kinds)
        if shows_direction:
            same = ctx.b.op("fand", same, is_along(word))

        def equal() -> None:
            along = is_along(word)
            for other in alike:
                does, reads = same_effect(ctx, other, step.group)
                is_group = ctx.b.op("ieq", group, ctx.b.i(other))
                wrong = (
                    is_group if not does else ctx.b.op("fand", is_group, ctx.b.op("fnot", along))
                )
                if not does or reads:
                    ctx.b.when(wrong, ctx.b.fail)
            ctx.b.set(new, ctx.b.f(False))
            ctx.b.leave()

        ctx.b.when(same, equal)
        ctx.b.set(index, ctx.b.op("iadd", at, ctx.b.i(STRIDE)))

    ctx.b.loop(compare_step)
    ctx.b.when(ctx.b.get(new), push)


def _list_chains(ctx: Context, at: Position, side: Value, tier: tuple[Group, ...]) -> None:
    """List the first steps in list 0, then each with all its continuations."""
    steps, path = ctx.lists[0], ctx.lists[3]
    start = ctx.b.result("size", "i", steps)
    list_first(ctx, at, side, tier, steps, lambda step: push_step(ctx, steps, step))
    end = ctx.b.result("size", "i", steps)
    ctx.b.effect("cut", path, ctx.b.i(0))
    draft = begin_draft(ctx, at)
    groups = [ctx.rules.groups.index(g) for g in tier]
    counted = ctx.b.let(ctx.b.i(0))
    _extend_each(ctx, draft, side, start, end, groups, counted)
    ctx.b.effect("cut", steps, start)


def _extend_each(
    ctx: Context,
    draft: Position,
    side: Value,
    start: Value,
    end: Value,
    groups: list[int],
    counted: Var,
) -> None:
    """Make each step in a range of list 0, and list the moves that begin with it.

    `counted` counts the visited steps.
    """
    steps, path = ctx.lists[0], ctx.lists[3]
    index = ctx.b.let(start)
    longest = ctx.b.i(STRIDE * MAX_MOVE_STEPS)
    long = ctx.b.op("ile", longest, ctx.b.result("size", "i", path))
    too_long = ctx.b.op("fand", long, ctx.b.op("ilt", start, end))
    ctx.b.when(too_long, ctx.b.fail)

    def one() -> None:
        at = ctx.b.get(index)
        ctx.b.when(ctx.b.op("ile", end, at), ctx.b.leave)
        count = ctx.b.op("iadd", ctx.b.get(counted), ctx.b.i(1))
        ctx.b.set(counted, count)
        many = ctx.b.op("ilt", ctx.b.i(MAX_CHAIN_STEPS), count)
        ctx.b.when(many, ctx.b.fail)
        ctx.b.when(many, ctx.b.leave)
        word = ctx.b.result("item", "i", steps, at)
        choice = ctx.b.result("item", "i", steps, ctx.b.op("iadd", at, ctx.b.i(1)))
        length = ctx.b.result("size", "i", path)
        ctx.b.effect("push", path, word)
        ctx.b.effect("push", path, choice)
        read_step(
            ctx, word, choice, groups, lambda step: _continue_move(ctx, draft, side, step, counted)
        )
        ctx.b.effect("cut", path, length)
        ctx.b.set(index, ctx.b.op("iadd", at, ctx.b.i(STRIDE)))

    ctx.b.loop(one)


def _continue_move(
    ctx: Context, draft: Position, side: Value, step: StepValue, counted: Var
) -> None:
    """Make a step; list the move that ends with it, or its continuations."""
    if ctx.rules.groups[step.group].then is None:
        _list_current(ctx)
        return
    scene = make_step(ctx, step, Environment(draft, {"player": side}))
    name = continuation_function(ctx, step.group, side)
    last = [step.direction, step.origin, step.target, step.choice]
    before = ctx.b.get(counted)
    (count,) = ctx.b.call(name, *ctx.lists, *draft_values(ctx, scene.at), *last, before)
    ctx.b.set(counted, count)


def _list_current(ctx: Context) -> None:
    path = ctx.lists[3]
    moves, ends = ctx.lists[1], ctx.lists[2]
    size = ctx.b.result("size", "i", path)
    ctx.b.range(
        ctx.b.i(0),
        size,
        lambda i: ctx.b.effect("push", moves, ctx.b.result("item", "i", path, i)),
    )
    ctx.b.effect("push", ends, ctx.b.result("size", "i", moves))


def continuation_function(ctx: Context, number: int, side: Value) -> str:
    """Return the name of the function that lists the continuations after a step of a group.

    Its last parameter and its result are the number of visited steps.
    """
    name = ctx.named(f"follow_{number}_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    types = (*LIST_TYPES, *draft_types(ctx), "i", "i", "i", "i", "i")
    ctx.b.declare(name, types, ("i",))
    outer = ctx.lists
    with ctx.b.function(name, types, ("i",)) as values:
        ctx.lists = list(values[:LISTS])
        draft = draft_of(ctx, values[LISTS:-5], side)
        direction, origin, target, choice, before = values[-5:]
        group = ctx.rules.groups[number]
        for cell, there in ((origin, group.origin), (target, group.target)):
            if there is not None:
                ctx.cells_on_board.add(cell)
        scene = Environment(draft, {"player": side}).with_(
            direction=direction, from_=origin, to=target, choice=choice
        )
        counted = ctx.b.let(before)
        _follow(ctx, group, scene, side, counted)
        ctx.b.emit_return(ctx.b.get(counted))
    ctx.lists = outer
    return name


def _follow(ctx: Context, group: Group, scene: Environment, side: Value, counted: Var) -> None:
    then = group.then
    assert then is not None

    def listed() -> None:
        steps = ctx.lists[0]
        origins = ctx.value(then.origin, scene) if then.origin else None
        directions = ctx.value(then.along, scene) if then.along else None
        number = next(i for i, g in enumerate(ctx.rules.groups) if g.name == then.step)
        following = ctx.rules.groups[number]
        start = ctx.b.result("size", "i", steps)
        inner = Environment(scene.at, {"player": side})
        ((_, alike),) = possible_duplicates(ctx, inner, (following,))
        add = _push_unless_listed(
            ctx, steps, {number: start}, alike, partial(push_step, ctx, steps)
        )
        each_step(ctx, inner, number, add, origins, directions)
        end = ctx.b.result("size", "i", steps)
        none = ctx.b.op("ieq", start, end)
        ctx.b.when(ctx.b.f(True) if then.optional else none, partial(_list_current, ctx))
        _extend_each(ctx, scene.at, side, start, end, [number], counted)
        ctx.b.effect("cut", steps, start)

    if then.when is None:
        listed()
    else:
        ctx.b.when(ctx.value(then.when, scene), listed, partial(_list_current, ctx))
