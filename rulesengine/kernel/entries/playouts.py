"""Random games as kernel code: `drivers.playouts`."""

from rulesengine.ir.ops import reads
from rulesengine.ir.rules import operations
from rulesengine.kernel.code.form import Type
from rulesengine.kernel.emit.choices import position_of
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.incremental import keeping
from rulesengine.kernel.emit.move_list import new_lists
from rulesengine.kernel.entries.games import Games
from rulesengine.kernel.entries.lane import set_done


def playouts_entry(ctx: Context, seats: int) -> None:
    """The entry point `playouts`, of a state, the first game, how many, the seed, and a lane.

    Results: wins by player, draws, unfinished games, plies, the checksum. So many games are
    played in turn, ply by ply: while one waits for memory or a long operation, another goes on.
    """
    number: Type = "i"
    results: tuple[Type, ...] = (*((number,) * (ctx.sides + 3)), "u")
    with ctx.b.function(
        "playouts", (*ctx.layout.types, "i", "i", "u", "a"), results, entry=True
    ) as values:
        new_lists(ctx)
        *given, first, count, seed, ctx.lane = values
        start = position_of(ctx, tuple(given))
        with keeping(ctx, start) as at:
            games = Games(ctx, at, first, count, seed)
            games.play(lambda: _play(ctx, games, seats))
        set_done(ctx, count)
        ctx.b.give(*games.results())


def _play(ctx: Context, games: Games, seats: int) -> None:
    """In the way that pays: what is kept in memory takes time, what is kept in code space."""
    if seats > 1 and _waits(ctx):
        games.in_turn(seats)
    elif seats > 1 and games.has_short_plies():
        games.in_shares(2)
    else:
        games.side_by_side(1)


def _waits(ctx: Context) -> bool:
    """Whether a ply is long work in one piece, so that playing in turn pays."""
    if ctx.layout.history:
        return False
    asked = (ctx.rules.tiers, ctx.rules.effects, ctx.rules.ends)
    return any(reads(op, "run") or reads(op, "slide") for op in operations(asked))
