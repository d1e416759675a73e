"""Lines on sets of any layout: one direction at a time, or both directions of a straight axis."""

from collections.abc import Callable, Iterator, Sequence

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.backends.native import prefix
from rulesengine.engine.kernel.backends.native.layout import Layout, Stride
from rulesengine.engine.kernel.backends.native.prefix import Directions, Reach
from rulesengine.engine.kernel.backends.native.relations import (
    all_targets,
    power,
    sources,
    targets_of,
)
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays, Relation, RowPattern, Runs

RowTest = Callable[[Body, str, int, list["Axis"]], str]
Axis = tuple[Stride, str]  # the step along it, and the constant set of cells at which a row begins


class RelationDirection(Directions):
    """A direction that is no single shift; each number of steps is a relation of its own."""

    def __init__(self, b: Body, layout: Layout, step: Relation) -> None:
        self.b, self.layout, self.step = b, layout, step

    def op(self, name: str, x: str, y: str) -> str:
        return self.layout.op(self.b, name, x, y)

    def on(self, cells: str, steps: Sequence[int]) -> str:
        step = self.step if steps[0] == 1 else power(self.step, steps[0])
        return self.layout.move(self.b, cells, step)


class SteppedDirection(RelationDirection):
    """A direction as `RelationDirection`, for lines that end.

    Most sets stop growing after a few steps, so single steps are repeated to a fixed point.
    """

    def fill(
        self, cells: list[str], passing: str, reach: Reach, directions: Sequence[Directions]
    ) -> list[str]:
        def more(at: str) -> str:
            return self.op("or", at, self.through(at, passing, self.one()))

        def is_stable(old: str, new: str) -> str:
            return self.layout.equal(self.b, old, new)

        return [self.layout.repeat(self.b, at, more, is_stable) for at in cells]


class ShiftDirection(Directions):
    """A direction that is one shift; cells that leave their line are outside `within`."""

    def __init__(
        self, b: Body, layout: Layout, stride: Stride, within: int | None, before: int = 0
    ) -> None:
        self.b, self.layout, self.stride = b, layout, stride
        self.within, self.before = within, before

    def op(self, name: str, x: str, y: str) -> str:
        return self.layout.op(self.b, name, x, y)

    def on(self, cells: str, steps: Sequence[int]) -> str:
        return self.layout.shift(self.b, cells, self.stride, steps[0])

    def inside(self, over: str) -> str:
        return over if self.within is None else self.op("and", over, self.layout.const(self.within))

    def leaving(self, begun: str) -> str:
        return self.op("and", begun, self.layout.const(self.before))


class BackwardDirection(ShiftDirection):
    """The direction against a shift, which reuses the passable cells of the forward direction.

    A set is stored one cell ahead of its position. From the first of several passable cells, in the
    direction of the shift, it moves to the cell before them.
    """

    def begin(self, ends: str) -> str:
        return self.on(ends, [-1])

    def through(self, cells: str, passing: str, steps: Sequence[int]) -> str:
        return self.on(self.op("and", cells, passing), [-steps[0]])

    def leave(self, cells: str) -> str:
        return cells


def is_straight(rays: Rays) -> bool:
    """True if each direction is one shift of the whole board."""
    return all(len(step.deltas) <= 1 for step in (*rays.steps, *rays.back))


def toward(b: Body, layout: Layout, runs: Runs, over: str, until: str) -> str:
    """Compute `Layout.toward`: flood from `until` backwards through `over`, then one more step."""
    sets = []
    for directions, reach in _ways_back(b, layout, runs):
        sets += prefix.toward(directions, reach, over, until)
    return layout.union(b, sets)


def _ways_back(b: Body, layout: Layout, runs: Runs) -> Iterator[tuple[list[Directions], Reach]]:
    """Yield the directions of runs; two that share their lines are yielded together."""
    rays, left = runs.rays, prefix.usable_directions(runs)
    while left:
        one = left.pop(0)
        back, reach = rays.back[one], prefix.reach_of(runs, [one])
        stride = None if rays.cyclic else layout.stride(back)
        if stride is None:
            yield [(RelationDirection if reach.exact else SteppedDirection)(b, layout, back)], reach
            continue
        masks = all_targets(back) & sources(back), sources(back)
        directions: list[Directions] = [ShiftDirection(b, layout, stride, *masks)]
        other = None if reach.exact else _opposite(layout, rays, one, left)
        if other is not None:
            left.remove(other)
            directions.append(BackwardDirection(b, layout, stride, *masks))
        yield directions, reach


def _opposite(layout: Layout, rays: Rays, one: int, others: list[int]) -> int | None:
    """Return the opposite direction if it is among the given ones."""
    back = targets_of(rays.steps[one], layout.cells)
    return next((k for k in others if targets_of(rays.back[k], layout.cells) == back), None)


def slide(b: Body, layout: Layout, rays: Rays, start: str, through: str) -> str:
    """Compute `Layout.slide`: a flood in each direction."""
    sets = []
    for step, length in zip(rays.steps, prefix.lengths(rays), strict=True):
        stride = layout.stride(step)
        direction = (
            ShiftDirection(b, layout, stride, all_targets(step))
            if stride
            else SteppedDirection(b, layout, step)
        )
        if length:
            sets += prefix.flood([direction], Reach(1, (length,)), through, start)
    return layout.union(b, sets)


def row_in(
    b: Body, layout: Layout, cells: str, row: RowPattern, vector_rows: RowTest | None = None
) -> str:
    """Compute `Layout.row_in`; `vector_rows` tests straight rows along several axes at once."""
    even, odd = _rows_apart(layout, row)
    flags = [layout.equal(b, layout.op(b, "and", cells, full_row), full_row) for full_row in odd]
    if even or not odd:
        flags.append((vector_rows or _one_by_one(layout))(b, cells, row.length, even))
    has_row = flags[0]
    for flag in flags[1:]:
        has_row = b.let(f"or i1 {has_row}, {flag}")
    return has_row


def _rows_apart(layout: Layout, row: RowPattern) -> tuple[list[Axis], list[str]]:
    """Split rows into those with one stride from cell to cell, and the masks of the others."""
    even: dict[Stride, int] = {}
    odd = []
    for delta, starts in zip(row.deltas, row.starts, strict=True):
        for first in cells_of(starts):
            cells_of_row = range(first, first + delta * row.length, delta)
            strides = {layout.stride_between(c, c + delta) for c in cells_of_row[:-1]}
            if len(strides) > 1:
                odd.append(layout.const(sum(1 << cell for cell in cells_of_row)))
            else:
                stride = strides.pop()
                even[stride] = even.get(stride, 0) | 1 << first
    return [(stride, layout.const(mask)) for stride, mask in even.items()], odd


def _one_by_one(layout: Layout) -> RowTest:
    def test_rows(b: Body, cells: str, length: int, axes: list[Axis]) -> str:
        """Test each axis; cells at which no row begins are masked out."""
        flags = []
        for (rows, columns), starts in axes:
            begin = prefix.row_starts(
                ShiftDirection(b, layout, (-rows, -columns), None), cells, length
            )
            flags.append(layout.op(b, "and", begin, starts))
        return b.let(f"xor i1 {layout.empty(b, layout.union(b, flags))}, true")

    return test_rows
