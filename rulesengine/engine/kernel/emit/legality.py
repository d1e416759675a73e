"""Kernel code for the legality of a move: by sets for moves of one step, else by the list."""

from functools import partial

from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_choice import with_moves
from rulesengine.engine.kernel.emit.move_list import STRIDE, origin_in, target_in, word_of
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MoveSet, MovesInSets
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.emit.step_sets import StepSet, step_of


def fail_unless_legal(ctx: Context, at: Position, steps: Value, count: Value) -> None:
    """Fail if a list does not encode a legal move."""
    b = ctx.b
    is_legal = b.let(b.f(False))

    def test(moves: MoveSet) -> None:
        if isinstance(moves, MovesInSets):
            is_one = b.op("ieq", count, b.i(STRIDE))
            b.when(is_one, lambda: _test_sets(ctx, moves, steps, is_legal))
        elif isinstance(moves, ListedMoves):
            _test_listed(ctx, moves, steps, count, is_legal)

    def search() -> None:
        with_moves(ctx, at, at.side, test, lambda: None)

    b.when(b.op("fnot", is_over(ctx, at)), search)
    b.when(b.op("fnot", b.get(is_legal)), b.fail)


def _test_sets(ctx: Context, moves: MovesInSets, steps: Value, is_legal: Var) -> None:
    b = ctx.b
    word, choice = (b.result("item", "i", steps, b.i(place)) for place in range(STRIDE))

    def test() -> None:
        for part in moves.parts:
            _test_set(ctx, part, word, is_legal)

    b.when(b.op("ieq", choice, b.i(-1)), test)


def _test_set(ctx: Context, part: StepSet, word: Value, is_legal: Var) -> None:
    """Set `is_legal` if a step belongs to a part: its cell is in the set, and the rest follows from
    it.
    """
    b = ctx.b
    if part.flag is not None:
        same = b.op("ieq", word, word_of(ctx, step_of(ctx, part, b.i(-1))))
        b.when(b.op("fand", part.flag, same), lambda: b.set(is_legal, b.f(True)))
        return
    cell = target_in(ctx, word) if part.path is None else origin_in(ctx, word)
    on_board = b.op("fand", b.op("ile", b.i(0), cell), b.op("ilt", cell, b.i(ctx.shape.cells)))

    def compare() -> None:
        same = b.op("ieq", word, word_of(ctx, step_of(ctx, part, cell)))
        inside = b.op("mhas", part.cells, cell)
        b.when(b.op("fand", same, inside), lambda: b.set(is_legal, b.f(True)))

    b.when(on_board, compare)


def _test_listed(
    ctx: Context, moves: ListedMoves, steps: Value, count: Value, is_legal: Var
) -> None:
    b = ctx.b

    def compare(start: Value, end: Value) -> None:
        same = partial(_is_equal, ctx, start, steps, count)
        as_long = b.op("ieq", b.op("isub", end, start), count)
        b.when(as_long, lambda: b.set(is_legal, b.op("for", b.get(is_legal), same())))

    moves.each_bounds(compare)


def _is_equal(ctx: Context, start: Value, steps: Value, count: Value) -> Value:
    """Return a flag that is true if the listed numbers from an index on encode a move."""
    b = ctx.b
    alike = b.let(b.f(True))

    def compare(index: Value) -> None:
        number = b.result("item", "i", ctx.lists[1], b.op("iadd", start, index))
        same = b.op("ieq", number, b.result("item", "i", steps, index))
        b.set(alike, b.op("fand", b.get(alike), same))
        b.when(b.op("fnot", same), b.leave)

    b.range(b.i(0), count, compare)
    return b.get(alike)
