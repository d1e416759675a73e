"""Moves with choices as sets, for selection by number: a set for each choice and direction.

The sets are in an array, so that the code of a move occurs once for each group. See decision 164.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from rulesengine.engine.kernel.code.form import Slots, Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.duplicate_steps import have_no_equal_steps
from rulesengine.engine.kernel.emit.make_move import StepValue, make_move
from rulesengine.engine.kernel.emit.move_list import word_of
from rulesengine.engine.kernel.emit.move_sets import SelectedMove, place_of_words
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_sets import (
    StepSet,
    count_of_all,
    end_of,
    passes_last,
    step_sets_of_choices,
)


@dataclass(slots=True)
class MovesWithChoices:
    """Moves of one step, some with choices; `exist` is a flag, true if there are any."""

    ctx: Context
    at: Position
    side: Value
    parts: Sequence[StepSet]
    count: Value
    exist: Value

    def nth(self, index: Value, use: Callable[[SelectedMove], None]) -> None:
        """Call `use` with the move of an index."""
        b = self.ctx.b
        sets = b.slots(b.m(0), len(self.parts))
        for number, part in enumerate(self.parts):
            b.store(sets, b.i(number), part.cells)
        place, left = self._found(sets, index)
        cell = b.op("mnth", b.fetch(sets, place), left)
        self.ctx.cells_on_board.add(cell)
        self._with_group([part.group for part in self.parts], place, cell, use)

    def _found(self, sets: Slots, index: Value) -> tuple[Value, Value]:
        """Return the set of an index, and the index of the move in it."""
        b = self.ctx.b
        place, left = b.let(b.i(0)), b.let(index)

        def test_set() -> None:
            number, rest = b.get(place), b.get(left)
            count = b.op("mcount", b.fetch(sets, number))
            b.when(b.op("ilt", rest, count), b.leave)
            b.set(left, b.op("isub", rest, count))
            b.set(place, b.op("iadd", number, b.i(1)))

        b.loop(test_set)
        return b.get(place), b.get(left)

    def _with_group(
        self, groups: list[int], place: Value, cell: Value, use: Callable[[SelectedMove], None]
    ) -> None:
        """Call `use` with the move of a set, in a branch for each group."""
        b, first = self.ctx.b, groups[-1]
        start = groups.index(first)

        def emit_move() -> None:
            use(self._selected(self._step(first, place, cell)))

        if not start:
            emit_move()
            return
        is_in_group = b.op("ile", b.i(start), place)
        b.when(is_in_group, emit_move, lambda: self._with_group(groups[:start], place, cell, use))

    def _step(self, group: int, place: Value, cell: Value) -> StepValue:
        """Return the step at a cell of a set."""
        ctx, b, none = self.ctx, self.ctx.b, self.ctx.b.i(-1)
        choices = [-1 if part.choice is None else part.choice for part in self.parts]
        choice = b.op("ilook", place, detail=Table("i", tuple(choices)))
        choice = choice if ctx.rules.groups[group].choice else none
        if all(part.path is None for part in self.parts if part.group == group):
            return StepValue(group, none, none, cell, choice)
        known = [part.direction.constant for part in self.parts]
        directions = tuple(-1 if number is None else number for number in known)
        paths = list(dict.fromkeys(part.path or () for part in self.parts))
        cells = ctx.shape.cells
        ends = [end_of(ctx, c, path) for path in paths for c in range(cells)]
        rows = Table("i", tuple(paths.index(part.path or ()) * cells for part in self.parts))
        row = b.op("ilook", place, detail=rows)
        target = b.op("ilook", b.op("iadd", row, cell), detail=Table("i", tuple(ends)))
        ctx.cells_on_board.add(target)
        direction = b.op("ilook", place, detail=Table("i", directions))
        return StepValue(group, direction, cell, target, choice)

    def _selected(self, step: StepValue) -> SelectedMove:
        def place(places: Value) -> Value:
            word = word_of(self.ctx, step)
            return place_of_words(self.ctx, word, word, step.choice, places)

        return SelectedMove(
            lambda: make_move(self.ctx, self.at, (step,), self.side)[0],
            place,
        )


def moves_with_choices(
    ctx: Context, at: Position, side: Value, tier: int
) -> MovesWithChoices | None:
    """Return the moves of a tier as sets, if it has choices that come before the cells."""
    groups = ctx.rules.tiers[tier]
    keeps_all = not ctx.rules.keep or tier in ctx.rules.unranked
    if not keeps_all or not any(group.chooses_first for group in groups):
        return None
    scene, parts = Environment(at, {"player": side}), list[StepSet]()
    for group in passes_last(groups):
        sets = step_sets_of_choices(ctx, scene, group)
        if sets is None or any(part.flag is not None for part in sets):
            return None
        parts += [part for part in sets if part.cells.constant != 0]
    if not parts or not _are_distinct(ctx, scene, parts):
        return None
    count = count_of_all(ctx, parts)
    return MovesWithChoices(ctx, at, side, parts, count, ctx.b.op("ilt", ctx.b.i(0), count))


def _are_distinct(ctx: Context, scene: Environment, parts: Sequence[StepSet]) -> bool:
    """True if no step can be in two parts."""
    groups = dict.fromkeys(part.group for part in parts)
    for one, other in combinations(groups, 2):
        same_kind = ctx.rules.groups[one].step_kind == ctx.rules.groups[other].step_kind
        if same_kind and not have_no_equal_steps(ctx, scene, one, other):
            return False
    ends: set[tuple[int, int | None, int, int]] = set()
    for part in parts:
        for cell in range(ctx.shape.cells) if part.path is not None else ():
            step = part.group, part.choice, cell, end_of(ctx, cell, part.path or ())
            if step[-1] >= 0 and step in ends:
                return False
            ends.add(step)
    return True
