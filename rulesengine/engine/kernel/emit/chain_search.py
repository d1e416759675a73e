"""Kernel code that searches the moves of a chain: steps of one piece, each followed by others.

The steps that follow are sets; only the moves of a wanted number are written to a list.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.cells import has_direction
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import StepValue, make_step
from rulesengine.engine.kernel.emit.move_list import STRIDE, draft_values, push_step, read_step
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.step_sets import (
    StepSet,
    are_distinct,
    leads_along_paths,
    may_be_sets,
    step_of,
    step_sets_of_group,
)
from rulesengine.language.ir.rules import Group, Then
from rulesengine.support.limits import MAX_CHAIN_STEPS, MAX_MOVE_STEPS

# The name of the function that searches the moves after a step of a group, for a side.
FunctionOf = Callable[[Context, int, Value], str]


@dataclass(frozen=True, slots=True)
class PrefixSearch:
    """The search below a prefix: `move_count` moves so far, and the `index` of the wanted one.

    A negative index means none. `counted` is the number of visited steps.
    """

    index: Value
    move_count: Var
    counted: Var

    @staticmethod
    def of(ctx: Context, index: Value, counted: Value) -> "PrefixSearch":
        """Return a search that has found the prefix alone, before its continuations."""
        return PrefixSearch(index, ctx.b.let(ctx.b.i(1)), ctx.b.let(counted))


def following_group(ctx: Context, then: Then) -> Group:
    return next(group for group in ctx.rules.groups if group.name == then.step)


def is_chain(ctx: Context, then: Then) -> bool:
    """True if continuations may be sets of steps of one piece, which may have their own."""
    following = following_group(ctx, then)
    is_plain = then.origin is not None and following.kind == "move" and following.forbid is None
    return is_plain and may_be_sets(ctx, following) and leads_along_paths(ctx, following)


def chained_after(ctx: Context, then: Then, scene: Environment) -> list[StepSet] | None:
    """Return such continuations, each from the origin of one piece; None if they are no sets."""
    if not is_chain(ctx, then):
        return None
    assert then.origin is not None
    inner = Environment(scene.at, {"player": scene.variables["player"]})
    parts = step_sets_of_group(ctx, inner, following_group(ctx, then), first_steps=True)
    directions = ctx.value(then.along, scene) if then.along is not None else ctx.b.i(-1)
    if parts is None or not are_distinct(ctx, inner, parts):
        return None
    origins, sets = ctx.value(then.origin, scene), list[StepSet]()
    for part in parts:
        cells = ctx.b.op("mand", part.cells, origins)
        is_along = has_direction(ctx, part.direction, directions)
        sets.append(replace(part, cells=ctx.b.op("pick", is_along, cells, ctx.b.m(0))))
    return sets


def step_at(ctx: Context, numbers: Value, start: Value) -> tuple[Value, Value]:
    """Return the two numbers of a step in a list."""
    b = ctx.b
    word = b.result("item", "i", numbers, start)
    return word, b.result("item", "i", numbers, b.op("iadd", start, b.i(1)))


def search_chain(
    ctx: Context,
    parts: list[StepSet],
    scene: Environment,
    search: PrefixSearch,
    tail: FunctionOf,
    *,
    optional: bool,
) -> None:
    """Search the moves that go on with a step of some sets, and those that end before it."""
    b, steps = ctx.b, ctx.lists[0]
    first = b.result("size", "i", steps)
    for part in parts:
        ctx.each_cell(part.cells, partial(_push_step_of, ctx, steps, part))
    end = b.result("size", "i", steps)
    none = b.op("ieq", first, end)
    total = b.let(b.i(1) if optional else b.op("fint", none))
    index = b.let(first)

    def one() -> None:
        start = b.get(index)
        b.when(b.op("ile", end, start), b.leave)
        _search_step(ctx, parts[0].group, step_at(ctx, steps, start), scene, search, total, tail)
        b.set(index, b.op("iadd", start, b.i(STRIDE)))

    b.loop(one)
    b.effect("cut", steps, first)
    b.set(search.move_count, b.get(total))


def _search_step(
    ctx: Context,
    group: int,
    numbers: tuple[Value, Value],
    scene: Environment,
    search: PrefixSearch,
    total: Var,
    tail: FunctionOf,
) -> None:
    """Search the moves that go on with a step, and add their number to the total."""
    b, path, before = ctx.b, ctx.lists[3], ctx.b.get(total)
    left, size = b.op("isub", search.index, before), b.result("size", "i", path)
    for number in numbers:
        b.effect("push", path, number)
    counted = b.op("iadd", b.get(search.counted), b.i(1))
    b.set(search.counted, counted)
    many = b.op("ilt", b.i(MAX_CHAIN_STEPS), counted)
    many = b.op("for", many, b.op("ilt", b.i(STRIDE * MAX_MOVE_STEPS), size))
    b.when(many, b.fail)
    b.when(many, b.leave)
    moves_found = b.let(b.i(1))

    def go_on(step: StepValue) -> None:
        if ctx.rules.groups[step.group].then is None:
            return
        after = make_step(ctx, step, Environment(scene.at, {"player": scene.variables["player"]}))
        last = (step.direction, step.origin, step.target, step.choice)
        values = (*draft_values(ctx, after.at), *last, left, counted)
        more, visited = b.call(tail(ctx, group, scene.variables["player"]), *ctx.lists, *values)
        b.set(moves_found, more)
        b.set(search.counted, visited)

    read_step(ctx, *numbers, [group], go_on)
    count = b.get(moves_found)
    inside = b.op("fand", b.op("ile", b.i(0), left), b.op("ilt", left, count))
    b.when(b.op("fnot", inside), lambda: b.effect("cut", path, size))
    b.set(total, b.op("iadd", before, count))


def _push_step_of(ctx: Context, steps: Value, part: StepSet, cell: Value) -> None:
    push_step(ctx, steps, step_of(ctx, part, cell))
