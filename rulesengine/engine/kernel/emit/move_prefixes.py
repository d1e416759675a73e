"""Moves of several steps by their stems: the first steps, with how many moves begin with each.

A stem is made, and what may follow it is counted as a set where it is one. A move is found by its
number in the same way, so that the others are never written down.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import drafted
from rulesengine.engine.kernel.emit.generation import follower, list_first
from rulesengine.engine.kernel.emit.make_move import StepValue, make_step
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    STRIDE,
    draft_of,
    draft_types,
    draft_values,
    make_listed,
    push_step,
    read_step,
)
from rulesengine.engine.kernel.emit.move_sets import Chosen, InLists, place_of_steps
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Position, Scene
from rulesengine.engine.kernel.emit.step_sets import (
    Part,
    count_of,
    differ,
    may_be_sets,
    parts_of_group,
    step_of,
)
from rulesengine.language.ir.rules import Group, Then
from rulesengine.support.limits import MAX_CHAIN_STEPS, MAX_MOVES

# A stem is the two numbers of a step, and how many moves begin with it or with one before it.
STEM = STRIDE + 1


@dataclass(frozen=True, slots=True)
class Search:
    """What becomes of a stem: how many moves are `found`, and of which `index` steps are wanted.

    An index below 0 is none. Steps are `counted`, as far as they are looked at.
    """

    index: Value
    found: Var
    counted: Var

    @staticmethod
    def of(ctx: Context, index: Value, counted: Value) -> "Search":
        """One that has found the stem alone, before it is looked what follows."""
        return Search(index, ctx.b.let(ctx.b.i(1)), ctx.b.let(counted))


@dataclass(slots=True)
class InStems:
    """The moves of a tier by their stems, which stand in list 5 from `base` on."""

    ctx: Context
    at: Position
    side: Value
    base: Value
    count: Value

    def nth(self, index: Value, use: Callable[[Chosen], None]) -> None:
        ctx, b = self.ctx, self.ctx.b
        b.call(_finder(ctx, self.side), *ctx.lists, *self.at.values(), self.base, index)
        path, start = ctx.lists[3], b.i(0)
        end = b.result("size", "i", path)
        use(
            Chosen(
                lambda: make_listed(ctx, self.at, path, start, end, self.side)[0],
                lambda places: place_of_steps(ctx, path, start, end, places),
            )
        )

    def drop(self) -> None:
        """Take the stems off the list."""
        self.ctx.b.effect("cut", self.ctx.lists[5], self.base)


def in_stems(
    ctx: Context,
    at: Position,
    side: Value,
    tier: int,
    use: Callable[[InStems], None],
    other: Callable[[], None],
) -> None:
    """Do something with the moves of a tier by their stems, or something else without any."""
    b = ctx.b
    base = b.result("size", "i", ctx.lists[5])
    (count,) = b.call(_counter(ctx, tier, side), *ctx.lists, *at.values())
    found = InStems(ctx, at, side, base, count)
    b.when(b.op("ilt", b.i(0), count), lambda: use(found), other)


def goes_by_stems(ctx: Context, tier: int) -> bool:
    """Whether moves of a tier that are taken by number are found by their stems.

    Keys of a strategy need the list that these stand in. Chains would be listed twice: to be
    counted, and again behind the stem that is taken.
    """
    thens = [group.then for group in ctx.rules.tiers[tier] if group.then]
    counted = bool(thens) and all(_is_counted(ctx, then) for then in thens)
    return counted and has_stems(ctx) and not ctx.rules.likely


def has_stems(ctx: Context) -> bool:
    """Whether moves can be told by their stems: they may go on, and each stands for itself."""
    simple = not ctx.rules.keep and ctx.rules.chance is None
    return simple and any(group.then for group in ctx.rules.groups)


def list_stems(ctx: Context, at: Position) -> None:
    """Put the stems of a state into list 5: those of the first tier that has some."""
    b = ctx.b

    def look(tiers: Sequence[tuple[Group, ...]]) -> None:
        count = _list_tier(ctx, at, tiers[0])
        if len(tiers) > 1:
            b.when(b.op("ieq", count, b.i(0)), lambda: look(tiers[1:]))

    b.when(b.op("fnot", is_over(ctx, at)), lambda: look(ctx.rules.tiers))


def find_move(ctx: Context, at: Position, stems: Value, index: Value, base: Value) -> None:
    """Put the steps of the move of an index into list 3; fail if there is none.

    Its stem is one of a list, from `base` on.
    """
    b = ctx.b
    start, before = _stem_of(ctx, stems, index, base)
    there = b.op("ilt", start, b.result("size", "i", stems))
    there = b.op("fand", there, b.op("ile", b.i(0), index))

    def find() -> None:
        groups = list(range(len(ctx.rules.groups)))
        search = Search.of(ctx, b.op("isub", index, before), b.i(0))
        _search(ctx, drafted(ctx, at), _step_at(ctx, stems, start), groups, search)

    b.when(there, find, b.fail)


def count_in(ctx: Context, stems: Value) -> Value:
    """How many moves begin with some stems: what the last one of them tells."""
    b, size = ctx.b, ctx.b.result("size", "i", stems)
    count = b.let(b.i(0))

    def tell() -> None:
        b.set(count, b.result("item", "i", stems, b.op("isub", size, b.i(1))))

    b.when(b.op("ilt", b.i(0), size), tell)
    return b.get(count)


def _counter(ctx: Context, tier: int, side: Value) -> str:
    """The function that lists the stems of a tier and counts its moves."""
    name = ctx.named(f"stems_{tier}_{side.known}")
    if name in ctx.b.module.functions:
        return name
    outer = ctx.lists
    with ctx.b.function(name, (*LIST_TYPES, *ctx.layout.types), ("i",)) as values:
        ctx.lists = list(values[:LISTS])
        at = Position.of(ctx.layout, values[LISTS:], side)
        ctx.b.give(_list_tier(ctx, at, ctx.rules.tiers[tier]))
    ctx.lists = outer
    return name


def _finder(ctx: Context, side: Value) -> str:
    """The function that puts the steps of the move of an index into list 3."""
    name = ctx.named(f"find_{side.known}")
    if name in ctx.b.module.functions:
        return name
    outer = ctx.lists
    with ctx.b.function(name, (*LIST_TYPES, *ctx.layout.types, "i", "i"), ()) as values:
        ctx.lists = list(values[:LISTS])
        at = Position.of(ctx.layout, values[LISTS:-2], side)
        base, index = values[-2:]
        find_move(ctx, at, ctx.lists[5], index, base)
        ctx.b.give()
    ctx.lists = outer
    return name


def _list_tier(ctx: Context, at: Position, tier: tuple[Group, ...]) -> Value:
    """Put the stems of a tier into list 5; how many moves begin with them."""
    b, steps, stems = ctx.b, ctx.lists[0], ctx.lists[5]
    first = b.result("size", "i", steps)
    list_first(ctx, at, at.side, tier, steps, partial(push_step, ctx, steps))
    end, draft = b.result("size", "i", steps), drafted(ctx, at)
    groups = [ctx.rules.groups.index(group) for group in tier]
    index, total, counted = b.let(first), b.let(b.i(0)), b.let(b.i(0))

    def one() -> None:
        start = b.get(index)
        b.when(b.op("ile", end, start), b.leave)
        step, search = _step_at(ctx, steps, start), Search.of(ctx, b.i(-1), b.get(counted))
        _search(ctx, draft, step, groups, search)
        b.set(counted, b.get(search.counted))
        b.set(total, b.op("iadd", b.get(total), b.get(search.found)))
        for number in (*step, b.get(total)):
            b.effect("push", stems, number)
        b.set(index, b.op("iadd", start, b.i(STRIDE)))

    b.loop(one)
    b.effect("cut", steps, first)
    b.when(b.op("ilt", b.i(MAX_MOVES), b.get(total)), b.fail)
    b.when(b.op("ilt", b.i(MAX_CHAIN_STEPS), b.get(counted)), b.fail)
    return b.get(total)


def _stem_of(ctx: Context, stems: Value, index: Value, base: Value) -> tuple[Value, Value]:
    """Where the stem of the move of an index begins, and how many moves are before it."""
    b = ctx.b
    place, before, size = b.let(base), b.let(b.i(0)), b.result("size", "i", stems)

    def pass_over() -> None:
        start = b.get(place)
        b.when(b.op("ile", size, start), b.leave)
        end = b.result("item", "i", stems, b.op("iadd", start, b.i(STRIDE)))
        b.when(b.op("ilt", index, end), b.leave)
        b.set(before, end)
        b.set(place, b.op("iadd", start, b.i(STEM)))

    b.loop(pass_over)
    return b.get(place), b.get(before)


def _step_at(ctx: Context, numbers: Value, start: Value) -> tuple[Value, Value]:
    b = ctx.b
    word = b.result("item", "i", numbers, start)
    return word, b.result("item", "i", numbers, b.op("iadd", start, b.i(1)))


def _search(
    ctx: Context, draft: Position, stem: tuple[Value, Value], groups: list[int], search: Search
) -> None:
    """Find the moves of a stem; list 3 gets the steps of the one that is wanted."""
    b, path = ctx.b, ctx.lists[3]
    b.effect("cut", path, b.i(0))
    for number in stem:
        b.effect("push", path, number)
    b.set(search.counted, b.op("iadd", b.get(search.counted), b.i(1)))

    def go_on(step: StepValue) -> None:
        if ctx.rules.groups[step.group].then is None:
            return
        scene = make_step(ctx, step, Scene(draft, {"player": draft.side}))
        last = (step.direction, step.origin, step.target, step.choice)
        values = (*draft_values(ctx, scene.at), *last, search.index, b.get(search.counted))
        name = _tail(ctx, step.group, draft.side)
        found, counted = b.call(name, *ctx.lists, *values)
        b.set(search.found, found)
        b.set(search.counted, counted)

    read_step(ctx, *stem, groups, go_on)


def _tail(ctx: Context, number: int, side: Value) -> str:
    """The function that finds the moves that go on after a step of a group.

    After the step it takes the index of a search and what has been counted; it gives what is
    found, and what has been counted then.
    """
    name = ctx.named(f"tail_{number}_{side.known}")
    if name in ctx.b.module.functions:
        return name
    types = (*LIST_TYPES, *draft_types(ctx), "i", "i", "i", "i", "i", "i")
    outer = ctx.lists
    with ctx.b.function(name, types, ("i", "i")) as values:
        ctx.lists = list(values[:LISTS])
        direction, origin, target, choice, index, counted = values[-6:]
        group = ctx.rules.groups[number]
        for cell, there in ((origin, group.origin), (target, group.target)):
            if there is not None:
                ctx.there_cells.add(cell)
        scene = Scene(draft_of(ctx, values[LISTS:-6], side), {"player": side}).with_(
            direction=direction, from_=origin, to=target, choice=choice
        )
        search = Search.of(ctx, index, counted)
        _follow(ctx, number, scene, search)
        ctx.b.give(ctx.b.get(search.found), ctx.b.get(search.counted))
    ctx.lists = outer
    return name


def _follow(ctx: Context, number: int, scene: Scene, search: Search) -> None:
    then = ctx.rules.groups[number].then
    assert then is not None

    def go_on() -> None:
        parts = _parts_after(ctx, then, scene)
        if parts is None:
            _in_lists(ctx, number, scene, search)
        else:
            _in_parts(ctx, parts, search, optional=then.optional)

    if then.when is None:
        go_on()
    else:
        ctx.b.when(ctx.value(then.when, scene), go_on)


def _parts_after(ctx: Context, then: Then, scene: Scene) -> list[Part] | None:
    """The steps that may follow as sets, if each ends its move."""
    if not _is_counted(ctx, then):
        return None
    inner = Scene(scene.at, {"player": scene.variables["player"]})
    parts = parts_of_group(ctx, inner, _following(ctx, then))
    return parts if parts is not None and differ(ctx, inner, parts) else None


def _is_counted(ctx: Context, then: Then) -> bool:
    """Whether the steps that may follow end the move, and are told by their group as sets."""
    following = _following(ctx, then)
    return not (then.origin or then.along or following.then) and may_be_sets(ctx, following)


def _following(ctx: Context, then: Then) -> Group:
    return next(group for group in ctx.rules.groups if group.name == then.step)


def _in_parts(ctx: Context, parts: list[Part], search: Search, *, optional: bool) -> None:
    """Moves that end with a step of some sets, after the one without it if it is optional."""
    b, total = ctx.b, ctx.b.i(0)
    index = b.op("isub", search.index, b.i(int(optional)))
    for part in parts:
        left, count = b.op("isub", index, total), count_of(ctx, part)
        inside = b.op("fand", b.op("ile", b.i(0), left), b.op("ilt", left, count))
        b.when(inside, partial(_push_of, ctx, part, left))
        total = b.op("iadd", total, count)
    b.set(search.counted, b.op("iadd", b.get(search.counted), total))
    one = b.i(1)
    b.set(search.found, b.op("iadd", total, one) if optional else b.op("imax", total, one))


def _push_of(ctx: Context, part: Part, index: Value) -> None:
    cell = ctx.b.i(-1) if part.flag is not None else ctx.b.op("mnth", part.cells, index)
    push_step(ctx, ctx.lists[3], step_of(ctx, part, cell))


def _in_lists(ctx: Context, number: int, scene: Scene, search: Search) -> None:
    """Moves of which more is no set: they are listed and taken off again."""
    b, moves, ends, side = ctx.b, ctx.lists[1], ctx.lists[2], scene.variables["player"]
    base, first = b.result("size", "i", moves), b.result("size", "i", ends)
    last = (scene.variables[name] for name in ("direction", "from", "to", "choice"))
    values = (*draft_values(ctx, scene.at), *last, b.get(search.counted))
    (counted,) = b.call(follower(ctx, number, side), *ctx.lists, *values)
    b.set(search.counted, counted)
    count = b.op("isub", b.result("size", "i", ends), first)
    b.set(search.found, count)
    listed = InLists(ctx, scene.at, side, base, first, count, passes=False)
    inside = b.op("fand", b.op("ile", b.i(0), search.index), b.op("ilt", search.index, count))
    b.when(inside, lambda: _copy(ctx, *listed.bounds(search.index)))
    listed.drop()


def _copy(ctx: Context, start: Value, end: Value) -> None:
    """Put the steps of a listed move into list 3."""
    b, moves, path = ctx.b, ctx.lists[1], ctx.lists[3]
    b.effect("cut", path, b.i(0))
    b.range(start, end, lambda i: b.effect("push", path, b.result("item", "i", moves, i)))
