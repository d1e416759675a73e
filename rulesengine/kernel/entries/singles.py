"""Entry points of kernels: single calls, choices, and the drivers."""

from collections.abc import Sequence
from functools import partial

from rulesengine.ir.rules import Rules
from rulesengine.kernel.analysis import numbering
from rulesengine.kernel.code.form import Module, Type, Value
from rulesengine.kernel.code.pruning import pruned
from rulesengine.kernel.emit.choices import (
    choose_by,
    list_legal,
    may_take_long,
    on_side,
    position_of,
    with_moves,
)
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.make_move import StepValue, finish_move, make_step
from rulesengine.kernel.emit.move_list import (
    draft_of,
    draft_types,
    draft_values,
    make_listed,
    new_lists,
    read_step,
    target_in,
)
from rulesengine.kernel.emit.move_sets import InLists, InParts, MoveSet
from rulesengine.kernel.emit.outcomes import ending, is_over
from rulesengine.kernel.emit.scene import RECORDS, Scene
from rulesengine.kernel.emit.values import union
from rulesengine.state import GOES_ON


def finished_module(ctx: Context) -> Module:
    """The code that has been made."""
    module, topology = ctx.b.module, ctx.program.topology
    module.grid, module.places = numbering.grid(topology) or (None, numbering.places(topology))
    return pruned(module)


def chooser(ctx: Context, number: int) -> None:
    """Entry point choose_K(state): the moves that a strategy leaves, the first is the choice.

    Where that may take long, it takes the lane of a job too.
    Results: the steps of moves and their ends, as lists.
    """
    types, own = ctx.layout.types, len(ctx.layout.types)
    takes = (*types, "a") if may_take_long(ctx.program.topology) else types
    with ctx.b.function(f"choose_{number}", takes, ("b", "b"), entry=True) as values:
        new_lists(ctx)
        state, lane = values[:own], values[own:]

        def best(side: Value) -> None:
            choose_by(ctx, position_of(ctx, state, side), number, lane)

        on_side(ctx, position_of(ctx, state).side, best)
        ctx.b.give(ctx.lists[1], ctx.lists[2])


def singles(ctx: Context) -> None:
    """Entry points for one state: legal, mask, ending, scores, apply, step, finish."""
    with ctx.b.function("legal", ctx.layout.types, ("b", "b"), entry=True) as values:
        new_lists(ctx)
        at = position_of(ctx, values)

        def listed(side: Value) -> None:
            here = position_of(ctx, values, side)
            ctx.b.when(ctx.b.op("fnot", is_over(ctx, here)), lambda: list_legal(ctx, here))

        on_side(ctx, at.side, listed)
        ctx.b.give(ctx.lists[1], ctx.lists[2])
    _ending_entry(ctx)
    _scores_entry(ctx)
    _apply_entry(ctx)
    _making_entries(ctx)
    if only_places(ctx.rules):
        _mask_entry(ctx)


def remembering(ctx: Context) -> None:
    """Entry point lengthen(state): the history with this state behind it, if it is kept."""
    if not ctx.layout.history:
        return
    with ctx.b.function("lengthen", ctx.layout.types, ("h",), entry=True) as values:
        at = position_of(ctx, values)
        assert at.history is not None
        ctx.b.give(ctx.b.result("remember", "h", at.history, at.side, *at.planes))


def _mask_entry(ctx: Context) -> None:
    """mask(state): the cells that may be placed on."""
    with ctx.b.function("mask", ctx.layout.types, ("m",), entry=True) as values:
        new_lists(ctx)
        at = position_of(ctx, values)

        def give(side: Value) -> None:
            here = position_of(ctx, values, side)
            ctx.b.when(is_over(ctx, here), lambda: ctx.b.give(ctx.b.m(0)))
            with_moves(ctx, here, side, partial(_give_mask, ctx), lambda: ctx.b.give(ctx.b.m(0)))

        on_side(ctx, at.side, give)
        ctx.b.give(ctx.b.m(0))


def _give_mask(ctx: Context, moves: MoveSet) -> None:
    if isinstance(moves, InParts):
        ctx.b.give(union(ctx, [part.cells for part in moves.parts]))
        return
    assert isinstance(moves, InLists)
    total = ctx.b.let(ctx.b.m(0))

    def add(start: Value, end: Value) -> None:
        cell = target_in(ctx, ctx.b.result("item", "i", ctx.lists[1], start))
        ctx.b.set(total, ctx.b.op("mor", ctx.b.get(total), ctx.b.op("mcell", cell)))

    moves.each_bounds(add)
    ctx.b.give(ctx.b.get(total))


def _ending_entry(ctx: Context) -> None:
    """ending(state): the end and the winner as one number, `GOES_ON` while the game does."""
    with ctx.b.function("ending", ctx.layout.types, ("i",), entry=True) as values:
        new_lists(ctx)
        side = position_of(ctx, values).side
        on_side(ctx, side, lambda s: ctx.b.give(ending(ctx, position_of(ctx, values, s))))
        ctx.b.give(ctx.b.i(GOES_ON))


def _scores_entry(ctx: Context) -> None:
    """scores(state): the score of each side, if the rules have one."""
    score = ctx.rules.score
    if score is None:
        return
    number: Type = "i"
    numbers = (number,) * ctx.sides
    with ctx.b.function("scores", ctx.layout.types, numbers, entry=True) as values:
        new_lists(ctx)
        at = position_of(ctx, values)
        sides = (Scene(at, {"player": ctx.b.i(side)}) for side in range(ctx.sides))
        ctx.b.give(*(ctx.value(score, scene) for scene in sides))


def _apply_entry(ctx: Context) -> None:
    """apply(state, steps, check): the state after a move; one that is not legal fails if asked."""
    types = ctx.layout.types
    with ctx.b.function("apply", (*types, "b", "f"), types, entry=True) as values:
        state, steps, check = values[:-2], values[-2], values[-1]
        new_lists(ctx)
        end = ctx.b.result("size", "i", steps)
        ctx.b.when(check, lambda: _fail_unless_legal(ctx, state, steps, end))

        def make(side: Value) -> None:
            at, start = position_of(ctx, state, side), ctx.b.i(0)
            after, _ = make_listed(ctx, at, steps, start, end, side, legal=False)
            ctx.b.give(*after.values())

        on_side(ctx, position_of(ctx, state).side, make)
        ctx.b.give(*state)


def _fail_unless_legal(ctx: Context, state: Sequence[Value], steps: Value, count: Value) -> None:
    """Fail if a move is not among the legal ones."""
    b = ctx.b
    listed, ends = b.call("legal", *state)
    found, start = b.let(b.f(False)), b.let(b.i(0))

    def compare(index: Value) -> None:
        begin, end = b.get(start), b.result("item", "i", ends, index)
        as_long = b.op("ieq", b.op("isub", end, begin), count)
        b.when(as_long, lambda: b.set(found, _is_alike(ctx, listed, begin, steps, count)))
        b.when(b.get(found), b.leave)
        b.set(start, end)

    b.range(b.i(0), b.result("size", "i", ends), compare)
    b.when(b.op("fnot", b.get(found)), b.fail)


def _is_alike(ctx: Context, listed: Value, begin: Value, steps: Value, count: Value) -> Value:
    """Whether the listed numbers from a place on are those of a move."""
    b = ctx.b
    alike = b.let(b.f(True))

    def compare(index: Value) -> None:
        number = b.result("item", "i", listed, b.op("iadd", begin, index))
        same = b.op("ieq", number, b.result("item", "i", steps, index))
        b.set(alike, b.op("fand", b.get(alike), same))
        b.when(b.op("fnot", same), b.leave)

    b.range(b.i(0), count, compare)
    return b.get(alike)


def _making_entries(ctx: Context) -> None:
    """step(draft, player, word, choice) and finish(before, draft, player, word, choice)."""
    groups = list(range(len(ctx.rules.groups)))
    types = draft_types(ctx)
    with ctx.b.function("step", (*types, "i", "i", "i"), types, entry=True) as values:
        player, word, choice = values[-3:]

        def make(side: Value) -> None:
            draft = draft_of(ctx, values[:-3])

            def give(step: StepValue) -> None:
                with ctx.trusting(False):
                    scene = make_step(ctx, step, Scene(draft, {"player": side}))
                ctx.b.give(*draft_values(ctx, scene.at))

            read_step(ctx, word, choice, groups, give)

        on_side(ctx, player, make)
        ctx.b.give(*values[:-3])
    results = (*ctx.layout.types, *("m" for _ in RECORDS))
    with ctx.b.function(
        "finish",
        (*ctx.layout.types, *types, "i", "i", "i"),
        results,  # type: ignore[arg-type]
        entry=True,
    ) as values:
        size = len(ctx.layout.types)
        player, word, choice = values[-3:]

        def end(side: Value) -> None:
            before, draft = position_of(ctx, values[:size]), draft_of(ctx, values[size:-3])

            def give(step: StepValue) -> None:
                scene = Scene(draft, {"player": side}).with_(
                    direction=step.direction,
                    from_=step.origin,
                    to=step.target,
                    choice=step.choice,
                )
                state, record = finish_move(ctx, before, scene)
                ctx.b.give(*state.values(), *(record[name] for name in RECORDS))

            read_step(ctx, word, choice, groups, give)

        on_side(ctx, player, end)
        ctx.b.give(*values[size : size + size + len(RECORDS)])


def only_places(rules: Rules) -> bool:
    """Whether a legal move is no more than a cell that is placed on or selected."""
    groups = [group for tier in rules.tiers for group in tier]
    return not rules.keep and all(g.origin is None and not g.then for g in groups)
