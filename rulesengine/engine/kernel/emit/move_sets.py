"""The legal moves of a position for iteration or selection: as sets or in lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rulesengine.engine.drivers.move_keys import CHOICE, LAST
from rulesengine.engine.drivers.search.tree_settings import is_target_unique
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import StepValue, make_move
from rulesengine.engine.kernel.emit.move_list import STRIDE, make_listed_move, word_of
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.emit.step_sets import StepSet, count_of, select_step, step_of
from rulesengine.support.words import GROUPS, ORIGIN, TARGET


@dataclass(frozen=True, slots=True)
class CandidateMove:
    """A legal move: functions that emit its result and identity on demand.

    - `after`: the state after it.
    - `is_pass`: a flag for a pass.
    - `key`: a hash of the first step and the last one.
    - `place`: an index below a number, by the move's cells alone.
    - `step`: the two words of the step of an index; the first is -1 past the last step.
    """

    after: Callable[[], Position]
    is_pass: Callable[[], Value]
    key: Callable[[], Value]
    place: Callable[[Value], Value]
    step: Callable[[Value], tuple[Value, Value]]


@dataclass(frozen=True, slots=True)
class SelectedMove:
    """A move selected by number, with functions as in `CandidateMove`."""

    after: Callable[[], Position]
    place: Callable[[Value], Value]


class NumberedMoves(Protocol):
    """The legal moves of a position, at least one, for selection by number."""

    count: Value

    def nth(self, index: Value, use: Callable[["SelectedMove"], None]) -> None:
        """Call `use` with the move of an index."""
        ...


class MoveSet(NumberedMoves, Protocol):
    """The legal moves of a position, for iteration as well."""

    def has_pass(self) -> bool:
        """True if there may be a pass among them."""
        ...

    def for_each(self, use: Callable[["Position", Value], None]) -> None:
        """Call `use` with the state after each move and a flag for a pass, in order."""
        ...

    def each_candidate(self, use: Callable[[CandidateMove], None]) -> None:
        """Call `use` with each move, in order; a move is only made if `use` emits its result."""
        ...


@dataclass(slots=True)
class MovesInSets:
    """Moves of one step, as sets."""

    ctx: Context
    at: Position
    side: Value
    parts: Sequence[StepSet]
    count: Value

    def has_pass(self) -> bool:
        return any(self._is_pass(part) for part in self.parts)

    def _is_pass(self, part: StepSet) -> bool:
        return self.ctx.rules.groups[part.group].kind == "pass"

    def for_each(self, use: Callable[[Position, Value], None]) -> None:
        self.each_candidate(lambda move: use(move.after(), move.is_pass()))

    def each_candidate(self, use: Callable[[CandidateMove], None]) -> None:
        for part in self.parts:
            passes = self.ctx.b.f(self._is_pass(part))

            def at_cell(cell: Value, part: StepSet = part, passes: Value = passes) -> None:
                use(
                    CandidateMove(
                        lambda: self._after(part, cell),
                        lambda: passes,
                        lambda: self._key(part, cell),
                        lambda places: self._place(step_of(self.ctx, part, cell), places),
                        lambda index: self._step(step_of(self.ctx, part, cell), index),
                    )
                )

            if part.flag is not None:
                none = self.ctx.b.i(-1)
                self.ctx.b.when(part.flag, lambda at=at_cell, none=none: at(none))  # type: ignore[misc]
            else:
                self.ctx.each_cell(part.cells, at_cell)

    def nth(self, index: Value, use: Callable[[SelectedMove], None]) -> None:
        b = self.ctx.b
        step = select_step(self.ctx, self.parts, index) if len(self.parts) > 1 else None
        if step is not None:
            use(self._selected(step))
            return

        def find_part(parts: Sequence[StepSet], index: Value) -> None:
            part = parts[0]

            def emit_step() -> None:
                cell = b.i(-1) if part.flag is not None else b.op("mnth", part.cells, index)
                use(self._selected(step_of(self.ctx, part, cell)))

            if len(parts) == 1:
                emit_step()
                return
            count = count_of(self.ctx, part)
            b.when(
                b.op("ilt", index, count),
                emit_step,
                lambda: find_part(parts[1:], b.op("isub", index, count)),
            )

        find_part(self.parts, index)

    def _key(self, part: StepSet, cell: Value) -> Value:
        step = step_of(self.ctx, part, cell)
        word = word_of(self.ctx, step)
        return _key_of(self.ctx, word, word, step.choice)

    def _step(self, step: StepValue, index: Value) -> tuple[Value, Value]:
        b, none = self.ctx.b, self.ctx.b.i(-1)
        is_first = b.op("ieq", index, b.i(0))
        return b.op("pick", is_first, word_of(self.ctx, step), none), step.choice

    def _place(self, step: StepValue, places: Value) -> Value:
        word = word_of(self.ctx, step)
        return place_of_words(self.ctx, word, word, step.choice, places)

    def _selected(self, step: StepValue) -> SelectedMove:
        return SelectedMove(
            lambda: make_move(self.ctx, self.at, (step,), self.side)[0],
            lambda places: self._place(step, places),
        )

    def _after(self, part: StepSet, cell: Value) -> Position:
        return self._selected(step_of(self.ctx, part, cell)).after()


@dataclass(slots=True)
class ListedMoves:
    """Moves in the lists; their ends begin at `first` in list 2."""

    ctx: Context
    at: Position
    side: Value
    base: Value
    first: Value
    count: Value
    passes: bool

    def has_pass(self) -> bool:
        return self.passes

    def for_each(self, use: Callable[[Position, Value], None]) -> None:
        def use_move(move: CandidateMove) -> None:
            passes = move.is_pass()
            use(move.after(), passes)

        self.each_candidate(use_move)

    def each_candidate(self, use: Callable[[CandidateMove], None]) -> None:
        def listed(start: Value, end: Value) -> None:
            use(
                CandidateMove(
                    lambda: self._after(start, end),
                    lambda: self._is_pass(start),
                    lambda: self._key(start, end),
                    lambda places: self._place(start, end, places),
                    lambda index: self._step(start, end, index),
                )
            )

        self.each_bounds(listed)

    def each_bounds(self, body: Callable[[Value, Value], None]) -> None:
        """Call `body` with the start and end of each move's steps."""
        b = self.ctx.b
        last = b.op("iadd", self.first, self.count)
        start = b.let(self.base)

        def one(index: Value) -> None:
            begin = b.get(start)
            end = b.result("item", "i", self.ctx.lists[2], index)
            body(begin, end)
            b.set(start, end)

        b.range(self.first, last, one)

    def _is_pass(self, start: Value) -> Value:
        b = self.ctx.b
        passes = b.f(False)
        if self.passes:
            word = b.op("iand", b.result("item", "i", self.ctx.lists[1], start), b.i(GROUPS))
            for number, group in enumerate(self.ctx.rules.groups):
                if group.kind == "pass":
                    passes = b.op("for", passes, b.op("ieq", word, b.i(number)))
        return passes

    def _key(self, start: Value, end: Value) -> Value:
        return _key_of(self.ctx, *_words(self.ctx, self.ctx.lists[1], start, end))

    def _place(self, start: Value, end: Value, places: Value) -> Value:
        return place_of_steps(self.ctx, self.ctx.lists[1], start, end, places)

    def _step(self, start: Value, end: Value, index: Value) -> tuple[Value, Value]:
        b, steps, none = self.ctx.b, self.ctx.lists[1], self.ctx.b.i(-1)
        at = b.op("iadd", start, b.op("imul", index, b.i(STRIDE)))

        def emit_found(place: Value) -> Value:
            there = b.op("ilt", at, end)
            return b.choose(there, lambda: b.result("item", "i", steps, place), lambda: none)

        return emit_found(at), emit_found(b.op("iadd", at, b.i(1)))

    def nth(self, index: Value, use: Callable[[SelectedMove], None]) -> None:
        start, end = self.bounds(index)
        use(
            SelectedMove(
                lambda: self._after(start, end),
                lambda places: self._place(start, end, places),
            )
        )

    def _after(self, start: Value, end: Value) -> Position:
        return make_listed_move(self.ctx, self.at, self.ctx.lists[1], start, end, self.side)[0]

    def bounds(self, index: Value) -> tuple[Value, Value]:
        b = self.ctx.b
        ends = self.ctx.lists[2]
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
        """Remove the moves from the lists."""
        self.ctx.b.effect("cut", self.ctx.lists[1], self.base)
        self.ctx.b.effect("cut", self.ctx.lists[2], self.first)


def place_of_steps(ctx: Context, steps: Value, start: Value, end: Value, places: Value) -> Value:
    """Return an index below `places`, by the cells of a move with its steps in a list."""
    return place_of_words(ctx, *_words(ctx, steps, start, end), places)


def _words(ctx: Context, steps: Value, start: Value, end: Value) -> tuple[Value, Value, Value]:
    """Return the words of a move's first and last step, and the choice of the latter."""
    places = start, *(ctx.b.op("isub", end, ctx.b.i(back)) for back in (STRIDE, STRIDE - 1))
    first, last, choice = (ctx.b.result("item", "i", steps, place) for place in places)
    return first, last, choice


def _key_of(ctx: Context, first: Value, last: Value, choice: Value) -> Value:
    """Implement `drivers.move_key`."""
    total = ctx.b.const("u", 0)
    for number in (first, last, choice):
        total = ctx.b.op("ufold", total, number)
    return total


def place_of_words(ctx: Context, first: Value, last: Value, choice: Value, places: Value) -> Value:
    """Implement `drivers.target_place` or `drivers.move_place`."""
    b = ctx.b
    if ctx.analysis(is_target_unique):
        most = b.op("isub", places, b.i(1))
        return b.op("imin", b.op("ishr", last, b.i(TARGET)), most)
    total = b.op("ishr", first, b.i(ORIGIN))
    for number, at in ((b.op("ishr", last, b.i(TARGET)), LAST), (choice, CHOICE)):
        total = b.op("iadd", total, b.op("ishl", number, b.i(at)))
    return b.op("uhigh", b.op("ufold", b.const("u", 0), total), places)
