"""Kernel code for the playout loop: one game after the other, or several interleaved.

See decision 075.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from rulesengine.engine.kernel.analysis.end_conditions import ends_query_moves
from rulesengine.engine.kernel.analysis.side_symmetry import is_side_symmetric
from rulesengine.engine.kernel.code.form import Type, Value, Var, instructions
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_choice import compute_forbid_early, for_side
from rulesengine.engine.kernel.emit.move_list import LIST_TYPES
from rulesengine.engine.kernel.emit.move_sets import NumberedMoves
from rulesengine.engine.kernel.emit.outcomes import decide
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.entries.perft import exchanged
from rulesengine.engine.kernel.entries.playout_ply import DrawnMove, Ply, random_ply, seat_of
from rulesengine.language.ir.roles import reads_role
from rulesengine.language.ir.rules import operations
from rulesengine.state import GOES_ON

_GOLDEN = 0x9E3779B97F4A7C15
_SHORT = 200  # instructions
_ONE_WORD = 64  # cells: on a larger board, the choice of a random cell is long by itself
_FREE = frozenset({"note", "mark"})  # remarks and the mark of the current game
_LONG = frozenset({"loop", "bits", "range", "call", "mfill"})


def interleaves_in_memory(ctx: Context, seats: int) -> bool:
    """True if a ply is one long computation, which makes interleaved games pay off."""
    if seats == 1 or ctx.layout.history:
        return False
    parts = (ctx.rules.tiers, ctx.rules.effects, ctx.rules.ends)
    return any(reads_role(op, "row", "ray") for op in operations(parts))


class PlayoutObserver(Protocol):
    """Hooks of the playout loop: the moves to draw from, and events of numbered games."""

    def find(
        self,
        at: Position,
        side: Value,
        use: Callable[[NumberedMoves], None],
        none: Callable[[], None],
    ) -> None:
        """Emit code for the moves to draw from in a running game, as `with_numbered_moves`."""
        ...

    def begin(self, number: Value) -> None:
        """Emit code for the start of a ply of a game."""
        ...

    def move(self, drawn: DrawnMove, number: Value) -> None:
        """Emit code that runs before a move is made in a game."""
        ...

    def end(self, last: Position, winner: Value, length: Value, number: Value) -> None:
        """Emit code for the end of a game of some length; its winner may be `GOES_ON`."""
        ...

    def pause(self, number: Value) -> None:
        """Emit a poll when all games before a number have begun; only the interleaved loop calls
        it.
        """
        ...


class PlayoutLoop:
    """Playouts from one state: a range of game numbers, played one by one or interleaved."""

    def __init__(
        self,
        ctx: Context,
        start: Position,
        first: Value,
        count: Value,
        seed: Value,
        observer: PlayoutObserver,
    ) -> None:
        self._calls_plies = False
        self.ctx, self.b, self.start, self.observer = ctx, ctx.b, start, observer
        self.first = first
        self.end = self.b.op("iadd", first, count)
        self.seed = self.b.op("umix", seed)

    def play_all(self, seats: int, *, are_few: bool = False) -> None:
        """Emit a loop that plays all games: `seats` interleaved where that pays off, else a few or
        one.

        The initial state must not be over.
        """
        if interleaves_in_memory(self.ctx, seats):
            self.in_turn(seats)
        else:
            self.side_by_side(self._register_slots(are_few) if seats > 1 else 1)

    def play_one_by_one(self) -> None:
        """Emit a loop that plays one game after the other.

        A side with its own code has a function for a ply. `merge_sides` can merge these functions.
        The loop must have no observer of plies, and the initial state must not be over.
        """
        self._calls_plies = True
        self.side_by_side(1)

    def play_if_any(self, seats: int) -> None:
        """Emit `play_all` for any initial state; if it is over, each game ends at once."""
        b, ctx = self.b, self.ctx
        winner = b.let(b.i(GOES_ON))

        def play_side(side: Value) -> None:
            at = Position.of(ctx.layout, self.start.values(), side)
            if ctx.analysis(ends_query_moves):
                compute_forbid_early(ctx, at, side, counts=True)
            b.set(winner, decide(ctx, at))

        for_side(ctx, self.start.side, play_side)
        decided = b.get(winner)

        def end(number: Value) -> None:
            self.observer.end(self.start, seat_of(ctx, self.start, decided), b.i(0), number)

        b.when(
            b.op("ieq", decided, b.i(GOES_ON)),
            lambda: self.play_all(seats),
            lambda: b.range(self.first, self.end, end),
        )

    def _start_of_mover(self) -> list[Value]:
        """Return the initial state as its side to move sees it, if the rules are symmetric, and
        this side.
        """
        b, ctx, at = self.b, self.ctx, self.start
        if not ctx.analysis(is_side_symmetric):
            return [*at.values(), b.i(0)]
        first = b.op("ieq", at.side, b.i(0))
        values = zip(at.values(), exchanged(ctx, at).values(), strict=True)
        return [*(b.op("pick", first, x, y) for x, y in values), at.side]

    def _next_exchange(self, turn: Value, state: Sequence[Value]) -> Value:
        """Return the side that side 0 represents after a ply."""
        if not self.ctx.analysis(is_side_symmetric):
            return turn
        side = state[len(self.ctx.layout.planes)]
        other = self.b.op("isub", self.b.i(1), turn)
        return self.b.op("pick", self.b.op("ieq", side, self.b.i(0)), turn, other)

    def _report_end(
        self, state: Sequence[Value], turn: Value, winner: Value, length: Value, number: Value
    ) -> None:
        """Report a game that is over, with the sides exchanged back."""
        b, ctx = self.b, self.ctx
        at = Position.of(ctx.layout, tuple(state))
        if ctx.analysis(is_side_symmetric):
            # The sides of the state are still those of its last move.
            after = self._next_exchange(turn, state)
            same = b.op("ieq", after, b.i(0))
            values = zip(at.values(), exchanged(ctx, at).values(), strict=True)
            at = Position.of(ctx.layout, tuple(b.op("pick", same, x, y) for x, y in values))
            at = replace(at, side=after)
            swapped = b.op("fand", b.op("ile", b.i(0), winner), b.op("ieq", turn, b.i(1)))
            winner = b.op("pick", swapped, b.op("isub", b.i(1), winner), winner)
        self.observer.end(at, seat_of(ctx, at, winner), length, number)

    def _ply(self, state: Sequence[Value], random: Var, length: Value, number: Value) -> Ply:
        """Emit a ply of a game; the last value of its state is the side that side 0 represents."""
        if self._calls_plies and not self.ctx.analysis(is_side_symmetric):
            return self._called_ply(state, random, length)
        return self._inline_ply(state, random, length, number)

    def _called_ply(self, state: Sequence[Value], random: Var, length: Value) -> Ply:
        """Emit a call of the function of the side to move, which plays a ply."""
        b, ctx = self.b, self.ctx
        *now, _ = state
        at = Position.of(ctx.layout, tuple(now))
        zeros = b.i(GOES_ON), b.i(0), b.f(False)
        result = [b.let(value) for value in (*at.values(), *zeros)]

        def call(side: Value) -> None:
            name = self._ply_function(side)
            values = replace(at, side=side).values()
            results = b.call(name, *ctx.lists, *values, length, b.get(random))
            for var, value in zip((*result, random), results, strict=True):
                b.set(var, value)

        for_side(ctx, at.side, call)
        *after, winner, plies, over = result
        return Ply(after, winner, plies, over)

    def _ply_function(self, side: Value) -> str:
        """Return the name of the function that plays a ply of a side."""
        b, ctx, types = self.b, self.ctx, self.ctx.layout.types
        name = ctx.named(f"ply_{side.constant}")
        if name in b.module.functions:
            return name
        ends: tuple[Type, ...] = ("i", "i", "f", "u")  # winner, length, over, random
        outer = ctx.lists
        with b.function(name, (*LIST_TYPES, *types, "i", "u"), (*types, *ends)) as values:
            ctx.lists = list(values[: len(LIST_TYPES)])
            *start, length, drawn = values[len(LIST_TYPES) :]
            random = b.let(drawn)
            at = Position.of(ctx.layout, tuple(start), side)
            ply = self._inline_ply([*at.values(), b.i(0)], random, length, b.i(0))
            ended = (*ply.state, ply.winner, ply.length, ply.over, random)
            b.emit_return(*map(b.get, ended))
        ctx.lists = outer
        return name

    def _inline_ply(self, state: Sequence[Value], random: Var, length: Value, number: Value) -> Ply:
        """Emit a ply in place, as `_ply`."""
        *now, turn = state
        at = Position.of(self.ctx.layout, tuple(now))
        self.observer.begin(number)
        find, draw = self.observer.find, lambda n: self._draw(random, n)

        def play_drawn(move: DrawnMove) -> None:
            if move.player is not None:
                side = turn if self.ctx.analysis(is_side_symmetric) else move.player
                move = replace(move, player=seat_of(self.ctx, at, side))
            self.observer.move(move, number)

        return random_ply(self.ctx, at, length, draw, find, play_drawn)

    def side_by_side(self, seats: int) -> None:
        """Emit interleaved games, each with code of its own, which keeps their states in registers.

        The loop does not poll, so callers play few games at a time.
        """
        b, zero = self.b, self.b.i(0)
        start = self._start_of_mover()
        upcoming, active = b.let(self.first), b.let(zero)
        plays = [self._slot(start, upcoming, active) for _ in range(seats)]

        def round_() -> None:
            b.when(b.op("ieq", b.get(active), zero), b.leave, odds="seldom")
            for play in plays:
                play()

        b.loop(round_)

    def _slot(self, start: list[Value], upcoming: Var, active: Var) -> Callable[[], None]:
        """Emit the start of a slot's first game, if there is one; return a function that emits a
        ply.
        """
        b, zero, one = self.b, self.b.i(0), self.b.i(1)
        state, random = [b.let(value) for value in start], b.let(b.const("u", 0))
        length, number, is_taken = b.let(zero), b.let(zero), b.let(b.f(False))

        def begin_game() -> None:
            """Begin the next game, if there is one."""
            more = b.op("ilt", b.get(upcoming), self.end)
            b.set(is_taken, more)
            b.set(active, b.op("iadd", b.get(active), b.op("fint", more)))
            b.set(number, b.get(upcoming))
            b.set(random, self._generator(b.get(upcoming)))
            b.set(upcoming, b.op("iadd", b.get(upcoming), one))
            b.set(length, zero)
            for var, value in zip(state, start, strict=True):
                b.set(var, value)

        def ply() -> None:
            now = [b.get(var) for var in state]
            turn = now[-1]
            done = self._ply(now, random, b.get(length), b.get(number))
            new = [b.get(v) for v in done.state]

            def over() -> None:
                self._report_end(new, turn, b.get(done.winner), b.get(done.length), b.get(number))
                b.set(active, b.op("isub", b.get(active), one))
                begin_game()

            def go_on() -> None:
                for var, value in zip(state, [*new, self._next_exchange(turn, new)], strict=True):
                    b.set(var, value)
                b.set(length, b.get(done.length))

            b.when(b.get(done.over), over, go_on, "seldom")

        begin_game()
        return lambda: b.when(b.get(is_taken), ply, odds="often")

    def _register_slots(self, are_few: bool) -> int:
        """Return the number of games to interleave in registers.

        The search for lines has no long dependency chains: two games saturate a processor. With
        three slots, the last of a few games would be played alone.
        """
        if not self.pay_side_by_side():
            return 1
        looks_for_lines = any(reads_role(op, "line") for op in operations(self.ctx.rules.ends))
        return 2 if are_few or looks_for_lines else 3

    def pay_side_by_side(self) -> bool:
        """True if a ply is a few instructions without loops that depend on the previous ply.

        Where moves are counted, the draw depends on the last move. Where their number is constant,
        a processor overlaps several plies of one game by itself.
        """
        b = self.b

        def ply() -> None:
            state, random = [b.let(v) for v in self._start_of_mover()], b.let(b.const("u", 0))
            self._ply([b.get(var) for var in state], random, b.i(0), b.i(0))

        names = [instr.op for instr in instructions(b.inside(ply)) if instr.op not in _FREE]
        waits = "mcount" in names or self.ctx.shape.cells > _ONE_WORD
        return waits and len(names) <= _SHORT and _LONG.isdisjoint(names)

    def in_turn(self, seats: int) -> None:
        """Emit interleaved games with their states in memory; a slot begins a
        new game at an end.
        """
        b, zero, one = self.b, self.b.i(0), self.b.i(1)
        start = self._start_of_mover()
        places = [b.slots(value, seats) for value in (*start, b.const("u", 0), zero, zero)]
        upcoming, active = b.let(self.first), b.let(zero)

        def begin_game(seat: Value) -> None:
            """Begin the next game in a slot."""
            number = b.get(upcoming)
            fresh = [*start, self._generator(number), zero, number]
            for place, value in zip(places, fresh, strict=True):
                b.store(place, seat, value)
            b.set(upcoming, b.op("iadd", number, one))

        def first_game(seat: Value) -> None:
            def begin() -> None:
                begin_game(seat)
                b.set(active, b.op("iadd", b.get(active), one))

            b.when(b.op("ilt", b.get(upcoming), self.end), begin)

        def leave_seat(seat: Value) -> None:
            """Move the last slot to this one, since no game is left to begin."""
            last = b.op("isub", b.get(active), one)
            for place in places:
                b.store(place, seat, b.fetch(place, last))
            b.set(active, last)

        def ply(seat: Value) -> None:
            *now, random, length, number = [b.fetch(place, seat) for place in places]
            turn, generator = now[-1], b.let(random)
            done = self._ply(now, generator, length, number)
            new, plies = [b.get(v) for v in done.state], b.get(done.length)

            def over() -> None:
                self._report_end(new, turn, b.get(done.winner), plies, number)
                self.observer.pause(b.get(upcoming))
                more = b.op("ilt", b.get(upcoming), self.end)
                b.when(more, lambda: begin_game(seat), lambda: leave_seat(seat))

            def go_on() -> None:
                after = [*new, self._next_exchange(turn, new), b.get(generator), plies]
                for place, value in zip(places, after, strict=False):
                    b.store(place, seat, value)

            b.when(b.get(done.over), over, go_on, "seldom")

        def if_taken(seat: Value) -> None:
            # A slot released in this round is not played any more.
            b.when(b.op("ilt", seat, b.get(active)), lambda: ply(seat), odds="often")

        def round_() -> None:
            b.when(b.op("ieq", b.get(active), zero), b.leave, odds="seldom")
            b.range(zero, b.i(seats), if_taken)

        b.range(zero, b.i(seats), first_game)
        b.loop(round_)

    def _generator(self, number: Value) -> Value:
        """Return the initial state of a game's random number generator."""
        after = self.b.op("ubits", self.b.op("iadd", number, self.b.i(1)))
        return self.b.op("uadd", self.seed, self.b.op("umix", after))

    def _draw(self, random: Var, count: Value) -> Value:
        """Return a random number below the count; a single choice does not
        advance the generator.
        """
        b = self.b
        alone = b.op("ieq", count, b.i(1))
        now = b.get(random)
        new = b.op("uadd", now, b.const("u", _GOLDEN))
        b.set(random, b.op("pick", alone, now, new))
        # The high word of a product with 1 is 0.
        return b.op("uhigh", b.op("umix", new), count)
