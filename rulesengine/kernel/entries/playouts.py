"""Random games as kernel code: `drivers.playouts`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulesengine.ir.ops import reads
from rulesengine.ir.rules import operations
from rulesengine.kernel.code.form import Type, Value
from rulesengine.kernel.emit.choices import position_of
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.incremental import keeping
from rulesengine.kernel.emit.move_list import new_lists
from rulesengine.kernel.entries.games import Games
from rulesengine.kernel.entries.lane import poll, set_done

# How many plies a share of the games may have at the most, if it has several, and how many games:
# some milliseconds. Where one is played at a time code is slow.
_PLIES, _SLOW_PLIES, _GAMES = 1 << 12, 1 << 9, 256


def playouts_entry(ctx: Context, seats: int) -> None:
    """The entry point `playouts`, of a state, the first game, how many, the seed, and a lane.

    Results: wins by player, draws, unfinished games, plies, the checksum. So many games are
    played in turn, ply by ply: while one waits for memory or a long operation, another goes on.
    Where that does not pay, what is kept in memory takes more time than what is kept in code:
    shares of them are played by a function in which nobody looks up, so that registers hold games.
    """
    number: Type = "i"
    results: tuple[Type, ...] = (*((number,) * (ctx.sides + 3)), "u")
    types: tuple[Type, ...] = (*ctx.layout.types, number, number, "u")
    in_turn = seats > 1 and _waits(ctx)
    if not in_turn:
        with ctx.b.function("share", types, results, apart=True) as values:
            with _games(ctx, values) as games:
                together = 2 if seats > 1 and games.pay_side_by_side() else 1
                games.play(lambda: games.side_by_side(together))
            ctx.b.give(*games.results())
    with ctx.b.function("playouts", (*types, "a"), results, entry=True) as values:
        *given, ctx.lane = values
        if in_turn:
            with _games(ctx, given) as games:
                games.play(lambda: games.in_turn(seats))
            totals = games.results()
        else:
            totals = _in_shares(ctx, given, results, _PLIES if seats > 1 else _SLOW_PLIES)
        set_done(ctx, given[-2])
        ctx.b.give(*totals)


@contextmanager
def _games(ctx: Context, values: Sequence[Value]) -> Iterator[Games]:
    """The games that a function is to play."""
    new_lists(ctx)
    *given, first, count, seed = values
    with keeping(ctx, position_of(ctx, tuple(given))) as at:
        yield Games(ctx, at, first, count, seed)


def _in_shares(
    ctx: Context, values: Sequence[Value], results: Sequence[Type], plies: int
) -> list[Value]:
    """The results of games that are played some at a time, twice as many if these were short."""
    b = ctx.b
    *given, first, count, seed = values
    begun, few, end = b.let(first), b.let(b.i(1)), b.op("iadd", first, count)
    totals = [b.let(b.const(type, 0)) for type in results]

    def share() -> None:
        now = b.get(begun)
        b.when(b.op("ile", end, now), b.leave)
        set_done(ctx, b.op("isub", now, first))
        poll(ctx)
        number = b.op("imin", b.get(few), b.op("isub", end, now))
        found = b.call("share", *given, now, number, seed)
        for total, more in zip(totals, found, strict=True):
            b.set(total, b.op("uadd" if more.type == "u" else "iadd", b.get(total), more))
        b.set(begun, b.op("iadd", now, number))
        are_short = b.op("ilt", found[-2], b.i(plies // 2))
        twice = b.op("imin", b.op("iadd", number, number), b.i(_GAMES))
        b.set(few, b.op("pick", are_short, twice, number))

    b.loop(share)
    return [b.get(total) for total in totals]


def _waits(ctx: Context) -> bool:
    """Whether a ply is long work in one piece, so that playing in turn pays."""
    if ctx.layout.history:
        return False
    asked = (ctx.rules.tiers, ctx.rules.effects, ctx.rules.ends)
    return any(reads(op, "run") or reads(op, "slide") for op in operations(asked))
