"""Kernel code for moves of several steps by prefix: first steps with the number of their moves.

A prefix is made, and its continuations are counted as a set where possible. The move of a number is
found in the same way, without listing the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.chain_search import (
    PrefixSearch,
    chained_after,
    following_group,
    is_chain,
    search_chain,
    step_at,
)
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import begin_draft
from rulesengine.engine.kernel.emit.generation import continuation_function, list_first
from rulesengine.engine.kernel.emit.make_move import StepValue, make_step
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    STRIDE,
    draft_of,
    draft_types,
    draft_values,
    make_listed_move,
    push_step,
    read_step,
)
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, SelectedMove, place_of_steps
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_sets import (
    StepSet,
    are_distinct,
    count_of,
    may_be_sets,
    step_of,
    step_sets_of_group,
)
from rulesengine.language.ir.rules import Group, Then
from rulesengine.support.limits import MAX_CHAIN_STEPS, MAX_MOVES

# An entry: the two numbers of a step, and the number of moves up to this prefix.
PREFIX_STRIDE = STRIDE + 1


@dataclass(slots=True)
class PrefixedMoves:
    """The moves of a tier by prefix; entries are in list 5 from `base` on."""

    ctx: Context
    at: Position
    side: Value
    base: Value
    count: Value

    def nth(self, index: Value, use: Callable[[SelectedMove], None]) -> None:
        ctx, b = self.ctx, self.ctx.b
        b.call(_finder(ctx, self.side), *ctx.lists, *self.at.values(), self.base, index)
        path, start = ctx.lists[3], b.i(0)
        end = b.result("size", "i", path)
        use(
            SelectedMove(
                lambda: make_listed_move(ctx, self.at, path, start, end, self.side)[0],
                lambda places: place_of_steps(ctx, path, start, end, places),
            )
        )

    def drop(self) -> None:
        """Remove the entries from the list."""
        self.ctx.b.effect("cut", self.ctx.lists[5], self.base)


def with_prefixed_moves(
    ctx: Context,
    at: Position,
    side: Value,
    tier: int,
    use: Callable[[PrefixedMoves], None],
    other: Callable[[], None],
) -> None:
    """Call `use` with the moves of a tier by prefix, or `other` if there are none."""
    b = ctx.b
    base = b.result("size", "i", ctx.lists[5])
    (count,) = b.call(_counter(ctx, tier, side), *ctx.lists, *at.values())
    moves = PrefixedMoves(ctx, at, side, base, count)
    b.when(b.op("ilt", b.i(0), count), lambda: use(moves), other)


def uses_prefixes(ctx: Context, tier: int) -> bool:
    """True if moves of a tier that are selected by number are found by prefix.

    The keys of a strategy need list 5. Continuations that are no sets would be listed twice: for
    the count, and below the selected prefix.
    """
    thens = [group.then for group in ctx.rules.tiers[tier] if group.then]
    thens += [group.then for group in ctx.rules.steps if group.then]
    counted = bool(thens) and all(_is_counted(ctx, t) or is_chain(ctx, t) for t in thens)
    return counted and has_prefixes(ctx) and not ctx.rules.likely


def has_prefixes(ctx: Context) -> bool:
    """True if prefixes identify moves: some have continuations, and `keep` and chance are not
    used.
    """
    simple = not ctx.rules.keep and ctx.rules.chance is None
    return simple and any(group.then for group in ctx.rules.groups)


def list_prefixes(ctx: Context, at: Position) -> None:
    """Fill list 5 with the prefixes of a state, of the first tier that has any."""
    b = ctx.b

    def search_tiers(tiers: Sequence[tuple[Group, ...]]) -> None:
        count = _list_tier(ctx, at, tiers[0])
        if len(tiers) > 1:
            b.when(b.op("ieq", count, b.i(0)), lambda: search_tiers(tiers[1:]))

    b.when(b.op("fnot", is_over(ctx, at)), lambda: search_tiers(ctx.rules.tiers))


def find_move(ctx: Context, at: Position, stems: Value, index: Value, base: Value) -> None:
    """Write the steps of the move of an index to list 3; fail if there is none.

    The prefixes are in the list `stems`, from `base` on.
    """
    b = ctx.b
    start, before = _stem_of(ctx, stems, index, base)
    there = b.op("ilt", start, b.result("size", "i", stems))
    there = b.op("fand", there, b.op("ile", b.i(0), index))

    def find() -> None:
        groups = list(range(len(ctx.rules.groups)))
        search = PrefixSearch.of(ctx, b.op("isub", index, before), b.i(0))
        _search(ctx, begin_draft(ctx, at), step_at(ctx, stems, start), groups, search)

    b.when(there, find, b.fail)


def count_in(ctx: Context, stems: Value) -> Value:
    """Return the number of moves of some prefixes, from the last entry."""
    b, size = ctx.b, ctx.b.result("size", "i", stems)
    count = b.let(b.i(0))

    def read() -> None:
        b.set(count, b.result("item", "i", stems, b.op("isub", size, b.i(1))))

    b.when(b.op("ilt", b.i(0), size), read)
    return b.get(count)


def _counter(ctx: Context, tier: int, side: Value) -> str:
    """Return the name of the function that lists the prefixes of a tier and counts its moves."""
    name = ctx.named(f"stems_{tier}_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    outer = ctx.lists
    types = (*LIST_TYPES, *ctx.layout.types)
    with ctx.b.function(name, types, ("i",), apart=True) as values:
        ctx.lists = list(values[:LISTS])
        at = Position.of(ctx.layout, values[LISTS:], side)
        ctx.b.emit_return(_list_tier(ctx, at, ctx.rules.tiers[tier]))
    ctx.lists = outer
    return name


def _finder(ctx: Context, side: Value) -> str:
    """Return the name of the function that writes the steps of the move of an index to list 3."""
    name = ctx.named(f"find_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    outer = ctx.lists
    types = (*LIST_TYPES, *ctx.layout.types, "i", "i")
    with ctx.b.function(name, types, (), apart=True) as values:
        ctx.lists = list(values[:LISTS])
        at = Position.of(ctx.layout, values[LISTS:-2], side)
        base, index = values[-2:]
        find_move(ctx, at, ctx.lists[5], index, base)
        ctx.b.emit_return()
    ctx.lists = outer
    return name


def _list_tier(ctx: Context, at: Position, tier: tuple[Group, ...]) -> Value:
    """Fill list 5 with the prefixes of a tier; return the number of their moves."""
    b, steps, stems = ctx.b, ctx.lists[0], ctx.lists[5]
    first = b.result("size", "i", steps)
    list_first(ctx, at, at.side, tier, steps, partial(push_step, ctx, steps))
    end, draft = b.result("size", "i", steps), begin_draft(ctx, at)
    groups = [ctx.rules.groups.index(group) for group in tier]
    index, total, counted = b.let(first), b.let(b.i(0)), b.let(b.i(0))

    def one() -> None:
        start = b.get(index)
        b.when(b.op("ile", end, start), b.leave)
        step, search = step_at(ctx, steps, start), PrefixSearch.of(ctx, b.i(-1), b.get(counted))
        _search(ctx, draft, step, groups, search)
        b.set(counted, b.get(search.counted))
        b.set(total, b.op("iadd", b.get(total), b.get(search.move_count)))
        for number in (*step, b.get(total)):
            b.effect("push", stems, number)
        b.set(index, b.op("iadd", start, b.i(STRIDE)))

    b.loop(one)
    b.effect("cut", steps, first)
    b.when(b.op("ilt", b.i(MAX_MOVES), b.get(total)), b.fail)
    b.when(b.op("ilt", b.i(MAX_CHAIN_STEPS), b.get(counted)), b.fail)
    return b.get(total)


def _stem_of(ctx: Context, stems: Value, index: Value, base: Value) -> tuple[Value, Value]:
    """Return the start of the entry that contains a move's index, and the number of moves before
    it.
    """
    b = ctx.b
    place, before, size = b.let(base), b.let(b.i(0)), b.result("size", "i", stems)

    def pass_over() -> None:
        start = b.get(place)
        b.when(b.op("ile", size, start), b.leave)
        end = b.result("item", "i", stems, b.op("iadd", start, b.i(STRIDE)))
        b.when(b.op("ilt", index, end), b.leave)
        b.set(before, end)
        b.set(place, b.op("iadd", start, b.i(PREFIX_STRIDE)))

    b.loop(pass_over)
    return b.get(place), b.get(before)


def _search(
    ctx: Context,
    draft: Position,
    stem: tuple[Value, Value],
    groups: list[int],
    search: PrefixSearch,
) -> None:
    """Search the moves of a prefix; list 3 gets the steps of the wanted one."""
    b, path = ctx.b, ctx.lists[3]
    b.effect("cut", path, b.i(0))
    for number in stem:
        b.effect("push", path, number)
    b.set(search.counted, b.op("iadd", b.get(search.counted), b.i(1)))

    def go_on(step: StepValue) -> None:
        if ctx.rules.groups[step.group].then is None:
            return
        scene = make_step(ctx, step, Environment(draft, {"player": draft.side}))
        last = (step.direction, step.origin, step.target, step.choice)
        values = (*draft_values(ctx, scene.at), *last, search.index, b.get(search.counted))
        name = _tail(ctx, step.group, draft.side)
        moves_found, counted = b.call(name, *ctx.lists, *values)
        b.set(search.move_count, moves_found)
        b.set(search.counted, counted)

    read_step(ctx, *stem, groups, go_on)


def _tail(ctx: Context, number: int, side: Value) -> str:
    """Return the name of the function that searches the continuations after a step of a group.

    After the step it has parameters for the index and the number of visited steps. It returns the
    number of moves found, and of visited steps.
    """
    name = ctx.named(f"tail_{number}_{side.constant}")
    if name in ctx.b.module.functions:
        return name
    types = (*LIST_TYPES, *draft_types(ctx), "i", "i", "i", "i", "i", "i")
    ctx.b.declare(name, types, ("i", "i"))
    outer = ctx.lists
    with ctx.b.function(name, types, ("i", "i")) as values:
        ctx.lists = list(values[:LISTS])
        direction, origin, target, choice, index, counted = values[-6:]
        group = ctx.rules.groups[number]
        for cell, there in ((origin, group.origin), (target, group.target)):
            if there is not None:
                ctx.cells_on_board.add(cell)
        scene = Environment(draft_of(ctx, values[LISTS:-6], side), {"player": side}).with_(
            direction=direction, from_=origin, to=target, choice=choice
        )
        search = PrefixSearch.of(ctx, index, counted)
        _follow(ctx, number, scene, search)
        ctx.b.emit_return(ctx.b.get(search.move_count), ctx.b.get(search.counted))
    ctx.lists = outer
    return name


def _follow(ctx: Context, number: int, scene: Environment, search: PrefixSearch) -> None:
    then = ctx.rules.groups[number].then
    assert then is not None

    def go_on() -> None:
        parts = _parts_after(ctx, then, scene)
        if parts is not None:
            _in_parts(ctx, parts, search, optional=then.optional)
            return
        parts = chained_after(ctx, then, scene)
        if parts is not None:
            search_chain(ctx, parts, scene, search, _tail, optional=then.optional)
        else:
            _in_lists(ctx, number, scene, search)

    if then.when is None:
        go_on()
    else:
        ctx.b.when(ctx.value(then.when, scene), go_on)


def _parts_after(ctx: Context, then: Then, scene: Environment) -> list[StepSet] | None:
    """Return the continuations as sets, if each of them ends its move."""
    if not _is_counted(ctx, then):
        return None
    inner = Environment(scene.at, {"player": scene.variables["player"]})
    parts = step_sets_of_group(ctx, inner, following_group(ctx, then))
    return parts if parts is not None and are_distinct(ctx, inner, parts) else None


def _is_counted(ctx: Context, then: Then) -> bool:
    """True if the continuations end the move, and their group may be a set."""
    following = following_group(ctx, then)
    return not (then.origin or then.along or following.then) and may_be_sets(ctx, following)


def _in_parts(ctx: Context, parts: list[StepSet], search: PrefixSearch, *, optional: bool) -> None:
    """Search the moves that end with a step of some sets; an optional step adds the move without
    it.
    """
    b, total = ctx.b, ctx.b.i(0)
    index = b.op("isub", search.index, b.i(int(optional)))
    for part in parts:
        left, count = b.op("isub", index, total), count_of(ctx, part)
        inside = b.op("fand", b.op("ile", b.i(0), left), b.op("ilt", left, count))
        b.when(inside, partial(_push_of, ctx, part, left))
        total = b.op("iadd", total, count)
    b.set(search.counted, b.op("iadd", b.get(search.counted), total))
    one = b.i(1)
    b.set(search.move_count, b.op("iadd", total, one) if optional else b.op("imax", total, one))


def _push_of(ctx: Context, part: StepSet, index: Value) -> None:
    cell = ctx.b.i(-1) if part.flag is not None else ctx.b.op("mnth", part.cells, index)
    push_step(ctx, ctx.lists[3], step_of(ctx, part, cell))


def _in_lists(ctx: Context, number: int, scene: Environment, search: PrefixSearch) -> None:
    """Search continuations that are no sets: list them and remove them again."""
    b, moves, ends, side = ctx.b, ctx.lists[1], ctx.lists[2], scene.variables["player"]
    base, first = b.result("size", "i", moves), b.result("size", "i", ends)
    last = (scene.variables[name] for name in ("direction", "from", "to", "choice"))
    values = (*draft_values(ctx, scene.at), *last, b.get(search.counted))
    (counted,) = b.call(continuation_function(ctx, number, side), *ctx.lists, *values)
    b.set(search.counted, counted)
    count = b.op("isub", b.result("size", "i", ends), first)
    b.set(search.move_count, count)
    listed = ListedMoves(ctx, scene.at, side, base, first, count, passes=False)
    inside = b.op("fand", b.op("ile", b.i(0), search.index), b.op("ilt", search.index, count))
    b.when(inside, lambda: _copy(ctx, *listed.bounds(search.index)))
    listed.drop()


def _copy(ctx: Context, start: Value, end: Value) -> None:
    """Copy the steps of a listed move to list 3."""
    b, moves, path = ctx.b, ctx.lists[1], ctx.lists[3]
    b.effect("cut", path, b.i(0))
    b.range(start, end, lambda i: b.effect("push", path, b.result("item", "i", moves, i)))
