"""Perft as kernel code: `drivers.perft` over sets and lists."""

from collections.abc import Sequence
from dataclasses import replace

from rulesengine.kernel.blind import other_sides
from rulesengine.kernel.choices import Choices
from rulesengine.kernel.code import Value, Var
from rulesengine.kernel.moves import LIST_TYPES, LISTS
from rulesengine.kernel.movesets import InLists, MoveSet
from rulesengine.kernel.position import Position

_KEEP, _FREE, _BULK = 0, 1, 2


class Counting(Choices):
    """Adds perft."""

    # Whether the last ply's moves are on lists.
    _lists_last = False

    def seen_sides(self) -> range:
        """The sides for which code is made: one stands for both where the rules are blind."""
        return range(1 if self.is_blind else self.sides)

    def seen_by(self, at: Position) -> Position:
        """A state as its side to move, which is known, sees it."""
        if not self.is_blind or at.side.known == 0:
            return at
        return replace(self.exchanged(at), side=self.b.i(0))

    def exchanged(self, at: Position) -> Position:
        """The state with the two sides' pieces, registers and kept sets exchanged."""
        planes = tuple(at.planes[i] for i in other_sides(self.layout.planes))
        registers = list(at.registers)
        for register in self.rules.registers:
            if register.each:
                slot = self.slots[register.name]
                registers[slot], registers[slot + 1] = registers[slot + 1], registers[slot]
        kept = self.exchanged_kept(at)
        return replace(at, planes=planes, registers=tuple(registers), kept=kept)

    def perft(self) -> None:
        """The entry point `perft`, of a state, the depth, and whether to keep, free, bulk.

        Results: the count, and the last positions put together, so that they have to be made.
        """
        types = (*LIST_TYPES, *self.layout.types)
        for side in self.seen_sides():
            with self.b.function(f"last_{side}", (*types, "i"), ("i", "m"), apart=True) as values:
                self.lists = list(values[:LISTS])
                self._count_last(self._state(values[LISTS:-1], self.b.i(side)), values[-1])
        for side in self.seen_sides():
            self.b.declare(f"count_{side}", (*types, "i", "i"), ("i", "m"))
        for side in self.seen_sides():
            with self.b.function(f"count_{side}", (*types, "i", "i"), ("i", "m")) as values:
                self.lists = list(values[:LISTS])
                self._count_from(self._state(values[LISTS:-2], self.b.i(side)), *values[-2:])
        with self.b.function(
            "perft", (*self.layout.types, "i", "i", "i", "i"), ("i", "m"), entry=True
        ) as values:
            self.new_lists()
            at, (depth, *flags) = self._state(values[:-4]), values[-4:]
            options = self._packed(flags)
            total, last = self.b.let(self.b.i(0)), self.b.let(self.b.m(0))
            none = self.b.op("ieq", depth, self.b.i(0))
            one = lambda: self.b.set(total, self.b.i(1))  # noqa: E731

            def look(side: Value) -> None:
                here = self.seen_by(self._state(values[:-4], side))
                self._count_child(here, None, (total, last), depth, options)

            self.b.when(none, one, lambda: self.on_side(at.side, look))
            self.b.give(self.b.get(total), self.b.get(last))

    def _count_child(
        self,
        at: Position,
        before: Position | None,
        totals: tuple[Var, Var],
        depth: Value,
        options: Value,
    ) -> None:
        """Add what is below a state, at least one ply, to the totals."""
        total, last = totals

        def add(count: Value) -> None:
            self.b.set(total, self.b.op("iadd", self.b.get(total), count))

        def go_on() -> None:
            def work(side: Value) -> None:
                here = self.seen_by(self._state(at.values(), side))
                args, number = (*self.lists, *here.values()), here.side.known

                def take(results: tuple[Value, ...]) -> None:
                    add(results[0])
                    self.b.set(last, self.b.op("mxor", self.b.get(last), results[1]))

                self.b.when(
                    self._is_last(depth, options),
                    lambda: take(self.b.call(f"last_{number}", *args, options)),
                    lambda: take(self.b.call(f"count_{number}", *args, depth, options)),
                )

            self.on_side(at.side, work)

        if self.asks_first:
            go_on()
        else:
            self.b.when(self.is_over(at, before), lambda: add(self._option(options, _KEEP)), go_on)

    def _packed(self, flags: Sequence[Value]) -> Value:
        """Whether to keep, free and bulk as the bits of one number."""
        packed = self.b.i(0)
        for bit, flag in enumerate(flags):
            packed = self.b.op("ior", packed, self.b.op("ishl", flag, self.b.i(bit)))
        return packed

    def _option(self, options: Value, bit: int) -> Value:
        return self.b.op("iand", self.b.op("ishr", options, self.b.i(bit)), self.b.i(1))

    def _is_last(self, depth: Value, options: Value) -> Value:
        """Whether what is left is a ply that is counted in a function of its own."""
        asked, wanted = self._last_options()
        good = self.b.op("ieq", self.b.op("iand", options, self.b.i(asked)), self.b.i(wanted))
        return self.b.op("fand", self.b.op("ieq", depth, self.b.i(1)), good)

    def _last_options(self) -> tuple[int, int]:
        """Which options such a ply asks for, and what they have to be."""
        passes = any(group.kind == "pass" for group in self.rules.groups)
        bulk = self._lists_last << _BULK
        return passes << _FREE | bulk, bulk

    def _count_last(self, at: Position, options: Value) -> None:
        """Count the moves of a state where a pass is a ply; none is made that is on a list."""
        keep, bulk = self._option(options, _KEEP), self._option(options, _BULK)
        nothing = self.b.m(0)
        if self.asks_first:
            self.find_ahead(at, at.side)
            self.b.when(self.is_over(at), lambda: self.b.give(keep, nothing))

        def count(moves: MoveSet) -> None:
            if isinstance(moves, InLists):
                self._lists_last = True
                moves.drop()
                self.b.give(moves.count, nothing)
                return
            at_once = self.b.op("ieq", bulk, self.b.i(1))
            self.b.when(at_once, lambda: self.b.give(moves.count, nothing))
            last = self.b.let(nothing)
            moves.each(lambda after, _: self._put_together(last, after))
            self.b.give(moves.count, self.b.get(last))

        self.moves_of(at, at.side, count, lambda: self.b.give(keep, nothing))

    def _put_together(self, last: Var, after: Position) -> None:
        """Take a last position into the mixture of all."""
        made = self.b.get(last)
        for plane in after.planes:
            made = self.b.op("mxor", made, plane)
        self.b.set(last, made)

    def _count_from(self, at: Position, depth: Value, options: Value) -> None:
        """Count below a state; whether it is over is asked here or has been asked before."""
        keep, free, bulk = (self._option(options, bit) for bit in (_KEEP, _FREE, _BULK))
        one, nothing = self.b.i(1), self.b.m(0)
        ends = self.b.f(self._last_options() != (0, 0))  # else one more ply is left below
        if self.asks_first:
            self.find_ahead(at, at.side)
            self.b.when(self.is_over(at), lambda: self.b.give(keep, nothing))

        def count(moves: MoveSet) -> None:
            last_ply = self.b.op("fand", self.b.op("ieq", depth, one), self.b.op("ieq", bulk, one))
            last_ply = self.b.op("fand", ends, last_ply)
            if moves.has_pass():
                last_ply = self.b.op("fand", last_ply, self.b.op("ieq", free, self.b.i(0)))

            def at_once() -> None:
                if isinstance(moves, InLists):
                    moves.drop()
                self.b.give(moves.count, nothing)

            self.b.when(last_ply, at_once)
            total, last = self.b.let(self.b.i(0)), self.b.let(nothing)

            def go_on(after: Position, passes: Value) -> None:
                less = self.b.op("isub", depth, one)
                stays = self.b.op("fand", passes, self.b.op("ieq", free, one))
                left = self.b.op("pick", stays, depth, less)

                def leaf() -> None:
                    self.b.set(total, self.b.op("iadd", self.b.get(total), one))
                    self._put_together(last, after)

                self.b.when(
                    self.b.op("fand", ends, self.b.op("ieq", left, self.b.i(0))),
                    leaf,
                    lambda: self._count_child(after, at, (total, last), left, options),
                )

            moves.each(go_on)
            if isinstance(moves, InLists):
                moves.drop()
            self.b.give(self.b.get(total), self.b.get(last))

        self.moves_of(at, at.side, count, lambda: self.b.give(keep, nothing))
