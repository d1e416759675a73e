"""Kernel code for perft: `drivers.perft` over sets and lists. See decision 087."""

from collections.abc import Sequence
from dataclasses import replace

from rulesengine.engine.kernel.analysis.end_conditions import ends_query_moves
from rulesengine.engine.kernel.analysis.side_symmetry import is_side_symmetric, other_sides
from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.chance import Branches, takes_no_ply
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.incremental import exchange_incremental
from rulesengine.engine.kernel.emit.make_move import append_history
from rulesengine.engine.kernel.emit.move_choice import (
    compute_forbid_early,
    for_side,
    position_of,
    with_moves,
    with_numbered_moves,
)
from rulesengine.engine.kernel.emit.move_list import LIST_TYPES, LISTS, new_lists
from rulesengine.engine.kernel.emit.move_prefixes import PrefixedMoves
from rulesengine.engine.kernel.emit.move_sets import (
    ListedMoves,
    MoveSet,
    MovesInSets,
    NumberedMoves,
)
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.entries.job_poll import add_done, job_block_of, poll
from rulesengine.support.limits import MAX_FREE_PASSES

_KEEP, _FREE, _BULK = 0, 1, 2
_PASSED = 3
_LONG_LIST = 64  # moves on a list: below this, two plies need no poll


def function_sides(ctx: Context) -> range:
    """Return the sides that need functions of their own: one if the rules are symmetric."""
    return range(1 if ctx.analysis(is_side_symmetric) else ctx.sides)


def from_mover(ctx: Context, at: Position) -> Position:
    """Return a state as seen by its side to move, which is constant."""
    if not ctx.analysis(is_side_symmetric) or at.side.constant == 0:
        return at
    return replace(exchanged(ctx, at), side=ctx.b.i(0))


def exchanged(ctx: Context, at: Position) -> Position:
    """Return the state with the two sides' pieces, registers and incremental values exchanged."""
    planes = tuple(at.planes[i] for i in other_sides(ctx.layout.planes))
    registers = list(at.registers)
    for register in ctx.rules.registers:
        if register.each == "player":
            slot = ctx.slots[register.name]
            registers[slot], registers[slot + 1] = registers[slot + 1], registers[slot]
    incremental = exchange_incremental(ctx, at)
    return replace(at, planes=planes, registers=tuple(registers), incremental=incremental)


def perft_entry(ctx: Context) -> None:
    """Emit the entry point `perft` of a state, the depth, the options keep, free, bulk, and a job.

    Results: the count, and a mixture of the last positions, which prevents the elimination of the
    code that makes them.
    """
    types = (*LIST_TYPES, *ctx.layout.types)
    for side in () if ctx.rules.has_free_moves else function_sides(ctx):
        with ctx.b.function(f"last_{side}", (*types, "i"), ("i", "m"), apart=True) as values:
            ctx.lists = list(values[:LISTS])
            _count_last(ctx, position_of(ctx, values[LISTS:-1], ctx.b.i(side)), values[-1])
    for side in function_sides(ctx):
        ctx.b.declare(f"count_{side}", (*types, "i", "i", "a"), ("i", "m"))
    for side in function_sides(ctx):
        with ctx.b.function(f"count_{side}", (*types, "i", "i", "a"), ("i", "m")) as values:
            ctx.lists = list(values[:LISTS])
            *here, depth, options, ctx.job_block = values[LISTS:]
            _poll_and_count(ctx, depth)
            _count_from(ctx, position_of(ctx, tuple(here), ctx.b.i(side)), depth, options)
    with ctx.b.function(
        "perft", (*ctx.layout.types, "i", "i", "i", "i", "a"), ("i", "m"), entry=True
    ) as values:
        new_lists(ctx)
        *state_values, depth, keep, free, bulk, ctx.job_block = values
        at = position_of(ctx, tuple(state_values))
        options = _packed(ctx, (keep, free, bulk))
        total, last = ctx.b.let(ctx.b.i(0)), ctx.b.let(ctx.b.m(0))
        none = ctx.b.op("ieq", depth, ctx.b.i(0))
        one = lambda: ctx.b.set(total, ctx.b.i(1))  # noqa: E731

        def emit_count(side: Value) -> None:
            here = from_mover(ctx, position_of(ctx, tuple(state_values), side))
            _count_child(ctx, here, None, (total, last), depth, options)

        ctx.b.when(none, one, lambda: for_side(ctx, at.side, emit_count))
        ctx.b.emit_return(ctx.b.get(total), ctx.b.get(last))


def _poll_and_count(ctx: Context, depth: Value) -> None:
    """Poll and count here rather than in the loop over moves, which stays small enough to unswitch.

    The last two plies take too little time for a poll, unless there are many moves or free chance.
    """

    def emit_count() -> None:
        poll(ctx)
        add_done(ctx, ctx.b.i(1))

    if ctx.rules.has_free_moves:
        emit_count()
    else:
        ctx.b.when(ctx.b.op("ilt", ctx.b.i(2), depth), emit_count)


def _count_child(
    ctx: Context,
    at: Position,
    before: Position | None,
    totals: tuple[Var, Var],
    depth: Value,
    options: Value,
) -> None:
    """Add the count below a state, of at least one ply, to the totals."""
    (total, last), job_block = totals, job_block_of(ctx)

    def add(count: Value) -> None:
        ctx.b.set(total, ctx.b.op("iadd", ctx.b.get(total), count))

    def go_on() -> None:
        def work(side: Value) -> None:
            here = from_mover(ctx, position_of(ctx, at.values(), side))
            args, number = (*ctx.lists, *here.values()), here.side.constant

            def take(results: tuple[Value, ...]) -> None:
                add(results[0])
                ctx.b.set(last, ctx.b.op("mxor", ctx.b.get(last), results[1]))

            def further() -> None:
                take(ctx.b.call(f"count_{number}", *args, depth, options, job_block))

            if ctx.rules.has_free_moves:
                further()
                return
            ctx.b.when(
                _is_last(ctx, depth, options),
                lambda: take(ctx.b.call(f"last_{number}", *args, options)),
                further,
            )

        for_side(ctx, at.side, work)

    if ctx.analysis(ends_query_moves):
        go_on()
    else:
        ctx.b.when(
            is_over(ctx, at, before), lambda: add(_option(ctx, options, _KEEP)), go_on, "seldom"
        )


def _packed(ctx: Context, flags: Sequence[Value]) -> Value:
    """Pack the options keep, free and bulk into the bits of one number."""
    packed = ctx.b.i(0)
    for bit, flag in enumerate(flags):
        packed = ctx.b.op("ior", packed, ctx.b.op("ishl", flag, ctx.b.i(bit)))
    return packed


def _options_below(ctx: Context, options: Value, stays: Value) -> Value:
    """Return the options below a move; their upper bits count consecutive moves without a ply."""
    if stays.constant == 0:
        return options
    b = ctx.b
    plain = b.op("iand", options, b.i((1 << _PASSED) - 1))
    following = b.op("pick", stays, b.op("iadd", options, b.i(1 << _PASSED)), plain)
    many = b.op("ilt", b.i(MAX_FREE_PASSES), b.op("ishr", following, b.i(_PASSED)))
    b.when(many, b.fail)
    return following


def _option(ctx: Context, options: Value, bit: int) -> Value:
    return ctx.b.op("iand", ctx.b.op("ishr", options, ctx.b.i(bit)), ctx.b.i(1))


def _is_last(ctx: Context, depth: Value, options: Value) -> Value:
    """True if the remaining depth is one ply that has a function of its own."""
    counted, wanted = _last_options(ctx)
    good = ctx.b.op("ieq", ctx.b.op("iand", options, ctx.b.i(counted)), ctx.b.i(wanted))
    return ctx.b.op("fand", ctx.b.op("ieq", depth, ctx.b.i(1)), good)


def _last_options(ctx: Context) -> tuple[int, int]:
    """Return a mask of options and their values that allow that function; (0, 1) if none do."""
    if ctx.rules.has_free_moves:
        return 0, 1
    passes = any(group.kind == "pass" for group in ctx.rules.groups)
    bulk = ctx.lists_last << _BULK
    return passes << _FREE | bulk, bulk


def _count_last(ctx: Context, at: Position, options: Value) -> None:
    """Count the moves of a state where a pass is a ply; listed moves are not made."""
    keep, bulk = _option(ctx, options, _KEEP), _option(ctx, options, _BULK)
    nothing = ctx.b.m(0)
    if ctx.analysis(ends_query_moves):
        compute_forbid_early(ctx, at, at.side, counts=True)
        ctx.b.when(is_over(ctx, at), lambda: ctx.b.emit_return(keep, nothing), odds="seldom")

    def count(moves: NumberedMoves) -> None:
        if not isinstance(moves, MovesInSets):
            ctx.lists_last = True
            if isinstance(moves, ListedMoves | PrefixedMoves):
                moves.drop()
            ctx.b.emit_return(moves.count, nothing)
            return
        at_once = ctx.b.op("ieq", bulk, ctx.b.i(1))
        ctx.b.when(at_once, lambda: ctx.b.emit_return(moves.count, nothing), odds="often")
        if at.history is not None:
            append_history(ctx, at)  # once for all moves
        last = ctx.b.let(nothing)
        moves.for_each(lambda after, _: _mix(ctx, last, after))
        ctx.b.emit_return(moves.count, ctx.b.get(last))

    def emit_none() -> None:
        ctx.b.emit_return(keep, nothing)

    with ctx.appending_late():
        with_numbered_moves(ctx, at, at.side, count, emit_none)


def _mix(ctx: Context, last: Var, after: Position) -> None:
    """Mix a last position into the result."""
    made = ctx.b.get(last)
    for plane in after.planes:
        made = ctx.b.op("mxor", made, plane)
    ctx.b.set(last, made)


def _count_from(ctx: Context, at: Position, depth: Value, options: Value) -> None:
    """Count below a state that is not over; test the ends here if they depend on the moves."""
    keep, free, bulk = (_option(ctx, options, bit) for bit in (_KEEP, _FREE, _BULK))
    one, nothing = ctx.b.i(1), ctx.b.m(0)
    ends = ctx.b.f(_last_options(ctx) != (0, 0))  # otherwise one more ply remains below
    if ctx.analysis(ends_query_moves):
        compute_forbid_early(ctx, at, at.side, counts=True)
        ctx.b.when(is_over(ctx, at), lambda: ctx.b.emit_return(keep, nothing), odds="seldom")

    def count(moves: MoveSet) -> None:
        last_ply = ctx.b.op("fand", ctx.b.op("ieq", depth, one), ctx.b.op("ieq", bulk, one))
        is_free = takes_no_ply(ctx, at, of_chance=isinstance(moves, Branches))
        last_ply = ctx.b.op("fand", ends, ctx.b.op("fand", last_ply, ctx.b.op("fnot", is_free)))
        if moves.has_pass():
            last_ply = ctx.b.op("fand", last_ply, ctx.b.op("ieq", free, ctx.b.i(0)))

        def at_once() -> None:
            if isinstance(moves, ListedMoves):
                moves.drop()
            ctx.b.emit_return(moves.count, nothing)

        ctx.b.when(last_ply, at_once)
        if isinstance(moves, ListedMoves):
            ctx.b.when(ctx.b.op("ilt", ctx.b.i(_LONG_LIST), moves.count), lambda: poll(ctx))
        total, last = ctx.b.let(ctx.b.i(0)), ctx.b.let(nothing)

        def go_on(after: Position, passes: Value) -> None:
            less = ctx.b.op("isub", depth, one)
            stays = ctx.b.op("fand", passes, ctx.b.op("ieq", free, one))
            stays = ctx.b.op("for", is_free, stays)
            left = ctx.b.op("pick", stays, depth, less)
            following = _options_below(ctx, options, stays)

            def leaf() -> None:
                ctx.b.set(total, ctx.b.op("iadd", ctx.b.get(total), one))
                _mix(ctx, last, after)

            ctx.b.when(
                ctx.b.op("fand", ends, ctx.b.op("ieq", left, ctx.b.i(0))),
                leaf,
                lambda: _count_child(ctx, after, at, (total, last), left, following),
            )

        moves.for_each(go_on)
        if isinstance(moves, ListedMoves):
            moves.drop()
        ctx.b.emit_return(ctx.b.get(total), ctx.b.get(last))

    with_moves(ctx, at, at.side, count, lambda: ctx.b.emit_return(keep, nothing))
