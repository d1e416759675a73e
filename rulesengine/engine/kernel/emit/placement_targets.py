"""Kernel code for batches: legal targets as a set, and moves by a cell or by a step."""

from collections.abc import Callable

from rulesengine.engine.drivers.batch.placements import passing_group, placing_group
from rulesengine.engine.kernel.analysis.end_conditions import ends_query_moves
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import StepValue, make_move
from rulesengine.engine.kernel.emit.move_choice import (
    compute_forbid_early,
    for_side,
    position_of,
    with_moves,
)
from rulesengine.engine.kernel.emit.move_list import make_listed_move, target_in
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MoveSet, MovesInSets
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Position


def legal_targets(ctx: Context, at: Position) -> tuple[Value, Value]:
    """Return the targets of a side, and 1 if it may pass, else 0; none if the game is over."""
    b, side = ctx.b, at.side
    cells, passes = b.let(b.m(0)), b.let(b.i(0))

    def note(moves: MoveSet) -> None:
        if isinstance(moves, MovesInSets):
            for part in moves.parts:
                if part.flag is None:
                    b.set(cells, b.op("mor", b.get(cells), part.cells))
                else:
                    b.set(passes, b.op("fint", part.flag))
            return
        assert isinstance(moves, ListedMoves)
        moves.each_bounds(lambda start, end: add(start))
        moves.drop()

    def add(start: Value) -> None:
        target = target_in(ctx, b.result("item", "i", ctx.lists[1], start))

        def place() -> None:
            b.set(cells, b.op("mor", b.get(cells), b.op("mcell", target)))

        b.when(b.op("ilt", target, b.i(0)), lambda: b.set(passes, b.i(1)), place)

    if ctx.analysis(ends_query_moves):
        compute_forbid_early(ctx, at, side, counts=False)
    goes_on = b.op("fnot", is_over(ctx, at))
    b.when(goes_on, lambda: with_moves(ctx, at, side, note, lambda: None))
    return b.get(cells), b.get(passes)


def after_placement(
    ctx: Context, cell: Value, before: Position, use: Callable[[Position], None]
) -> None:
    """Call `use` with the state after a placement on a cell, -1 for a pass, by the side to move."""
    placing, passing, none = placing_group(ctx.program), passing_group(ctx.program), ctx.b.i(-1)
    if placing is None:
        ctx.b.fail()
        use(before)
        return
    ctx.cells_on_board.add(cell)

    def of_side(side: Value) -> None:
        at = position_of(ctx, before.values(), side)

        def make(group: int, target: Value) -> None:
            step = StepValue(group, none, none, target, none)
            use(make_move(ctx, at, (step,), side)[0])

        if passing is None:
            make(placing, cell)
            return
        is_pass = ctx.b.op("ilt", cell, ctx.b.i(0))
        ctx.b.when(is_pass, lambda: make(passing, none), lambda: make(placing, cell))

    for_side(ctx, before.side, of_side)


def after_step(
    ctx: Context,
    words: tuple[Value, Value],
    before: Position,
    use: Callable[[Position], None],
) -> None:
    """Call `use` with the state after a legal move of one step by the side to move."""
    b, moves = ctx.b, ctx.lists[1]

    def of_side(side: Value) -> None:
        at, base = position_of(ctx, before.values(), side), b.result("size", "i", moves)
        for word in words:
            b.effect("push", moves, word)
        end = b.result("size", "i", moves)
        after, _ = make_listed_move(ctx, at, moves, base, end, side)
        b.effect("cut", moves, base)
        use(after)

    for_side(ctx, before.side, of_side)
