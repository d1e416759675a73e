"""Who wins for sure by the moves that he has in reserve, as kernel code."""

from rulesengine.drivers import SETTLED
from rulesengine.kernel.code.form import Table, Value
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.scene import Position, Scene
from rulesengine.kernel.passes.reserves import Masks, Reserves, Side


def settled(ctx: Context, at: Position) -> Value:
    """As `Judged.settled` says, of a state whose side to move is known."""
    b, reserves = ctx.b, ctx.reserves
    if reserves is None:
        return b.i(0)
    assert at.side.known is not None
    mine, other = at.side.known, 1 - at.side.known
    moves, replies = (_moves(ctx, at, reserves, side) for side in (mine, other))
    own, others = reserves.sides[mine], reserves.sides[other]
    most = _packed(ctx, replies, others.apart)
    most_own = _packed(ctx, moves, own.apart)
    sure = _sure(ctx, own, moves, replies, 1)
    sure_replies = _sure(ctx, others, replies, moves, 0)
    guess = b.op("iadd", b.op("isub", sure, most), b.op("isub", most_own, sure_replies))
    loses = b.op("ile", most_own, sure_replies)
    open_ = b.op("pick", loses, b.i(-SETTLED), guess)
    return b.op("pick", b.op("ilt", most, sure), b.i(SETTLED), open_)


def _moves(ctx: Context, at: Position, reserves: Reserves, side: int) -> Value:
    return ctx.value(reserves.cells, Scene(at, {"player": ctx.b.i(side)}))


def _packed(ctx: Context, cells: Value, gone: Masks) -> Value:
    """How many cells are taken, one after the other, if with each of them a set is gone."""
    b = ctx.b
    left, count = b.let(cells), b.let(b.i(0))

    def one() -> None:
        now = b.get(left)
        b.when(b.op("fnot", b.op("many", now)), b.leave)
        b.set(left, b.op("mless", now, _looked_up(ctx, b.op("mfirst", now), gone)))
        b.set(count, b.op("iadd", b.get(count), b.i(1)))

    b.loop(one)
    return b.get(count)


def _sure(ctx: Context, side: Side, moves: Value, replies: Value, first: int) -> Value:
    b = ctx.b
    left, rest, count = b.let(moves), b.let(moves), b.let(b.i(0))

    def one() -> None:
        now = b.get(left)
        b.when(b.op("fnot", b.op("many", now)), b.leave)
        cell = b.op("mfirst", now)
        spoiling = b.op("mand", _looked_up(ctx, cell, side.spoils), replies)
        is_safe = b.op("fnot", b.op("many", spoiling))
        gone = b.op("pick", is_safe, _looked_up(ctx, cell, side.takes), b.op("mcell", cell))
        b.set(left, b.op("mless", now, gone))
        taken = b.op("pick", is_safe, gone, b.m(0))
        b.set(rest, b.op("mless", b.get(rest), taken))
        b.set(count, b.op("iadd", b.get(count), b.op("fint", is_safe)))

    b.loop(one)
    spoiled = _packed(ctx, b.get(rest), side.near)
    half = b.op("ishr", b.op("iadd", spoiled, b.i(first)), b.i(1))
    return b.op("iadd", b.get(count), half)


def _looked_up(ctx: Context, cell: Value, masks: Masks) -> Value:
    return ctx.b.op("mlook", cell, detail=Table("m", masks))
