"""Kernel code for playouts: `drivers.playouts`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.incremental import maintaining_incremental
from rulesengine.engine.kernel.emit.move_choice import position_of, with_numbered_moves
from rulesengine.engine.kernel.emit.move_list import new_lists
from rulesengine.engine.kernel.emit.move_sets import NumberedMoves
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.entries.job_poll import poll, set_done
from rulesengine.engine.kernel.entries.playout_loop import PlayoutLoop, interleaves_in_memory
from rulesengine.engine.kernel.entries.playout_ply import DrawnMove, checksum, plies_in
from rulesengine.state import GOES_ON

# The maximum number of plies of a share of several games, and of games: some milliseconds. A loop
# that plays one game at a time is slower.
_PLIES, _SLOW_PLIES, _GAMES = 1 << 12, 1 << 9, 256


class _Tally:
    """The totals of playouts: wins by player, draws, unfinished games, plies, the checksum."""

    def __init__(self, ctx: Context, first: Value) -> None:
        self.ctx, self.b, self.first = ctx, ctx.b, first
        self.totals = [self.b.let(self.b.i(0)) for _ in range(ctx.sides + 3)]
        self.sum = self.b.let(self.b.const("u", 0))

    def results(self) -> list[Value]:
        return [*(self.b.get(v) for v in self.totals), self.b.get(self.sum)]

    def find(
        self,
        at: Position,
        side: Value,
        use: Callable[[NumberedMoves], None],
        none: Callable[[], None],
    ) -> None:
        with_numbered_moves(self.ctx, at, side, use, none)

    def begin(self, number: Value) -> None:
        self.b.effect("mark", number)

    def move(self, drawn: DrawnMove, number: Value) -> None:
        pass

    def end(self, last: Position, winner: Value, length: Value, number: Value) -> None:
        b, plies = self.b, plies_in(self.ctx, length)
        marks = [b.op("ieq", winner, b.i(i)) for i in (*range(self.ctx.sides), -1, GOES_ON)]
        for var, mark in zip(self.totals, marks, strict=False):
            b.set(var, b.op("iadd", b.get(var), b.op("fint", mark)))
        b.set(self.totals[-1], b.op("iadd", b.get(self.totals[-1]), plies))
        mark = checksum(self.ctx, last, winner, plies)
        b.set(self.sum, b.op("uadd", b.get(self.sum), mark))

    def pause(self, number: Value) -> None:
        set_done(self.ctx, self.b.op("isub", number, self.first))
        poll(self.ctx)


class _UnmarkedTally(_Tally):
    """The totals of playouts that mark no game."""

    def begin(self, number: Value) -> None:
        pass


def playouts_entry(ctx: Context) -> None:
    """Emit the entry point `playouts` of a state, the first game, the number, the seed, and a job.

    Results: wins by player, draws, unfinished games, plies, the checksum. Games are interleaved ply
    by ply, which hides the latency of memory and long operations. Where that does not pay off, a
    function without polls plays shares of the games, with their states in registers.
    """
    number: Type = "i"
    results: tuple[Type, ...] = (*((number,) * (ctx.sides + 3)), "u")
    types: tuple[Type, ...] = (*ctx.layout.types, number, number, "u")
    in_turn = interleaves_in_memory(ctx, ctx.seats)
    if not in_turn:
        with ctx.b.function("share", types, results, apart=True) as values:
            with _games(ctx, values) as (games, tally):
                games.play_if_any(ctx.seats)
            ctx.b.emit_return(*tally.results())
    with ctx.b.function("playouts", (*types, "a"), results, entry=True) as values:
        *state_values, ctx.job_block = values
        if in_turn:
            with _games(ctx, state_values) as (games, tally):
                games.play_if_any(ctx.seats)
            totals = tally.results()
        else:
            totals = _play_shares(
                ctx, state_values, results, _PLIES if ctx.seats > 1 else _SLOW_PLIES
            )
        set_done(ctx, state_values[-2])
        ctx.b.emit_return(*totals)


def lane_playouts_entry(ctx: Context) -> None:
    """Emit the entry point `play_games` of a state, the first game, the number and the seed.

    The results are those of `playouts`. A lane of a GPU plays one game at a time, without polls and
    marks: the caller repeats all games of a call that failed.
    """
    number: Type = "i"
    results: tuple[Type, ...] = (*((number,) * (ctx.sides + 3)), "u")
    types: tuple[Type, ...] = (*ctx.layout.types, number, number, "u")
    with ctx.b.function("play_games", types, results, entry=True) as (
        *state_values,
        first,
        count,
        seed,
    ):
        new_lists(ctx)
        with maintaining_incremental(ctx, position_of(ctx, tuple(state_values))) as at:
            tally = _UnmarkedTally(ctx, first)
            PlayoutLoop(ctx, at, first, count, seed, tally).play_one_by_one()
        ctx.b.emit_return(*tally.results())


@contextmanager
def _games(ctx: Context, values: Sequence[Value]) -> Iterator[tuple[PlayoutLoop, _Tally]]:
    """Yield the games of a function's parameters, and their totals."""
    new_lists(ctx)
    *state_values, first, count, seed = values
    with maintaining_incremental(ctx, position_of(ctx, tuple(state_values))) as at:
        tally = _Tally(ctx, first)
        yield PlayoutLoop(ctx, at, first, count, seed, tally), tally


def _play_shares(
    ctx: Context, values: Sequence[Value], results: Sequence[Type], plies: int
) -> list[Value]:
    """Play games in shares that double in size while they are short; return the totals."""
    b = ctx.b
    *state_values, first, count, seed = values
    begun, few, end = b.let(first), b.let(b.i(1)), b.op("iadd", first, count)
    totals = [b.let(b.const(type, 0)) for type in results]

    def share() -> None:
        now = b.get(begun)
        b.when(b.op("ile", end, now), b.leave)
        set_done(ctx, b.op("isub", now, first))
        poll(ctx)
        number = b.op("imin", b.get(few), b.op("isub", end, now))
        results_of_share = b.call("share", *state_values, now, number, seed)
        for total, more in zip(totals, results_of_share, strict=True):
            b.set(total, b.op("uadd" if more.type == "u" else "iadd", b.get(total), more))
        b.set(begun, b.op("iadd", now, number))
        are_short = b.op("ilt", results_of_share[-2], b.i(plies // 2))
        twice = b.op("imin", b.op("iadd", number, number), b.i(_GAMES))
        b.set(few, b.op("pick", are_short, twice, number))

    b.loop(share)
    return [b.get(total) for total in totals]
