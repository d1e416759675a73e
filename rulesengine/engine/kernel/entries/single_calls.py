"""Entry points of kernels for single calls and strategies."""

from dataclasses import replace
from functools import partial

from rulesengine.engine.kernel.analysis import cell_numbering
from rulesengine.engine.kernel.analysis.caller_facts import has_only_placements
from rulesengine.engine.kernel.code.dead_code import remove_dead_code
from rulesengine.engine.kernel.code.form import Module, Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.legality import fail_unless_legal
from rulesengine.engine.kernel.emit.make_move import StepValue, finish_move, make_step
from rulesengine.engine.kernel.emit.move_choice import (
    for_side,
    list_best,
    list_legal,
    position_of,
    with_moves,
)
from rulesengine.engine.kernel.emit.move_list import (
    STRIDE,
    draft_of,
    draft_types,
    draft_values,
    make_listed_move,
    new_lists,
    read_step,
    target_in,
)
from rulesengine.engine.kernel.emit.move_prefixes import (
    count_in,
    find_move,
    has_prefixes,
    list_prefixes,
)
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MoveSet, MovesInSets
from rulesengine.engine.kernel.emit.outcomes import ending, is_over
from rulesengine.engine.kernel.emit.payoffs import payoff
from rulesengine.engine.kernel.emit.state_values import RECORDS, Environment
from rulesengine.engine.kernel.emit.values import position_word, union
from rulesengine.language.ir.rules import BY_CHANCE
from rulesengine.state import GOES_ON


def finish_module(ctx: Context) -> Module:
    """Return the emitted module, with its cell numbering and without dead code."""
    module, topology = ctx.b.module, ctx.program.topology
    module.grid, module.places = cell_numbering.grid(topology) or (
        None,
        cell_numbering.places(topology),
    )
    return remove_dead_code(module)


def strategy_entry(ctx: Context, number: int, *, waits: bool) -> None:
    """Emit choose_K(state): the best moves by a strategy, of which the first is its choice.

    With `waits`, since the choice may take long, there is a parameter for the memory of a job.
    Results: the steps of moves and their ends, as lists.
    """
    types, own = ctx.layout.types, len(ctx.layout.types)
    takes = (*types, "a") if waits else types
    with ctx.b.function(f"choose_{number}", takes, ("b", "b"), entry=True) as values:
        new_lists(ctx)
        state, job_block = values[:own], values[own:]

        def best(side: Value) -> None:
            list_best(ctx, position_of(ctx, state, side), number, job_block)

        for_side(ctx, position_of(ctx, state).side, best)
        ctx.b.emit_return(ctx.lists[1], ctx.lists[2])


def singles(ctx: Context) -> None:
    """Emit entry points for one state: legal, moves by number, mask, ending, scores, payoff, apply,
    step, finish.
    """
    with ctx.b.function("legal", ctx.layout.types, ("b", "b"), entry=True) as values:
        new_lists(ctx)
        at = position_of(ctx, values)

        def listed(side: Value) -> None:
            here = position_of(ctx, values, side)
            ctx.b.when(ctx.b.op("fnot", is_over(ctx, here)), lambda: list_legal(ctx, here))

        for_side(ctx, at.side, listed)
        ctx.b.emit_return(ctx.lists[1], ctx.lists[2])
    if has_prefixes(ctx):
        _stem_entries(ctx)
    elif not any(group.then for group in ctx.rules.groups) and not has_only_placements(ctx.rules):
        _item_entry(ctx)
    _ending_entry(ctx)
    _scores_entry(ctx)
    _payoff_entry(ctx)
    _apply_entry(ctx)
    _making_entries(ctx)
    if has_only_placements(ctx.rules):
        _mask_entry(ctx)


def history_entry(ctx: Context) -> None:
    """Emit lengthen(state), which appends a state to the history, if there is one."""
    if not ctx.layout.history:
        return
    with ctx.b.function("lengthen", ctx.layout.types, ("h",), entry=True) as values:
        at = position_of(ctx, values)
        assert at.history is not None
        ctx.b.emit_return(
            ctx.b.result("remember", "h", at.history, position_word(ctx, at), *at.planes)
        )


def _stem_entries(ctx: Context) -> None:
    """Emit stems(state), with the number of moves, and nth(state, stems, index): a move's steps."""
    types = ctx.layout.types
    with ctx.b.function("stems", types, ("b", "i"), entry=True) as values:
        new_lists(ctx)
        side = position_of(ctx, values).side
        for_side(ctx, side, lambda s: list_prefixes(ctx, position_of(ctx, values, s)))
        ctx.b.emit_return(ctx.lists[5], count_in(ctx, ctx.lists[5]))
    with ctx.b.function("nth", (*types, "b", "i"), ("b",), entry=True) as values:
        *state, stems, index = values
        new_lists(ctx)
        side = position_of(ctx, tuple(state)).side
        find = partial(find_move, ctx, stems=stems, index=index, base=ctx.b.i(0))
        for_side(ctx, side, lambda s: find(position_of(ctx, tuple(state), s)))
        ctx.b.emit_return(ctx.lists[3])


def _item_entry(ctx: Context) -> None:
    """Emit item(steps, index): the step of an index in a list."""
    b = ctx.b
    with b.function("item", ("b", "i"), ("b",), entry=True) as (steps, index):
        new_lists(ctx)
        start = b.op("imul", index, b.i(STRIDE))
        there = b.op("ilt", start, b.result("size", "i", steps))
        b.when(b.op("fnot", b.op("fand", there, b.op("ile", b.i(0), index))), b.fail)
        for place in (start, b.op("iadd", start, b.i(1))):
            b.effect("push", ctx.lists[1], b.result("item", "i", steps, place))
        b.emit_return(ctx.lists[1])


def _mask_entry(ctx: Context) -> None:
    """Emit mask(state): the cells for legal placements."""
    with ctx.b.function("mask", ctx.layout.types, ("m",), entry=True) as values:
        new_lists(ctx)
        at = position_of(ctx, values)

        def give(side: Value) -> None:
            here = position_of(ctx, values, side)
            ctx.b.when(is_over(ctx, here), lambda: ctx.b.emit_return(ctx.b.m(0)))
            with_moves(
                ctx, here, side, partial(_give_mask, ctx), lambda: ctx.b.emit_return(ctx.b.m(0))
            )

        for_side(ctx, at.side, give)
        ctx.b.emit_return(ctx.b.m(0))


def _give_mask(ctx: Context, moves: MoveSet) -> None:
    if isinstance(moves, MovesInSets):
        ctx.b.emit_return(union(ctx, [part.cells for part in moves.parts]))
        return
    assert isinstance(moves, ListedMoves)
    total = ctx.b.let(ctx.b.m(0))

    def add(start: Value, end: Value) -> None:
        cell = target_in(ctx, ctx.b.result("item", "i", ctx.lists[1], start))
        ctx.b.set(total, ctx.b.op("mor", ctx.b.get(total), ctx.b.op("mcell", cell)))

    moves.each_bounds(add)
    ctx.b.emit_return(ctx.b.get(total))


def _ending_entry(ctx: Context) -> None:
    """Emit ending(state): the end and the winner as one number, `GOES_ON` during a game."""
    with ctx.b.function("ending", ctx.layout.types, ("i",), entry=True) as values:
        new_lists(ctx)
        side = position_of(ctx, values).side
        for_side(ctx, side, lambda s: ctx.b.emit_return(ending(ctx, position_of(ctx, values, s))))
        ctx.b.emit_return(ctx.b.i(GOES_ON))


def _scores_entry(ctx: Context) -> None:
    """Emit scores(state): the score of each side, if the rules have one."""
    score = ctx.rules.score
    if score is None:
        return
    number: Type = "i"
    numbers = (number,) * ctx.sides
    with ctx.b.function("scores", ctx.layout.types, numbers, entry=True) as values:
        new_lists(ctx)
        at = position_of(ctx, values)
        sides = (Environment(at, {"player": ctx.b.i(side)}) for side in range(ctx.sides))
        ctx.b.emit_return(*(ctx.value(score, scene) for scene in sides))


def _payoff_entry(ctx: Context) -> None:
    """Emit payoff(state): the payoff of a single player, 0 if the game is not over."""
    if ctx.sides > 1:
        return
    with ctx.b.function("payoff", ctx.layout.types, ("i",), entry=True) as values:
        new_lists(ctx)
        ctx.b.emit_return(payoff(ctx, position_of(ctx, values, ctx.b.i(0)), 0))


def _apply_entry(ctx: Context) -> None:
    """Emit apply(state, steps, check): the state after a move; with `check`
    an illegal one fails.
    """
    types = ctx.layout.types
    with ctx.b.function("apply", (*types, "b", "f"), types, entry=True) as values:
        state, steps, check = values[:-2], values[-2], values[-1]
        new_lists(ctx)
        end = ctx.b.result("size", "i", steps)

        def make(side: Value) -> None:
            at, start = position_of(ctx, state, side), ctx.b.i(0)
            ctx.b.when(check, lambda: fail_unless_legal(ctx, at, steps, end))
            after, _ = make_listed_move(ctx, at, steps, start, end, side, legal=False)
            ctx.b.emit_return(*after.values())

        for_side(ctx, position_of(ctx, state).side, make)
        ctx.b.emit_return(*state)


def _making_entries(ctx: Context) -> None:
    """Emit step(draft, player, word, choice) and finish(before, draft, player, word, choice)."""
    groups = list(range(len(ctx.rules.groups)))
    types = draft_types(ctx)
    with ctx.b.function("step", (*types, "i", "i", "i"), types, entry=True) as values:
        player, word, choice = values[-3:]

        def make(side: Value) -> None:
            draft = draft_of(ctx, values[:-3])

            def give(step: StepValue) -> None:
                with ctx.trusting(False):
                    scene = make_step(ctx, step, Environment(draft, {"player": side}))
                ctx.b.emit_return(*draft_values(ctx, scene.at))

            read_step(ctx, word, choice, groups, give)

        for_side(ctx, player, make)
        ctx.b.emit_return(*values[:-3])
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
            before = position_of(ctx, values[:size])
            draft = replace(draft_of(ctx, values[size:-3]), before=before)

            def give(step: StepValue) -> None:
                by_chance = ctx.b.f(ctx.rules.groups[step.group].weight is not None)
                scene = Environment(draft, {"player": side, BY_CHANCE: by_chance}).with_(
                    direction=step.direction,
                    from_=step.origin,
                    to=step.target,
                    choice=step.choice,
                )
                state, record = finish_move(ctx, before, scene)
                ctx.b.emit_return(*state.values(), *(record[name] for name in RECORDS))

            read_step(ctx, word, choice, groups, give)

        for_side(ctx, player, end)
        ctx.b.emit_return(*values[size : size + size + len(RECORDS)])
