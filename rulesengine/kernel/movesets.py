"""The legal moves of a position, to go through or to take one of: as sets or in lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rulesengine.kernel.code import Value
from rulesengine.kernel.position import Position
from rulesengine.kernel.steps import Part

if TYPE_CHECKING:
    from rulesengine.kernel.choices import Choices


class MoveSet(Protocol):
    """The legal moves of a position, at least one."""

    count: Value

    def has_pass(self) -> bool:
        """Whether there may be a pass among them."""
        ...

    def each(self, use: Callable[["Position", Value], None]) -> None:
        """Do something with the state after each move and a flag for a pass, in order."""
        ...

    def nth(self, index: Value, use: Callable[[Position], None]) -> None:
        """Do something with the state after the move of an index."""
        ...


@dataclass(slots=True)
class InParts:
    """Moves of one step, as sets."""

    kernel: "Choices"
    at: Position
    side: Value
    parts: Sequence[Part]
    count: Value

    def has_pass(self) -> bool:
        return any(self._is_pass(part) for part in self.parts)

    def _is_pass(self, part: Part) -> bool:
        return self.kernel.rules.groups[part.group].kind == "pass"

    def each(self, use: Callable[[Position, Value], None]) -> None:
        for part in self.parts:
            passes = self.kernel.b.f(self._is_pass(part))

            def at_cell(cell: Value, part: Part = part, passes: Value = passes) -> None:
                use(self._after(part, cell), passes)

            if part.flag is not None:
                none = self.kernel.b.i(-1)
                self.kernel.b.when(part.flag, lambda at=at_cell, none=none: at(none))  # type: ignore[misc]
            else:
                self.kernel.each_cell(part.cells, at_cell)

    def nth(self, index: Value, use: Callable[[Position], None]) -> None:
        b = self.kernel.b
        step = self.kernel.picked(self.parts, index) if len(self.parts) > 1 else None
        if step is not None:
            use(self.kernel.made(self.at, (step,), self.side)[0])
            return

        def look(parts: Sequence[Part], index: Value) -> None:
            part = parts[0]

            def here() -> None:
                cell = b.i(-1) if part.flag is not None else b.op("mnth", part.cells, index)
                use(self._after(part, cell))

            if len(parts) == 1:
                here()
                return
            count = self.kernel.count(part)
            b.when(
                b.op("ilt", index, count),
                here,
                lambda: look(parts[1:], b.op("isub", index, count)),
            )

        look(self.parts, index)

    def _after(self, part: Part, cell: Value) -> Position:
        step = self.kernel.step_of(part, cell)
        return self.kernel.made(self.at, (step,), self.side)[0]


@dataclass(slots=True)
class InLists:
    """Moves in the lists, from `first` of the ends on."""

    kernel: "Choices"
    at: Position
    side: Value
    base: Value
    first: Value
    count: Value
    passes: bool

    def has_pass(self) -> bool:
        return self.passes

    def each(self, use: Callable[[Position, Value], None]) -> None:
        self.each_bounds(lambda start, end: self._use(start, end, use))

    def each_bounds(self, body: Callable[[Value, Value], None]) -> None:
        """For each move where its steps begin and end."""
        b = self.kernel.b
        last = b.op("iadd", self.first, self.count)
        start = b.let(self.base)

        def one(index: Value) -> None:
            begin = b.get(start)
            end = b.result("item", "i", self.kernel.lists[2], index)
            body(begin, end)
            b.set(start, end)

        b.range(self.first, last, one)

    def _use(self, start: Value, end: Value, use: Callable[[Position, Value], None]) -> None:
        b = self.kernel.b
        steps = self.kernel.lists[1]
        passes = b.f(False)
        if self.passes:
            word = b.op("iand", b.result("item", "i", steps, start), b.i(0xFF))
            for number, group in enumerate(self.kernel.rules.groups):
                if group.kind == "pass":
                    passes = b.op("for", passes, b.op("ieq", word, b.i(number)))
        state, _ = self.kernel.make_listed(self.at, steps, start, end, self.side)
        use(state, passes)

    def nth(self, index: Value, use: Callable[[Position], None]) -> None:
        start, end = self.bounds(index)
        state, _ = self.kernel.make_listed(self.at, self.kernel.lists[1], start, end, self.side)
        use(state)

    def bounds(self, index: Value) -> tuple[Value, Value]:
        b = self.kernel.b
        ends = self.kernel.lists[2]
        place = b.op("iadd", self.first, index)
        end = b.result("item", "i", ends, place)
        is_first = b.op("ieq", index, b.i(0))
        before = b.choose(
            is_first,
            lambda: self.base,
            lambda: b.result("item", "i", ends, b.op("isub", place, b.i(1))),
        )
        return before, end

    def drop(self) -> None:
        """Take the moves off the lists."""
        self.kernel.b.effect("cut", self.kernel.lists[1], self.base)
        self.kernel.b.effect("cut", self.kernel.lists[2], self.first)
