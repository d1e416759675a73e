"""Kernel code for one ply of a playout, and for the checksum of its last position."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulesengine.engine.kernel.analysis.end_conditions import ends_by_moves
from rulesengine.engine.kernel.analysis.side_symmetry import is_side_symmetric
from rulesengine.engine.kernel.code.form import Value, Var
from rulesengine.engine.kernel.emit.chance import Branches, takes_no_ply
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.incremental import register_incremental, update_incremental
from rulesengine.engine.kernel.emit.move_choice import (
    compute_forbid_early,
    for_side,
    position_of,
)
from rulesengine.engine.kernel.emit.move_prefixes import PrefixedMoves
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, NumberedMoves, SelectedMove
from rulesengine.engine.kernel.emit.outcomes import decide
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.emit.values import position_word
from rulesengine.engine.kernel.entries.perft import exchanged
from rulesengine.state import GOES_ON
from rulesengine.support.limits import MAX_PLIES

_HALF = 32


@dataclass(slots=True)
class Ply:
    """The result of a ply. `over` is also true if there was no move; then nothing has changed."""

    state: list[Var]
    winner: Var
    length: Var
    over: Var


@dataclass(frozen=True, slots=True)
class DrawnMove:
    """A move that was drawn: the side that makes it, None for chance, and the number of moves
    before.

    `place` is as in `SelectedMove`.
    """

    player: Value | None
    after: Value
    place: Callable[[Value], Value]


# A function with the parameters of `with_numbered_moves`.
MoveFinder = Callable[[Position, Value, Callable[[NumberedMoves], None], Callable[[], None]], None]


def random_ply(
    ctx: Context,
    at: Position,
    length: Value,
    draw: Callable[[Value], Value],
    find: MoveFinder,
    drawn: Callable[[DrawnMove], None],
) -> "Ply":
    """Emit one ply with a random one of the moves that `find` yields; `drawn` receives that move.

    Ends that depend on the moves, and those that follow one in the order, are tested before it, the
    others after it.
    """
    b = ctx.b
    sooner, later = ctx.analysis(ends_by_moves)
    same = replace(at, side=b.i(0)) if ctx.analysis(is_side_symmetric) else at
    state = [b.let(value) for value in same.values()]
    ply = Ply(state, b.let(b.i(GOES_ON)), b.let(length), b.let(b.f(True)))

    def move(side: Value) -> None:
        here = position_of(ctx, at.values(), side)
        register_incremental(ctx, here)

        def ended(winner: Value, plies: Value | None = None) -> Value:
            b.set(ply.winner, winner)
            over = b.op("fnot", b.op("ieq", winner, b.i(GOES_ON)))
            if plies is not None:
                over = b.op("for", over, b.op("ile", b.i(MAX_PLIES), moves_in(ctx, plies)))
            b.set(ply.over, over)
            return over

        def after(position: Position, is_free: Value) -> None:
            new = update_incremental(ctx, here, position)
            plies = next_length(ctx, length, is_free)
            ended(decide(ctx, new, here, sooner), None if later else plies)
            b.set(ply.length, plies)
            for var, value in zip(state, _exchanged_after(ctx, new).values(), strict=True):
                b.set(var, value)

        def play(moves: NumberedMoves) -> None:
            if isinstance(moves, Branches):
                place = moves.branch_of(draw(moves.weight()))
            else:
                place = draw(moves.count)
            is_free = takes_no_ply(ctx, here, of_chance=isinstance(moves, Branches))
            player = None if isinstance(moves, Branches) else here.side

            def make(chosen: SelectedMove) -> None:
                drawn(DrawnMove(player, moves_in(ctx, length), chosen.place))
                after(chosen.after(), is_free)

            moves.nth(place, make)
            if isinstance(moves, ListedMoves | PrefixedMoves):
                moves.drop()

        def go_on() -> None:
            find(here, side, play, lambda: None)

        if later:
            compute_forbid_early(ctx, here, side, counts=True)
            goes_on = b.op("fnot", ended(decide(ctx, here, None, later), length))
            b.when(goes_on, go_on, odds="often")
        else:
            go_on()

    if ctx.analysis(is_side_symmetric):
        move(b.i(0))
    else:
        for_side(ctx, at.side, move)
    return ply


def next_length(ctx: Context, length: Value, is_free: Value) -> Value:
    """Return the length of a game after one more move; it counts plies if every move is one.

    Otherwise its low half counts moves, which limit a game, and its high half plies.
    """
    ply = 1 << _HALF if ctx.rules.has_free_moves else 0
    more = ctx.b.op("pick", is_free, ctx.b.i(1), ctx.b.i(ply + 1))
    return ctx.b.op("iadd", length, more)


def moves_in(ctx: Context, length: Value) -> Value:
    """Return the moves of a length, including those of chance."""
    if not ctx.rules.has_free_moves:
        return length
    return ctx.b.op("iand", length, ctx.b.i((1 << _HALF) - 1))


def plies_in(ctx: Context, length: Value) -> Value:
    """Return the plies of a length."""
    if not ctx.rules.has_free_moves:
        return length
    return ctx.b.op("ishr", length, ctx.b.i(_HALF))


def _exchanged_after(ctx: Context, at: Position) -> Position:
    """Return a state as seen by the side that moves next; its own side records the exchange."""
    if not ctx.analysis(is_side_symmetric) or at.side.constant == 0:
        return at
    other = exchanged(ctx, at)
    if at.side.constant == 1:
        return other
    stays = ctx.b.op("ieq", at.side, ctx.b.i(0))
    values = zip(at.values(), other.values(), strict=True)
    picked = tuple(ctx.b.op("pick", stays, a, b) for a, b in values)
    return position_of(ctx, picked)


def seat_of(ctx: Context, at: Position, winner: Value) -> Value:
    """Return the player who has won with a side."""
    if at.seats is None:
        return winner
    other = ctx.b.op("isub", ctx.b.i(1), winner)
    there = ctx.b.op("ile", ctx.b.i(0), winner)
    swapped = ctx.b.op("fand", there, ctx.b.op("ieq", at.seats, ctx.b.i(1)))
    return ctx.b.op("pick", swapped, other, winner)


def checksum(ctx: Context, at: Position, winner: Value, length: Value) -> Value:
    b = ctx.b
    head = b.op("iadd", b.op("ishl", length, b.i(8)), b.op("iadd", winner, b.i(2)))
    return fold_state(ctx, b.op("umix", b.op("ubits", head)), at)


def fold_state(ctx: Context, total: Value, at: Position) -> Value:
    """Fold the words of a state into a checksum."""
    b = ctx.b
    total = _fold_planes(ctx, total, at)
    for value in (at.side, *at.registers):
        total = b.op("ufoldm" if value.type == "m" else "ufold", total, value)
    if at.seats is None:
        return total
    swapped = b.op("ufold", b.op("ufold", total, b.i(1)), b.i(0))
    return b.op("pick", b.op("ieq", at.seats, b.i(1)), swapped, total)


def fold_position(ctx: Context, total: Value, at: Position) -> Value:
    """Fold only the values that repetition compares."""
    return _fold_planes(ctx, ctx.b.op("ufold", total, position_word(ctx, at)), at)


def _fold_planes(ctx: Context, total: Value, at: Position) -> Value:
    planes = dict(zip(ctx.layout.planes, at.planes, strict=True))
    for plane in range(len(ctx.program.form.symbols)):
        total = ctx.b.op("ufoldm", total, planes.get(plane, ctx.b.m(0)))
    return total
