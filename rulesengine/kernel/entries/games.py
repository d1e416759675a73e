"""How random games are played as kernel code: one after the other, or several in turn."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rulesengine.kernel.code.form import Value, Var, instructions
from rulesengine.kernel.emit.choices import on_side
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.outcomes import decide
from rulesengine.kernel.emit.scene import Position
from rulesengine.kernel.entries.lane import poll, set_done
from rulesengine.kernel.entries.perft import exchanged
from rulesengine.kernel.entries.ply import checksum, plies_in, random_ply, seat_of
from rulesengine.state import GOES_ON

_GOLDEN = 0x9E3779B97F4A7C15
_SHORT = 200  # instructions
_ONE_WORD = 64  # cells: to draw one of more takes long by itself
_LONG = frozenset({"loop", "bits", "range", "call", "mfill"})


class Games:
    """Random games: their totals, and how they are played one by one or in turn."""

    def __init__(
        self, ctx: Context, start: Position, first: Value, count: Value, seed: Value
    ) -> None:
        self.ctx, self.b, self.start = ctx, ctx.b, start
        self.first = first
        self.end = self.b.op("iadd", first, count)
        self.seed = self.b.op("umix", seed)
        self.totals = [self.b.let(self.b.i(0)) for _ in range(ctx.sides + 3)]
        self.sum = self.b.let(self.b.const("u", 0))

    def results(self) -> list[Value]:
        return [*(self.b.get(v) for v in self.totals), self.b.get(self.sum)]

    def play(self, play: Callable[[], None]) -> None:
        """Play them all, in one of the ways; a start that is over leaves nothing to play."""
        b, ctx = self.b, self.ctx
        winner = b.let(b.i(GOES_ON))

        def look(side: Value) -> None:
            b.set(winner, decide(ctx, Position.of(ctx.layout, self.start.values(), side)))

        on_side(ctx, self.start.side, look)
        decided = b.get(winner)

        def count(_: Value) -> None:
            self._count(self.start, decided, b.i(0))

        b.when(
            b.op("ieq", decided, b.i(GOES_ON)),
            play,
            lambda: b.range(self.first, self.end, count),
        )

    def _seen_start(self) -> list[Value]:
        """The start as its side to move sees it, where one side stands for both, and this side."""
        b, ctx, at = self.b, self.ctx, self.start
        if not ctx.is_side_symmetric:
            return [*at.values(), b.i(0)]
        first = b.op("ieq", at.side, b.i(0))
        values = zip(at.values(), exchanged(ctx, at).values(), strict=True)
        return [*(b.op("pick", first, x, y) for x, y in values), at.side]

    def _next_turn(self, turn: Value, state: Sequence[Value]) -> Value:
        """The side that the first one stands for after a ply."""
        if not self.ctx.is_side_symmetric:
            return turn
        side = state[len(self.ctx.layout.planes)]
        other = self.b.op("isub", self.b.i(1), turn)
        return self.b.op("pick", self.b.op("ieq", side, self.b.i(0)), turn, other)

    def _ended(self, state: Sequence[Value], turn: Value, winner: Value, length: Value) -> None:
        """Count a game that is over, with the sides as they are."""
        b, ctx = self.b, self.ctx
        at = Position.of(ctx.layout, tuple(state))
        if ctx.is_side_symmetric:
            # The sides of the state are still those of its last move.
            after = self._next_turn(turn, state)
            same = b.op("ieq", after, b.i(0))
            values = zip(at.values(), exchanged(ctx, at).values(), strict=True)
            at = Position.of(ctx.layout, tuple(b.op("pick", same, x, y) for x, y in values))
            at = replace(at, side=after)
            swapped = b.op("fand", b.op("ile", b.i(0), winner), b.op("ieq", turn, b.i(1)))
            winner = b.op("pick", swapped, b.op("isub", b.i(1), winner), winner)
        self._count(at, winner, length)

    def side_by_side(self, seats: int) -> None:
        """As `in_turn`, with code of its own for each seat, so that its state needs no memory.

        Nobody looks up meanwhile: who wants that has few of them played at a time.
        """
        b, zero = self.b, self.b.i(0)
        start = self._seen_start()
        upcoming, active = b.let(self.first), b.let(zero)
        plays = [self._seat(start, upcoming, active) for _ in range(seats)]

        def round_() -> None:
            b.when(b.op("ieq", b.get(active), zero), b.leave)
            for play in plays:
                play()

        b.loop(round_)

    def _seat(self, start: list[Value], upcoming: Var, active: Var) -> Callable[[], None]:
        """A seat with its first game, if there is one; what is given back plays a ply on it."""
        b, zero, one = self.b, self.b.i(0), self.b.i(1)
        state, random = [b.let(value) for value in start], b.let(b.const("u", 0))
        length, number, taken = b.let(zero), b.let(zero), b.let(b.f(False))

        def sit() -> None:
            """Begin the next game, if there is one."""
            more = b.op("ilt", b.get(upcoming), self.end)
            b.set(taken, more)
            b.set(active, b.op("iadd", b.get(active), b.op("fint", more)))
            b.set(number, b.get(upcoming))
            b.set(random, self._generator(b.get(upcoming)))
            b.set(upcoming, b.op("iadd", b.get(upcoming), one))
            b.set(length, zero)
            for var, value in zip(state, start, strict=True):
                b.set(var, value)

        def ply() -> None:
            *now, turn = map(b.get, state)
            b.effect("mark", b.get(number))
            at = Position.of(self.ctx.layout, tuple(now))
            done = random_ply(self.ctx, at, b.get(length), lambda n: self._draw(random, n))
            new = [b.get(v) for v in done.state]

            def over() -> None:
                self._ended(new, turn, b.get(done.winner), b.get(done.length))
                b.set(active, b.op("isub", b.get(active), one))
                sit()

            def go_on() -> None:
                for var, value in zip(state, [*new, self._next_turn(turn, new)], strict=True):
                    b.set(var, value)
                b.set(length, b.get(done.length))

            b.when(b.get(done.over), over, go_on)

        sit()
        return lambda: b.when(b.get(taken), ply)

    def pay_side_by_side(self) -> bool:
        """Whether a ply is a few instructions, none of them a loop, that wait for the last ply.

        Where moves are counted the next one is drawn by what the last one made; where it is known
        how many there are, a processor is ahead with several plies of one game.
        """
        b = self.b

        def ply() -> None:
            state, random = [b.let(v) for v in self._seen_start()], b.let(b.const("u", 0))
            at = Position.of(self.ctx.layout, tuple(b.get(v) for v in state[:-1]))
            random_ply(self.ctx, at, b.i(0), lambda n: self._draw(random, n))

        names = [instr.op for instr in instructions(b.inside(ply)) if instr.op != "note"]
        waits = "mcount" in names or self.ctx.shape.cells > _ONE_WORD
        return waits and len(names) <= _SHORT and _LONG.isdisjoint(names)

    def in_turn(self, seats: int) -> None:
        """Each seat holds a game; who comes to its end begins the next one that nobody plays."""
        b, zero, one = self.b, self.b.i(0), self.b.i(1)
        start = self._seen_start()
        places = [b.slots(value, seats) for value in (*start, b.const("u", 0), zero, zero)]
        upcoming, active = b.let(self.first), b.let(zero)

        def sit(seat: Value) -> None:
            """Begin the next game on a seat."""
            number = b.get(upcoming)
            fresh = [*start, self._generator(number), zero, number]
            for place, value in zip(places, fresh, strict=True):
                b.store(place, seat, value)
            b.set(upcoming, b.op("iadd", number, one))

        def first_game(seat: Value) -> None:
            def begin() -> None:
                sit(seat)
                b.set(active, b.op("iadd", b.get(active), one))

            b.when(b.op("ilt", b.get(upcoming), self.end), begin)

        def leave_seat(seat: Value) -> None:
            """Nobody is left to play: the last seat moves up."""
            last = b.op("isub", b.get(active), one)
            for place in places:
                b.store(place, seat, b.fetch(place, last))
            b.set(active, last)

        def ply(seat: Value) -> None:
            *now, turn, random, length, number = [b.fetch(place, seat) for place in places]
            b.effect("mark", number)
            at = Position.of(self.ctx.layout, tuple(now))
            generator = b.let(random)
            done = random_ply(self.ctx, at, length, lambda n: self._draw(generator, n))
            new, plies = [b.get(v) for v in done.state], b.get(done.length)

            def over() -> None:
                self._ended(new, turn, b.get(done.winner), plies)
                self._look_up(b.get(upcoming))
                more = b.op("ilt", b.get(upcoming), self.end)
                b.when(more, lambda: sit(seat), lambda: leave_seat(seat))

            def go_on() -> None:
                after = [*new, self._next_turn(turn, new), b.get(generator), plies]
                for place, value in zip(places, after, strict=False):
                    b.store(place, seat, value)

            b.when(b.get(done.over), over, go_on)

        def if_taken(seat: Value) -> None:
            # A seat that is given up in this round is not played any more.
            b.when(b.op("ilt", seat, b.get(active)), lambda: ply(seat))

        def round_() -> None:
            b.when(b.op("ieq", b.get(active), zero), b.leave)
            b.range(zero, b.i(seats), if_taken)

        b.range(zero, b.i(seats), first_game)
        b.loop(round_)

    def _look_up(self, upcoming: Value) -> None:
        """Tell how many games have begun, and look whether to go on."""
        set_done(self.ctx, self.b.op("isub", upcoming, self.first))
        poll(self.ctx)

    def _generator(self, number: Value) -> Value:
        """The state of a game's generator at its start."""
        after = self.b.op("ubits", self.b.op("iadd", number, self.b.i(1)))
        return self.b.op("uadd", self.seed, self.b.op("umix", after))

    def _draw(self, random: Var, count: Value) -> Value:
        """A number below the count; nothing is drawn if there is no choice."""
        b = self.b
        alone = b.op("ieq", count, b.i(1))
        now = b.get(random)
        new = b.op("uadd", now, b.const("u", _GOLDEN))
        b.set(random, b.op("pick", alone, now, new))
        # The high word of a product with 1 is 0.
        return b.op("uhigh", b.op("umix", new), count)

    def _count(self, at: Position, winner: Value, length: Value) -> None:
        b, length = self.b, plies_in(self.ctx, length)
        winner = seat_of(self.ctx, at, winner)
        marks = [b.op("ieq", winner, b.i(i)) for i in (*range(self.ctx.sides), -1, GOES_ON)]
        for var, mark in zip(self.totals, marks, strict=False):
            b.set(var, b.op("iadd", b.get(var), b.op("fint", mark)))
        b.set(self.totals[-1], b.op("iadd", b.get(self.totals[-1]), length))
        mark = checksum(self.ctx, at, winner, length)
        b.set(self.sum, b.op("uadd", b.get(self.sum), mark))
