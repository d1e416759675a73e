"""Kernel code for playouts that are reported one by one: `search.rollouts`."""

from collections.abc import Callable, Sequence

from rulesengine.engine.drivers.search.rollouts import (
    LINE,
    MAX_RECORDS,
    MOST_NOTES,
    NOTED,
    NOTES,
    PLAYER_BITS,
    UNPAID,
    WINNER,
)
from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.incremental import maintaining_incremental
from rulesengine.engine.kernel.emit.move_choice import position_of, with_numbered_moves
from rulesengine.engine.kernel.emit.move_list import LIST_TYPES, LISTS
from rulesengine.engine.kernel.emit.move_sets import NumberedMoves
from rulesengine.engine.kernel.emit.payoffs import payoff
from rulesengine.engine.kernel.emit.policy_moves import with_policy_moves
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.entries.playout_loop import PlayoutLoop
from rulesengine.engine.kernel.entries.playout_ply import DrawnMove, moves_in
from rulesengine.state import GOES_ON

_NAME = "rollouts"
# parameters after the initial state, as in `rollouts`
_OUTPUTS: tuple[Type, ...] = ("u", "i", "i", "i", "a", "i")


def rollouts(ctx: Context, start: Position, args: Sequence[Value]) -> Value:
    """Play random games from a state and report each of them; return their number."""
    if _NAME not in ctx.b.module.functions:
        _write(ctx)
    ctx.b.call(_NAME, *ctx.lists, *start.values(), *args)
    return args[2]


def _write(ctx: Context) -> None:
    outer = ctx.lists
    with ctx.b.function(_NAME, (*LIST_TYPES, *ctx.layout.types, *_OUTPUTS), ()) as values:
        ctx.lists = list(values[:LISTS])
        reported = len(values) - len(_OUTPUTS)
        seed, first, count, *rest = values[reported:]
        with maintaining_incremental(ctx, position_of(ctx, tuple(values[LISTS:reported]))) as start:
            games = PlayoutLoop(ctx, start, first, count, seed, _Lines(ctx, first, *rest))
            games.play_all(min(ctx.seats, MAX_RECORDS), are_few=True)
        ctx.b.emit_return()
    ctx.lists = outer


class _Lines:
    """An observer that writes a record of each playout to memory."""

    def __init__(
        self, ctx: Context, first: Value, places: Value, memory: Value, place: Value
    ) -> None:
        self.ctx, self.b, self.first = ctx, ctx.b, first
        self.places, self.memory, self.place = places, memory, place

    def find(
        self,
        at: Position,
        side: Value,
        use: Callable[[NumberedMoves], None],
        none: Callable[[], None],
    ) -> None:
        if self.ctx.rules.likely:
            with_policy_moves(self.ctx, at, side, use, none)
        else:
            with_numbered_moves(self.ctx, at, side, use, none)

    def begin(self, number: Value) -> None:
        pass

    def move(self, drawn: DrawnMove, number: Value) -> None:
        b = self.b
        is_noted = b.op("fnot", b.op("ieq", self.places, b.i(0)))
        is_noted = b.op("fand", is_noted, b.op("ilt", drawn.after, b.i(MOST_NOTES)))
        place = b.op("iadd", drawn.after, b.i(NOTES))
        b.when(is_noted, lambda: self._put(number, place, self._note_of(drawn)))

    def end(self, last: Position, winner: Value, length: Value, number: Value) -> None:
        b = self.b
        self._put(number, b.i(WINNER), self._result_of(last, winner))
        noted = b.op("imin", moves_in(self.ctx, length), b.i(MOST_NOTES))
        some = b.op("ieq", self.places, b.i(0))
        self._put(number, b.i(NOTED), b.op("pick", some, b.i(0), noted))

    def _result_of(self, last: Position, winner: Value) -> Value:
        """Return the winner or -1, or the payoff of a single player."""
        b = self.b
        if self.ctx.sides > 1:
            return b.op("imax", winner, b.i(-1))
        is_open = b.op("ieq", winner, b.i(GOES_ON))
        return b.op("pick", is_open, b.i(UNPAID), payoff(self.ctx, last, 0))

    def pause(self, number: Value) -> None:
        pass

    def _note_of(self, drawn: DrawnMove) -> Value:
        """Implement `search.rollouts.note_of`."""
        b = self.b
        if drawn.player is None:
            return b.i(-1)
        apart = b.op("imul", drawn.player, self.places)
        place = b.op("iadd", drawn.place(self.places), apart)
        return b.op("ior", b.op("ishl", place, b.i(PLAYER_BITS)), drawn.player)

    def _put(self, number: Value, place: Value, value: Value) -> None:
        """Write a word of a game's record."""
        b = self.b
        line = b.op("imul", b.op("isub", number, self.first), b.i(LINE))
        at = b.op("iadd", self.place, b.op("iadd", line, place))
        b.write("store64", self.memory, b.op("ishl", at, b.i(3)), b.op("ubits", value))
