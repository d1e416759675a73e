"""Legal moves tier by tier, and the choice among them: `keep`, replies, strategies."""

from collections.abc import Callable, Sequence

from rulesengine.interpreter import Interpreter
from rulesengine.ir.ops import Op, reads
from rulesengine.ir.rules import Key
from rulesengine.kernel.blind import is_blind
from rulesengine.kernel.code import Type, Value, Var
from rulesengine.kernel.moves import LIST_TYPES, LISTS, STRIDE, Moves
from rulesengine.kernel.movesets import InLists, InParts, MoveSet
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.steps import Part
from rulesengine.kernel.values import Unsupported, type_of
from rulesengine.limits import MAX_CHOICE_STEPS


class Choices(Moves):
    """Adds the legal moves, what `keep` leaves of them, replies and strategies."""

    def __init__(self, machine: Interpreter) -> None:
        super().__init__(machine)
        self._listed: Var | None = None
        self.is_blind = is_blind(machine.program, self.layout)
        # The moves that ends ask for are those that are played next: they are found once.
        self.asks_first = any(reads(end.when, "can_move") for end in self.rules.ends)

    def moves_of(
        self, at: Position, side: Value, use: Callable[[MoveSet], None], none: Callable[[], None]
    ) -> None:
        """Do something with the moves that a side would have, or something else without any."""

        def look(tiers: Sequence[int]) -> None:
            if not tiers:
                none()
                return
            tier = self.rules.tiers[tiers[0]]
            parts = None if self.rules.keep else self.parts(at, side, tier)
            if parts is not None:
                self._in_parts(at, side, parts, use, lambda: look(tiers[1:]))
            else:
                self._in_lists(at, side, tiers[0], use, lambda: look(tiers[1:]))

        look(range(len(self.rules.tiers)))

    def find_ahead(self, at: Position, side: Value) -> None:
        """Find what `forbid` allows before ends ask who can move, where that is one question."""
        scene = Scene(at, {"player": side})
        for group in self.rules.tiers[0]:
            if group.forbid is not None and group.target and self.decides(scene, group):
                self._parts_of(scene, group)

    def _in_parts(
        self,
        at: Position,
        side: Value,
        parts: list[Part],
        use: Callable[[MoveSet], None],
        other: Callable[[], None],
    ) -> None:
        some = self.b.f(False)
        for part in parts:
            flag = part.flag if part.flag is not None else self.b.op("many", part.cells)
            some = self.b.op("for", some, flag)

        def with_count() -> None:
            count = self.b.i(0)
            for part in parts:
                count = self.b.op("iadd", count, self.count(part))
            use(InParts(self, at, side, parts, count))

        self.b.when(some, with_count, other)

    def _in_lists(
        self,
        at: Position,
        side: Value,
        tier: int,
        use: Callable[[MoveSet], None],
        other: Callable[[], None],
    ) -> None:
        base = self.b.result("size", "i", self.lists[1])
        first = self.b.result("size", "i", self.lists[2])
        self.b.call(self._lister(tier, side), *self.lists, *at.values())
        count = self.b.op("isub", self.b.result("size", "i", self.lists[2]), first)
        passes = any(group.kind == "pass" for group in self.rules.tiers[tier])
        found = InLists(self, at, side, base, first, count, passes)
        self.b.when(self.b.op("ilt", self.b.i(0), count), lambda: use(found), other)

    def _lister(self, tier: int, side: Value) -> str:
        """The function that lists the moves of a tier."""
        name = f"list_{tier}_{side.known}"
        if name in self.b.module.functions:
            return name
        types = (*LIST_TYPES, *self.layout.types)
        outer = self.lists
        with self.b.function(name, types, ()) as values:
            self.lists = list(values[:LISTS])
            at = Position.of(self.layout, values[LISTS:])
            base = self.b.result("size", "i", self.lists[1])
            first = self.b.result("size", "i", self.lists[2])
            self.list_tier(at, side, self.rules.tiers[tier])
            for key in self.rules.keep:
                self._filter(at, side, base, first, key)
            self.b.give()
        self.lists = outer
        return name

    def on_side(self, side: Value, work: Callable[[Value], None]) -> None:
        """Do something for the side, made once for each where it is not known."""
        if side.known is not None:
            work(side)
            return

        def chain(number: int) -> None:
            if number == self.sides - 1:
                work(self.b.i(number))
                return
            here = self.b.op("ieq", side, self.b.i(number))
            self.b.when(here, lambda: work(self.b.i(number)), lambda: chain(number + 1))

        chain(0)

    def _state(self, values: tuple[Value, ...], side: Value | None = None) -> Position:
        return Position.of(self.layout, values, side)

    def list_legal(self, at: Position) -> None:
        """List the legal moves of a game that goes on."""
        b = self.b

        def use(moves: MoveSet) -> None:
            if not isinstance(moves, InParts):
                return
            for part in moves.parts:

                def push(cell: Value, part: Part = part) -> None:
                    self.push_step(self.lists[1], self.step_of(part, cell))
                    b.effect("push", self.lists[2], b.result("size", "i", self.lists[1]))

                if part.flag is not None:
                    none = b.i(-1)
                    b.when(part.flag, lambda push=push, none=none: push(none))  # type: ignore[misc]
                else:
                    self.each_cell(part.cells, push)

        self.moves_of(at, at.side, use, lambda: None)

    def _filter(self, at: Position, side: Value, base: Value, first: Value, key: Key) -> None:
        """Leave those of the listed moves where a key is best; one alone stays unasked."""
        b = self.b
        count = b.op("isub", b.result("size", "i", self.lists[2]), first)

        def ask() -> None:
            self._ask_key(at, side, InLists(self, at, side, base, first, count, False), key)

        b.when(b.op("ilt", b.i(1), count), ask)

    def _ask_key(self, at: Position, side: Value, moves: InLists, key: Key) -> None:
        b = self.b
        values, kept = self.lists[5], self.lists[6]
        begin = b.result("size", "i", values)
        best = b.let(b.i(0))
        some = b.let(b.f(False))

        def value_of(start: Value, end: Value) -> None:
            value = self.value(key.value, self.considering(at, side, start, end))
            if value.type == "f":
                value = b.op("fint", value)
            b.effect("push", values, value)
            better = b.op("imax" if key.order == "most" else "imin", b.get(best), value)
            b.set(best, b.op("pick", b.get(some), better, value))
            b.set(some, b.f(True))

        moves.each_bounds(value_of)
        b.effect("cut", kept, b.i(0))
        index = b.let(begin)
        wanted = b.get(best)

        def keep(start: Value, end: Value) -> None:
            at_ = b.get(index)
            good = b.op("ieq", b.result("item", "i", values, at_), wanted)

            def copy() -> None:
                b.effect("push", kept, b.op("isub", end, start))
                b.range(
                    start,
                    end,
                    lambda i: b.effect("push", kept, b.result("item", "i", self.lists[1], i)),
                )

            b.when(good, copy)
            b.set(index, b.op("iadd", at_, b.i(1)))

        moves.each_bounds(keep)
        moves.drop()
        b.effect("cut", values, begin)
        self._take_back(kept)

    def _take_back(self, kept: Value) -> None:
        """Put moves, each behind the number of its words, on the lists again."""
        b = self.b
        size, index = b.result("size", "i", kept), b.let(b.i(0))

        def one() -> None:
            at = b.get(index)
            b.when(b.op("ile", size, at), b.leave)
            start = b.op("iadd", at, b.i(1))
            end = b.op("iadd", start, b.result("item", "i", kept, at))
            b.range(
                start,
                end,
                lambda i: b.effect("push", self.lists[1], b.result("item", "i", kept, i)),
            )
            b.effect("push", self.lists[2], b.result("size", "i", self.lists[1]))
            b.set(index, end)

        b.loop(one)

    def considering(self, at: Position, side: Value, start: Value, end: Value) -> Scene:
        """The scene in which a listed move is judged."""
        b, steps = self.b, self.lists[1]
        first = b.result("item", "i", steps, start)
        last = b.result("item", "i", steps, b.op("isub", end, b.i(STRIDE)))
        origin, target = self.origin_in(first), self.target_in(last)
        scene = Scene(at, {"player": side, "from": origin, "to": target})
        return Scene(
            at,
            scene.variables,
            self.making(at, side, steps, start, end),
            lambda other: self.making(other, None, steps, start, end),
        )

    def op_replies(self, op: Op, scene: Scene) -> Value:
        """What a value is over the states after each reply; of the state itself without any."""
        b, function, at = self.b, str(op.value), scene.at
        body = op.args[0]
        kind = type_of(body)
        flags = function in ("any", "every")
        result: Type = "f" if flags else "i"
        total = b.let(b.const(result, int(function == "every")))
        some = b.let(b.f(False))

        def take(state: Position) -> None:
            value = self.value(body, scene.on(state))
            old = b.get(total)
            if flags:
                new = b.op("for" if function == "any" else "fand", old, value)
            elif function == "count":
                new = b.op("iadd", old, b.op("fint", value))
            else:
                value = b.op("fint", value) if kind == "f" else value
                better = b.op("imin" if function == "least" else "imax", old, value)
                new = b.op("pick", b.get(some), better, value)
            b.set(total, new)
            b.set(some, b.f(True))

        def alone() -> None:
            value = self.value(body, scene)
            if not flags and value.type == "f":
                value = b.op("fint", value)
            b.set(total, value)

        def replies(side: Value) -> None:
            def use(moves: MoveSet) -> None:
                self._count_listed(moves.count)
                moves.each(lambda state, _: take(state))
                if isinstance(moves, InLists):
                    moves.drop()

            b.when(self.is_over(at), alone, lambda: self.moves_of(at, side, use, alone))

        self.on_side(at.side, replies)
        value = b.get(total)
        return b.op("ieq", value, b.i(1)) if op.type == "flag" and not flags else value

    def _count_listed(self, count: Value) -> None:
        if self._listed is None:
            raise Unsupported("replies outside a choice")
        b = self.b
        total = b.op("iadd", b.get(self._listed), count)
        b.set(self._listed, total)
        b.when(b.op("ilt", b.i(MAX_CHOICE_STEPS), total), b.fail)

    def _choose(self, at: Position, number: int) -> None:
        """List the legal moves and leave those that a strategy finds best."""
        name = self._chooser_of(number, at.side)
        self.b.call(name, *self.lists, *at.values())

    def _chooser_of(self, number: int, side: Value) -> str:
        name = f"best_{number}_{side.known}"
        if name in self.b.module.functions:
            return name
        b, outer = self.b, self.lists
        with b.function(name, (*LIST_TYPES, *self.layout.types), ()) as values:
            self.lists = list(values[:LISTS])
            at = self._state(values[LISTS:], side)
            base, first = b.result("size", "i", self.lists[1]), b.result("size", "i", self.lists[2])
            b.when(self.is_over(at), b.give)
            self.list_legal(at)
            self._listed = b.let(b.op("isub", b.result("size", "i", self.lists[2]), first))
            for key in self.rules.strategies[number].keys:
                self._filter(at, side, base, first, key)
            self._listed = None
            b.give()
        self.lists = outer
        return name

    def _choose_by(self, strategy: Value, at: Position) -> None:
        """Choose by the strategy of a number."""

        def look(number: int) -> None:
            if number == len(self.rules.strategies) - 1:
                self._choose(at, number)
                return
            here = self.b.op("ieq", strategy, self.b.i(number))
            self.b.when(here, lambda: self._choose(at, number), lambda: look(number + 1))

        look(0)
