"""Kernel code that filters listed moves: the best by a key, or one for each result."""

from functools import partial

from rulesengine import job
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_list import (
    STRIDE,
    listed_move_result,
    make_listed_move,
    origin_in,
    target_in,
)
from rulesengine.engine.kernel.emit.move_sets import ListedMoves
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.rules import GROUP, Key
from rulesengine.support.words import GROUPS

# Numbers of an entry for a distinct move: a hash of its result, the start and end of its steps.
_ENTRY = 3


def filter_by_key(
    ctx: Context,
    at: Position,
    side: Value,
    base: Value,
    first: Value,
    key: Key,
    job_block: Value | None = None,
) -> None:
    """Filter the listed moves to the best ones by a key; a single move is not evaluated.

    The job memory, if any, is polled at each move.
    """
    b = ctx.b
    count = b.op("isub", b.result("size", "i", ctx.lists[2]), first)

    def apply() -> None:
        _apply_key(
            ctx, at, side, ListedMoves(ctx, at, side, base, first, count, False), key, job_block
        )

    b.when(b.op("ilt", b.i(1), count), apply)


def _apply_key(
    ctx: Context, at: Position, side: Value, moves: ListedMoves, key: Key, job_block: Value | None
) -> None:
    b = ctx.b
    values, chosen = ctx.lists[4], ctx.lists[5]
    begin = b.result("size", "i", values)
    best = b.let(b.i(0))
    some = b.let(b.f(False))

    def value_of(start: Value, end: Value) -> None:
        if job_block is not None:
            b.write("poll", job_block, b.i(job.STOP))
        value = ctx.value(key.value, move_scene(ctx, at, side, start, end))
        if value.type == "f":
            value = b.op("fint", value)
        b.effect("push", values, value)
        better = b.op("imax" if key.order == "most" else "imin", b.get(best), value)
        b.set(best, b.op("pick", b.get(some), better, value))
        b.set(some, b.f(True))

    moves.each_bounds(value_of)
    b.effect("cut", chosen, b.i(0))
    index = b.let(begin)
    wanted = b.get(best)

    def keep(start: Value, end: Value) -> None:
        at_ = b.get(index)
        good = b.op("ieq", b.result("item", "i", values, at_), wanted)

        b.when(good, lambda: _copy(ctx, start, end))
        b.set(index, b.op("iadd", at_, b.i(1)))

    moves.each_bounds(keep)
    b.effect("cut", values, begin)
    _replace_listed(ctx, moves)


def filter_duplicates(ctx: Context, at: Position, side: Value, base: Value, first: Value) -> None:
    """Filter the listed moves to the first of those that lead to equal states."""
    b, entries = ctx.b, ctx.lists[4]
    count = b.op("isub", b.result("size", "i", ctx.lists[2]), first)
    moves = ListedMoves(ctx, at, side, base, first, count, False)

    def compare() -> None:
        begin = b.result("size", "i", entries)
        moves.each_bounds(partial(_add_unless_equal, ctx, at, side, begin))
        some = b.op("isub", b.result("size", "i", entries), begin)
        fewer = b.op("ilt", some, b.op("imul", count, b.i(_ENTRY)))
        b.when(fewer, lambda: _keep_entries(ctx, moves, begin))
        b.effect("cut", entries, begin)

    b.when(b.op("ilt", b.i(1), count), compare)


def _add_unless_equal(
    ctx: Context, at: Position, side: Value, begin: Value, start: Value, end: Value
) -> None:
    """Add an entry for a move unless an earlier one leads to the same state."""
    b, moves, entries = ctx.b, ctx.lists[1], ctx.lists[4]
    after = make_listed_move(ctx, at, moves, start, end, side)[0]
    mark, new = _hash_of(ctx, after), b.let(b.f(True))
    index, size = b.let(begin), b.result("size", "i", entries)

    def compare(place: Value) -> None:
        other = make_listed_move(ctx, at, moves, *_entry_bounds(ctx, place), side=side)[0]
        b.set(new, b.op("fnot", _are_equal(ctx, other, after)))

    def compare_best() -> None:
        place = b.get(index)
        b.when(b.op("ile", size, place), b.leave)
        alike = b.op("ieq", b.result("item", "i", entries, place), mark)
        b.when(alike, lambda: compare(place))
        b.when(b.op("fnot", b.get(new)), b.leave)
        b.set(index, b.op("iadd", place, b.i(_ENTRY)))

    def note() -> None:
        for number in (mark, start, end):
            b.effect("push", entries, number)

    b.loop(compare_best)
    b.when(b.get(new), note)


def _entry_bounds(ctx: Context, place: Value) -> tuple[Value, Value]:
    """Return the start and end of the steps of an entry's move."""
    b, entries = ctx.b, ctx.lists[4]
    start = b.result("item", "i", entries, b.op("iadd", place, b.i(1)))
    return start, b.result("item", "i", entries, b.op("iadd", place, b.i(2)))


def _hash_of(ctx: Context, at: Position) -> Value:
    """Return a hash of a state."""
    total = ctx.b.const("u", 0)
    for value in _parts(at):
        total = ctx.b.op("ufoldm" if value.type == "m" else "ufold", total, value)
    return ctx.b.op("usign", total)


def _are_equal(ctx: Context, one: Position, other: Position) -> Value:
    """Return a flag that is true if two successors of a state are equal; their histories are."""
    b, equal = ctx.b, ctx.b.f(True)
    for x, y in zip(_parts(one), _parts(other), strict=True):
        equal = b.op("fand", equal, b.op("meq" if x.type == "m" else "ieq", x, y))
    return equal


def _parts(at: Position) -> tuple[Value, ...]:
    """Return the values that distinguish successors of one state."""
    return (*at.planes, at.side, *at.registers, *(() if at.seats is None else (at.seats,)))


def _keep_entries(ctx: Context, moves: ListedMoves, begin: Value) -> None:
    """Filter the listed moves to those with an entry."""
    b, entries = ctx.b, ctx.lists[4]
    b.effect("cut", ctx.lists[5], b.i(0))
    index, size = b.let(begin), b.result("size", "i", entries)

    def one() -> None:
        place = b.get(index)
        b.when(b.op("ile", size, place), b.leave)
        _copy(ctx, *_entry_bounds(ctx, place))
        b.set(index, b.op("iadd", place, b.i(_ENTRY)))

    b.loop(one)
    _replace_listed(ctx, moves)


def _copy(ctx: Context, start: Value, end: Value) -> None:
    """Append a move, preceded by the number of its words, to the list of remaining moves."""
    b, chosen = ctx.b, ctx.lists[5]
    b.effect("push", chosen, b.op("isub", end, start))
    b.range(start, end, lambda i: b.effect("push", chosen, b.result("item", "i", ctx.lists[1], i)))


def _replace_listed(ctx: Context, moves: ListedMoves) -> None:
    """Replace the listed moves by the remaining ones."""
    b, chosen = ctx.b, ctx.lists[5]
    moves.drop()
    size, index = b.result("size", "i", chosen), b.let(b.i(0))

    def one() -> None:
        at = b.get(index)
        b.when(b.op("ile", size, at), b.leave)
        start = b.op("iadd", at, b.i(1))
        end = b.op("iadd", start, b.result("item", "i", chosen, at))
        b.range(
            start,
            end,
            lambda i: b.effect("push", ctx.lists[1], b.result("item", "i", chosen, i)),
        )
        b.effect("push", ctx.lists[2], b.result("size", "i", ctx.lists[1]))
        b.set(index, end)

    b.loop(one)


def move_scene(ctx: Context, at: Position, side: Value, start: Value, end: Value) -> Environment:
    """Return the scene in which a key evaluates a listed move."""
    b, steps = ctx.b, ctx.lists[1]
    first = b.result("item", "i", steps, start)
    last, choice = (
        b.result("item", "i", steps, b.op("isub", end, b.i(back))) for back in (STRIDE, STRIDE - 1)
    )
    origin, target = origin_in(ctx, first), target_in(ctx, last)
    group = b.op("iand", last, b.i(GROUPS))
    scene = Environment(at, {"player": side, "from": origin, "to": target, "choice": choice})
    scene = scene.with_(**{GROUP: group})
    return Environment(
        at,
        scene.variables,
        listed_move_result(ctx, at, side, steps, start, end),
        lambda other: listed_move_result(ctx, other, None, steps, start, end),
    )
