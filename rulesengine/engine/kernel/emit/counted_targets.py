"""Kernel code for moves of one step that are counted by target sets, without a list.

Steps from several origins are counted origin by origin; the drawn step is found likewise. See
decision 176.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.duplicate_steps import possible_duplicates
from rulesengine.engine.kernel.emit.make_move import StepValue, make_move, remark, same_effect
from rulesengine.engine.kernel.emit.move_list import word_of
from rulesengine.engine.kernel.emit.move_sets import SelectedMove, place_of_words
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_origins import origins_by_direction
from rulesengine.engine.kernel.emit.step_sets import (
    StepSet,
    count_of,
    passes_last,
    step_of,
    step_sets_of_group,
)
from rulesengine.language.ir.rules import Group
from rulesengine.support.limits import MAX_MOVES


@dataclass(frozen=True, slots=True)
class OriginSet:
    """The steps of a group and a direction from some origins, each with a set of targets."""

    ctx: Context
    scene: Environment
    group: int
    direction: Value
    origins: Value

    def targets(self, origin: Value) -> Value:
        """Return the targets of an origin."""
        target = self.ctx.rules.groups[self.group].target
        assert target is not None
        return self.ctx.value(target, self.scene.with_(from_=origin, direction=self.direction))

    def count(self) -> Value:
        b, total = self.ctx.b, self.ctx.b.let(self.ctx.b.i(0))

        def add(origin: Value) -> None:
            size = b.op("mcount", self.targets(origin))
            b.set(total, b.op("iadd", b.get(total), size))

        self.ctx.each_cell(self.origins, add)
        return b.get(total)

    def nth(self, index: Value) -> StepValue:
        """Return the step of an index, which must be below the count."""
        b, none = self.ctx.b, self.ctx.b.i(-1)
        left, origin, target = b.let(index), b.let(b.i(0)), b.let(b.i(0))

        def count_cell(cell: Value) -> None:
            cells, before = self.targets(cell), b.get(left)
            size = b.op("mcount", cells)
            b.set(left, b.op("isub", before, size))

            def select_target() -> None:
                b.set(origin, cell)
                b.set(target, b.op("mnth", cells, before))
                b.leave()

            b.when(b.op("ilt", before, size), select_target)

        self.ctx.each_cell(self.origins, count_cell)
        ends = b.get(origin), b.get(target)
        self.ctx.cells_on_board |= set(ends)
        return StepValue(self.group, self.direction, *ends, none)


@dataclass(slots=True)
class CountedMoves:
    """Moves of one step by parts: sets of steps, and origins with target sets."""

    ctx: Context
    at: Position
    side: Value
    parts: Sequence[StepSet | OriginSet]
    counts: Sequence[Value]
    count: Value

    def nth(self, index: Value, use: Callable[[SelectedMove], None]) -> None:
        """Call `use` with the move of an index."""
        numbers = [part.group for part in self.parts]
        if _are_alike(self.ctx, numbers):
            use(self._selected(self._step_of_any(index, numbers)))
        else:
            self._look(0, index, lambda step: use(self._selected(step)))

    def _look(self, number: int, left: Value, use: Callable[[StepValue], None]) -> None:
        """Call `use` with the step of an index among the parts from a number on."""
        b, part = self.ctx.b, self.parts[number]
        if number == len(self.parts) - 1:
            use(self._step(part, left))
            return
        size = self.counts[number]
        b.when(
            b.op("ilt", left, size),
            lambda: use(self._step(part, left)),
            lambda: self._look(number + 1, b.op("isub", left, size), use),
        )

    def _step(self, part: StepSet | OriginSet, index: Value) -> StepValue:
        if isinstance(part, OriginSet):
            return part.nth(index)
        b = self.ctx.b
        cell = b.i(-1) if part.flag is not None else b.op("mnth", part.cells, index)
        return step_of(self.ctx, part, cell)

    def _step_of_any(self, index: Value, numbers: list[int]) -> StepValue:
        """Return the step of an index; all parts move pieces with the same effects."""
        b, none = self.ctx.b, self.ctx.b.i(-1)
        direction, origin, target = b.let(none), b.let(b.i(0)), b.let(b.i(0))

        def note(step: StepValue) -> None:
            b.set(direction, step.direction)
            b.set(origin, step.origin)
            b.set(target, step.target)

        self._look(0, index, note)
        ends = b.get(origin), b.get(target)
        self.ctx.cells_on_board |= set(ends)
        others = tuple(set(numbers[1:]))
        return StepValue(numbers[0], b.get(direction), *ends, none, others)

    def _selected(self, step: StepValue) -> SelectedMove:
        ctx = self.ctx

        def place(places: Value) -> Value:
            word = word_of(ctx, step)
            return place_of_words(ctx, word, word, step.choice, places)

        return SelectedMove(lambda: make_move(ctx, self.at, (step,), self.side)[0], place)


def _are_alike(ctx: Context, numbers: Sequence[int]) -> bool:
    """True if the steps of some groups move pieces with the same effects."""
    move = all(ctx.rules.groups[number].kind == "move" for number in numbers)
    return move and all(same_effect(ctx, numbers[0], number)[0] for number in numbers)


def counted_sets(
    ctx: Context, at: Position, side: Value, parts: Sequence[StepSet | OriginSet]
) -> CountedMoves:
    """Return the moves of some parts; the kernel fails if there are too many."""
    counts = [p.count() if isinstance(p, OriginSet) else count_of(ctx, p) for p in parts]
    total = ctx.b.i(0)
    for count in counts:
        total = ctx.b.op("iadd", total, count)
    ctx.b.when(ctx.b.op("ilt", ctx.b.i(MAX_MOVES), total), ctx.b.fail)
    return CountedMoves(ctx, at, side, parts, counts, total)


def counted_moves(ctx: Context, at: Position, side: Value, tier: int) -> CountedMoves | None:
    """Return the moves of a tier, counted by target sets; None if they are not counted so."""
    groups, scene = ctx.rules.tiers[tier], Environment(at, {"player": side})
    if any(group.then for group in groups) or ctx.rules.chance is not None or ctx.rules.likely:
        return None
    parts = list[StepSet | OriginSet]()
    for group in passes_last(groups):
        parts_of_group = _parts(ctx, scene, group)
        if parts_of_group is None:
            return None
        parts += parts_of_group
    if any(alike for _, alike in possible_duplicates(ctx, scene, passes_last(groups))):
        return None
    return counted_sets(ctx, at, side, parts)


def _parts(ctx: Context, scene: Environment, group: Group) -> Sequence[StepSet | OriginSet] | None:
    sets = step_sets_of_group(ctx, scene, group)
    if sets is not None or group.kind != "move" or group.choice:
        return sets
    ctx.b.note(remark(group))
    number, origins = ctx.rules.groups.index(group), origins_by_direction(ctx, scene, group)
    if origins is None:
        return None
    none = ctx.b.i(-1)
    inner = scene.with_(from_=none, to=none, choice=none, direction=none)
    return [OriginSet(ctx, inner, number, direction, cells) for direction, cells in origins]
