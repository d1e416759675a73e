"""Random games as kernel code: `drivers.playouts`."""

from collections.abc import Callable
from dataclasses import replace

from rulesengine.ir.ops import reads
from rulesengine.ir.rules import operations
from rulesengine.kernel.code import Type, Value
from rulesengine.kernel.counting import Counting
from rulesengine.kernel.games import Games, Ply
from rulesengine.kernel.movesets import InLists, MoveSet
from rulesengine.kernel.position import Position
from rulesengine.kernel.turns import GOES_ON
from rulesengine.limits import (
    MAX_PLIES,
)


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
                games.play(lambda: self._play(games, seats))
            self.b.give(*games.results())

    def _play(self, games: Games, seats: int) -> None:
        """In the way that pays: what is kept in memory takes time, what is kept in code space."""
        if seats > 1 and self._waits():
            games.in_turn(seats)
        else:
            games.side_by_side(2 if seats > 1 and games.has_short_plies() else 1)

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
            self.know_kept(here)

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
                self.find_ahead(here, side)
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
