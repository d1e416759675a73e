"""Random games as kernel code: `drivers.playouts`, one after the other or several in turn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rulesengine.ir.ops import reads
from rulesengine.ir.rules import operations
from rulesengine.kernel.code import Type, Value, Var
from rulesengine.kernel.counting import Counting
from rulesengine.kernel.movesets import InLists, MoveSet
from rulesengine.kernel.position import Position
from rulesengine.kernel.turns import GOES_ON
from rulesengine.limits import (
    MAX_PLIES,
)

_GOLDEN = 0x9E3779B97F4A7C15


@dataclass(slots=True)
class Ply:
    """What a ply leads to. `over` also tells that there was no move; then nothing has changed."""

    state: list[Var]
    winner: Var
    length: Var
    over: Var


class Games:
    """Random games: their totals, and how they are played one by one or in turn."""

    def __init__(
        self, kernel: "Playing", start: Position, first: Value, count: Value, seed: Value
    ) -> None:
        self.kernel, self.b, self.start = kernel, kernel.b, start
        self.first = first
        self.end = self.b.op("iadd", first, count)
        self.seed = self.b.op("umix", seed)
        self.totals = [self.b.let(self.b.i(0)) for _ in range(kernel.sides + 3)]
        self.sum = self.b.let(self.b.const("u", 0))

    def results(self) -> list[Value]:
        return [*(self.b.get(v) for v in self.totals), self.b.get(self.sum)]

    def play(self, seats: int) -> None:
        """Play them all; a start that is over leaves nothing to play."""
        b, kernel = self.b, self.kernel
        winner = b.let(b.i(GOES_ON))

        def look(side: Value) -> None:
            b.set(winner, kernel.decide(Position.of(kernel.layout, self.start.values(), side)))

        kernel.on_side(self.start.side, look)
        decided = b.get(winner)

        def count(_: Value) -> None:
            self._count(self.start, decided, b.i(0))

        b.when(
            b.op("ieq", decided, b.i(GOES_ON)),
            lambda: self._in_turn(seats) if seats > 1 else self._one_by_one(),
            lambda: b.range(self.first, self.end, count),
        )

    def _seen_start(self) -> list[Value]:
        """The start as its side to move sees it, where one side stands for both, and this side."""
        b, kernel, at = self.b, self.kernel, self.start
        if not kernel.is_blind:
            return [*at.values(), b.i(0)]
        first = b.op("ieq", at.side, b.i(0))
        values = zip(at.values(), kernel.exchanged(at).values(), strict=True)
        return [*(b.op("pick", first, x, y) for x, y in values), at.side]

    def _next_turn(self, turn: Value, state: Sequence[Value]) -> Value:
        """The side that the first one stands for after a ply."""
        if not self.kernel.is_blind:
            return turn
        side = state[len(self.kernel.layout.planes)]
        other = self.b.op("isub", self.b.i(1), turn)
        return self.b.op("pick", self.b.op("ieq", side, self.b.i(0)), turn, other)

    def _ended(self, state: Sequence[Value], turn: Value, winner: Value, length: Value) -> None:
        """Count a game that is over, with the sides as they are."""
        b, kernel = self.b, self.kernel
        at = Position.of(kernel.layout, tuple(state))
        if kernel.is_blind:
            # The sides of the state are still those of its last move.
            after = self._next_turn(turn, state)
            same = b.op("ieq", after, b.i(0))
            values = zip(at.values(), kernel.exchanged(at).values(), strict=True)
            at = Position.of(kernel.layout, tuple(b.op("pick", same, x, y) for x, y in values))
            at = replace(at, side=after)
            swapped = b.op("fand", b.op("ile", b.i(0), winner), b.op("ieq", turn, b.i(1)))
            winner = b.op("pick", swapped, b.op("isub", b.i(1), winner), winner)
        self._count(at, winner, length)

    def _one_by_one(self) -> None:
        b, layout = self.b, self.kernel.layout

        def game(number: Value) -> None:
            b.effect("mark", number)
            random = b.let(self._generator(number))
            state = [b.let(value) for value in self._seen_start()]
            length = b.let(b.i(0))

            def ply() -> None:
                *now, turn = [b.get(v) for v in state]
                plies = b.get(length)
                at = Position.of(layout, tuple(now))
                done = self.kernel.random_ply(at, plies, lambda n: self._draw(random, n))
                new = [b.get(v) for v in done.state]

                def over() -> None:
                    self._ended(new, turn, b.get(done.winner), b.get(done.length))
                    b.leave()

                b.when(b.get(done.over), over)
                for var, value in zip(state, [*new, self._next_turn(turn, new)], strict=True):
                    b.set(var, value)
                b.set(length, b.get(done.length))

            b.loop(ply)

        b.range(self.first, self.end, game)

    def _in_turn(self, seats: int) -> None:
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
            at = Position.of(self.kernel.layout, tuple(now))
            generator = b.let(random)
            done = self.kernel.random_ply(at, length, lambda n: self._draw(generator, n))
            new, plies = [b.get(v) for v in done.state], b.get(done.length)

            def over() -> None:
                self._ended(new, turn, b.get(done.winner), plies)
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
        b = self.b
        winner = self.kernel.seat_of(at, winner)
        marks = [b.op("ieq", winner, b.i(i)) for i in (*range(self.kernel.sides), -1, GOES_ON)]
        for var, mark in zip(self.totals, marks, strict=False):
            b.set(var, b.op("iadd", b.get(var), b.op("fint", mark)))
        b.set(self.totals[-1], b.op("iadd", b.get(self.totals[-1]), length))
        mark = self.kernel.checksum(at, winner, length)
        b.set(self.sum, b.op("uadd", b.get(self.sum), mark))


class Playing(Counting):
    """Adds random games."""

    def playouts(self, seats: int) -> None:
        """The entry point `playouts`, of a state, the first game, how many, and the seed.

        Results: wins by player, draws, unfinished games, plies, the checksum. So many games are
        played in turn, ply by ply: while one waits for memory or a long operation, another goes on.
        """
        number: Type = "i"
        results: tuple[Type, ...] = (*((number,) * (self.sides + 3)), "u")
        with self.b.function(
            "playouts", (*self.layout.types, "i", "i", "u"), results, entry=True
        ) as values:
            self.new_lists()
            start = self._state(values[:-3])
            with self.keeping(start) as at:
                games = Games(self, at, *values[-3:])
                games.play(seats if self._waits() else 1)
            self.b.give(*games.results())

    def _waits(self) -> bool:
        """Whether a ply is long work in one piece, so that playing in turn pays."""
        if self.layout.history:
            return False
        asked = (self.rules.tiers, self.rules.effects, self.rules.ends)
        return any(reads(op, "run") or reads(op, "slide") for op in operations(asked))

    def random_ply(self, at: Position, length: Value, draw: Callable[[Value], Value]) -> "Ply":
        """One ply; where ends ask who can move, they are asked before it, else after it."""
        b = self.b
        same = replace(at, side=b.i(0)) if self.is_blind else at
        state = [b.let(value) for value in same.values()]
        ply = Ply(state, b.let(b.i(GOES_ON)), b.let(length), b.let(b.f(True)))

        def move(side: Value) -> None:
            here = self._state(at.values(), side)

            def ended(winner: Value, plies: Value) -> Value:
                b.set(ply.winner, winner)
                over = b.op("fnot", b.op("ieq", winner, b.i(GOES_ON)))
                over = b.op("for", over, b.op("ile", b.i(MAX_PLIES), plies))
                b.set(ply.over, over)
                return over

            def after(made: Position) -> None:
                new = self.keep_on(here, made)
                plies = b.op("iadd", length, b.i(1))
                if self.asks_first:
                    b.set(ply.over, b.f(False))
                else:
                    ended(self.decide(new, here), plies)
                b.set(ply.length, plies)
                for var, value in zip(state, self._turned(new).values(), strict=True):
                    b.set(var, value)

            def play(moves: MoveSet) -> None:
                moves.nth(draw(moves.count), after)
                if isinstance(moves, InLists):
                    moves.drop()

            def go_on() -> None:
                self.moves_of(here, side, play, lambda: None)

            if self.asks_first:
                b.when(b.op("fnot", ended(self.decide(here), length)), go_on)
            else:
                go_on()

        if self.is_blind:
            move(b.i(0))
        else:
            self.on_side(at.side, move)
        return ply

    def _turned(self, at: Position) -> Position:
        """A state as the side that moves next sees it; its own side tells who has been which."""
        if not self.is_blind or at.side.known == 0:
            return at
        other = self.exchanged(at)
        if at.side.known == 1:
            return other
        stays = self.b.op("ieq", at.side, self.b.i(0))
        values = zip(at.values(), other.values(), strict=True)
        picked = tuple(self.b.op("pick", stays, a, b) for a, b in values)
        return self._state(picked)

    def seat_of(self, at: Position, winner: Value) -> Value:
        """The player who has won with a side."""
        if at.seats is None:
            return winner
        other = self.b.op("isub", self.b.i(1), winner)
        there = self.b.op("ile", self.b.i(0), winner)
        swapped = self.b.op("fand", there, self.b.op("ieq", at.seats, self.b.i(1)))
        return self.b.op("pick", swapped, other, winner)

    def checksum(self, at: Position, winner: Value, length: Value) -> Value:
        b = self.b
        head = b.op("iadd", b.op("ishl", length, b.i(8)), b.op("iadd", winner, b.i(2)))
        total = b.op("umix", b.op("ubits", head))
        kept = dict(zip(self.layout.planes, at.planes, strict=True))
        for plane in range(len(self.program.form.symbols)):
            total = b.op("ufoldm", total, kept.get(plane, b.m(0)))
        for value in (at.side, *at.registers):
            total = b.op("ufoldm" if value.type == "m" else "ufold", total, value)
        if at.seats is None:
            return total
        swapped = b.op("ufold", b.op("ufold", total, b.i(1)), b.i(0))
        return b.op("pick", b.op("ieq", at.seats, b.i(1)), swapped, total)
