"""Lists of moves: their numbers, and steps as numbers in them.

Lists by number: 0 first steps and steps that follow, 1 the steps of moves, 2 where in it each
move ends, 3 the steps of the move in hand, 4 counts steps looked at, 5 values of keys, 6 a copy
of moves. A step is two numbers: its parts in bits, and its choice.
"""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from rulesengine.interpreter import Interpreter
from rulesengine.kernel.code import Type, Value
from rulesengine.kernel.keeping import Keeping
from rulesengine.kernel.position import RECORDS, Position, Scene
from rulesengine.kernel.steps import Record, StepValue
from rulesengine.kernel.values import Unsupported

STRIDE = 2
LISTS = 7
_LIST: Type = "b"
_CELLS: Type = "m"
LIST_TYPES = (_LIST,) * LISTS
DIRECTION = 8
ORIGIN = 16
TARGET = 28
CELL = (1 << 12) - 1


class Words(Keeping):
    """Adds lists; `lists` are those of the function in hand."""

    def __init__(self, machine: Interpreter) -> None:
        super().__init__(machine)
        self.lists: list[Value] = []

    def new_lists(self) -> None:
        """Take empty lists, at the beginning of an entry point."""
        self.lists = [self.b.result("list", "b", detail=number) for number in range(LISTS)]

    def push_step(self, to: Value, step: StepValue) -> None:
        word = self.b.i(step.group)
        for value, at in (
            (step.direction, DIRECTION),
            (step.origin, ORIGIN),
            (step.target, TARGET),
        ):
            bits = self.b.op("ishl", self.b.op("iadd", value, self.b.i(1)), self.b.i(at))
            word = self.b.op("iadd", word, bits)
        self.b.effect("push", to, word)
        self.b.effect("push", to, step.choice)

    def origin_in(self, word: Value) -> Value:
        """The origin of a step in a list, -1 if it has none."""
        return self._in_word(word, ORIGIN, CELL)

    def target_in(self, word: Value) -> Value:
        return self._in_word(word, TARGET, CELL)

    def _in_word(self, word: Value, at: int, mask: int) -> Value:
        bits = self.b.op("iand", self.b.op("ishr", word, self.b.i(at)), self.b.i(mask))
        return self.b.op("isub", bits, self.b.i(1))

    def read_step(
        self, word: Value, choice: Value, groups: list[int], use: Callable[[StepValue], None]
    ) -> None:
        """Take a step apart again, for each group that it may be of."""
        direction = self._in_word(word, DIRECTION, 0xFF)
        origin, target = self.origin_in(word), self.target_in(word)
        number = self.b.op("iand", word, self.b.i(0xFF))

        def go(left: list[int]) -> None:
            group = self.rules.groups[left[0]]
            for cell, there in ((origin, group.origin), (target, group.target)):
                if there is not None:
                    self._there.add(cell)
                else:
                    self._there.discard(cell)
            none = self.b.i(-1)
            step = StepValue(
                left[0],
                direction if group.along else none,
                origin if group.origin else none,
                target if group.target else none,
                choice if group.choice else none,
            )
            if len(left) == 1:
                use(step)
                return
            here = self.b.op("ieq", number, self.b.i(left[0]))
            self.b.when(here, lambda: use(step), lambda: go(left[1:]))

        go(groups)

    def _draft_values(self, at: Position) -> list[Value]:
        assert at.record is not None
        return [*at.values(), *at.record.values()]

    def draft_types(self) -> tuple[Type, ...]:
        return (*self.layout.types, *(_CELLS for _ in RECORDS))

    def draft_of(self, values: tuple[Value, ...], side: Value | None = None) -> Position:
        size = len(self.layout.types)
        record = dict(zip(RECORDS, values[size:], strict=False))
        return replace(
            Position.of(self.layout, values[:size], side), record=MappingProxyType(record)
        )

    def player_of_moves(self, side: Value, legal: bool) -> str:
        """The function that makes a listed move: the state and the record after it."""
        name = f"{'make' if legal else 'try'}_{side.known}"
        if name in self.b.module.functions:
            return name
        with self.trusting(legal):
            self._make_player(name, side)
        return name

    def _make_player(self, name: str, side: Value) -> None:
        results = (*self.layout.types, *(_CELLS for _ in RECORDS))
        with self.b.function(
            name,
            ("b", *self.layout.types, "i", "i"),
            results,
        ) as values:
            steps, start, end = values[0], values[-2], values[-1]
            before = Position.of(self.layout, values[1:-2])
            draft = self.drafted(before)
            state, record = self._replayed(before, draft, steps, start, end, side)
            self.b.give(*state.values(), *(record[name] for name in RECORDS))

    def _replayed(
        self,
        before: Position,
        draft: Position,
        steps: Value,
        start: Value,
        end: Value,
        side: Value,
    ) -> tuple[Position, Record]:
        """Make the steps of a part of a list one after the other."""
        chains = any(group.then for group in self.rules.groups)
        parts = self._draft_values(draft)
        vars_ = [self.b.let(value) for value in parts]
        last = [self.b.let(self.b.i(-1)) for _ in range(4)]
        index = self.b.let(start)

        def one() -> None:
            at = self.b.get(index)
            self.b.when(self.b.op("ile", end, at), self.b.leave)
            word = self.b.result("item", "i", steps, at)
            choice = self.b.result("item", "i", steps, self.b.op("iadd", at, self.b.i(1)))
            now = self.draft_of(tuple(self.b.get(v) for v in vars_), draft.side)

            def make(step: StepValue) -> None:
                scene = self.carry_out(step, Scene(now, {"player": side}))
                for var, value in zip(vars_, self._draft_values(scene.at), strict=True):
                    self.b.set(var, value)
                of_step = (step.direction, step.origin, step.target, step.choice)
                for var, value in zip(last, of_step, strict=True):
                    self.b.set(var, value)

            self.read_step(word, choice, list(range(len(self.rules.groups))), make)
            self.b.set(index, self.b.op("iadd", at, self.b.i(STRIDE)))
            if not chains:
                self.b.leave()

        self.b.loop(one)
        after = self.draft_of(tuple(self.b.get(v) for v in vars_), draft.side)
        direction, origin, target, choice = (self.b.get(v) for v in last)
        scene = Scene(after, {"player": side}).with_(
            direction=direction, from_=origin, to=target, choice=choice
        )
        return self.finished(before, scene)

    def making(
        self, at: Position, mover: Value | None, steps: Value, start: Value, end: Value
    ) -> Callable[[Value], tuple[Position, Record]]:
        """What a listed move leads to, by the side that makes it; it is legal for the mover."""

        def result(side: Value) -> tuple[Position, Record]:
            return self.make_listed(at, steps, start, end, side, legal=side == mover)

        return self.once(result)

    def make_listed(
        self,
        at: Position,
        steps: Value,
        start: Value,
        end: Value,
        side: Value,
        *,
        legal: bool = True,
    ) -> tuple[Position, Record]:
        """What a listed move leads to if a side makes it, for which it is legal or may not be."""
        if side.known is None:
            raise Unsupported("a move by a side that is not known")
        values = self.b.call(self.player_of_moves(side, legal), steps, *at.values(), start, end)
        size = len(self.layout.types)
        record = MappingProxyType(dict(zip(RECORDS, values[size:], strict=True)))
        return Position.of(self.layout, values[:size]), record
