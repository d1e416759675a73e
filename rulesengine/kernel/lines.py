"""Lines and fills as kernel code."""

from rulesengine.ir.ops import Op
from rulesengine.kernel.code import Value
from rulesengine.kernel.position import Scene
from rulesengine.kernel.rays import Rays
from rulesengine.kernel.shape import cells_of


class Lines(Rays):
    """Adds lines and fills."""

    _first_cells = False

    def some(self, op: Op, scene: Scene) -> Value:
        """Whether a set has any cell: of lines it is enough to know where one begins."""
        if op.name == "line":
            return self._some_line(op, scene)
        if op.name == "fill" and not self.facts.may_fail(op):
            # What is filled holds the seeds inside it.
            seeds, within = (self.value(a, scene) for a in op.args[:2])
            return self.b.op("many", self.b.op("mand", seeds, within))
        if op.name == "and" and not self.facts.may_fail(op):
            return self._some_of_both(op, scene)
        return super().some(op, scene)

    def _some_of_both(self, op: Op, scene: Scene) -> Value:
        """A fill can only meet a set that its bounds meet."""
        fills = [a for a in op.args if a.name == "fill"]
        if len(fills) != 1:
            return super().some(op, scene)
        met = self.value(fills[0].args[1], scene)
        for arg in op.args:
            if arg is not fills[0]:
                met = self.b.op("mand", met, self.value(arg, scene))
        return self.b.choose(
            self.b.op("many", met),
            lambda: self.b.op("many", self.value(op, scene)),
            lambda: self.b.f(False),
        )

    def _some_line(self, op: Op, scene: Scene) -> Value:
        """Straight axes are asked all at once, the others one by one."""
        mask, low, high = (self.value(a, scene) for a in op.args[:3])
        chosen = self.directions(op, 3, scene).known
        longest = max((len(line) for _, lines in self.shape.axes for line, _ in lines), default=0)
        axes = self.shape.straight(chosen) if chosen is not None else ()
        bounded = low.known is None or high.known is None or high.known < longest
        if bounded or not axes or (low.known or 0) < 2:
            return self.b.op("many", self._lines(op, scene, first_cells=True))
        found = self.b.op("mrow", mask, detail=self.shape.in_row(low.known or 0, axes))
        return self.b.op("for", found, self.b.op("many", self._lines(op, scene, True, axes)))

    def op_line(self, op: Op, scene: Scene) -> Value:
        return self._lines(op, scene, first_cells=False)

    def _lines(self, op: Op, scene: Scene, first_cells: bool, but: tuple[int, ...] = ()) -> Value:
        """The cells of the lines of a set, or only some of each line; some axes may be left out."""
        mask, low, high = (self.value(a, scene) for a in op.args[:3])
        chosen = self.directions(op, 3, scene) if len(op.args) > 3 else None
        if low.known is None or high.known is None:
            return self._line_of_any_length(mask, low, high, chosen)
        result = self.b.m(0)
        for pair, lines in self.shape.axes:
            if pair in but:
                continue
            longest = max((len(line) for line, _ in lines), default=0)
            self._first_cells = first_cells and high.known >= longest
            part = self._on_axis(mask, pair, lines, low.known, high.known, chosen)
            self._first_cells = False
            result = self.b.op("mor", result, part)
        return result

    def _on_axis(
        self,
        mask: Value,
        pair: int,
        lines: tuple[tuple[tuple[int, ...], bool], ...],
        low: int,
        high: int,
        chosen: Value | None,
    ) -> Value:
        """The cells of rows of a length from low to high along one axis, if it is chosen."""

        def rows() -> Value:
            if pair and _are_apart(lines):
                return self._rows_between(mask, pair, lines, low, high)
            # A cell may be in a row on one line and in a longer one on another.
            parts = [self._rows_between(mask, 0, (line,), low, high) for line in lines]
            return self.union(parts)

        if chosen is None:
            return rows()
        if not pair:
            return self.b.m(0)
        if chosen.known is not None:
            return rows() if chosen.known & pair or chosen.known == -1 else self.b.m(0)
        zero = self.b.op("ieq", self.b.op("iand", chosen, self.b.i(pair)), self.b.i(0))
        return self.b.choose(zero, lambda: self.b.m(0), rows)

    def _rows_between(
        self,
        mask: Value,
        pair: int,
        lines: tuple[tuple[tuple[int, ...], bool], ...],
        low: int,
        high: int,
    ) -> Value:
        part = self._rows_of(mask, pair, lines, max(low, 1))
        if high >= max((len(line) for line, _ in lines), default=0):
            return part
        return self.b.op("mless", part, self._rows_of(mask, pair, lines, max(high, 0) + 1))

    def _rows_of(
        self, mask: Value, pair: int, lines: tuple[tuple[tuple[int, ...], bool], ...], low: int
    ) -> Value:
        """The cells of rows of at least `low` cells."""
        fitting = [(line, closed) for line, closed in lines if len(line) >= low]
        if low == 1:
            return self.b.op("mand", mask, self.b.m(_all_of([line for line, _ in lines])))
        if pair and len(fitting) == len([x for x in lines if x[1]]) + len(
            [x for x in fitting if not x[1]]
        ):
            return self._rows_by_steps(mask, cells_of(pair)[0], low)
        result = self.b.m(0)
        for line, closed in fitting:
            ends = len(line) if closed else len(line) - low + 1
            for i in range(ends):
                row = self.b.m(sum(1 << (line + line)[i + k] for k in range(low)))
                whole = self.b.op("meq", self.b.op("mand", mask, row), row)
                result = self.b.op("mor", result, self.b.op("pick", whole, row, self.b.m(0)))
        return result

    def _rows_by_steps(self, mask: Value, direction: int, low: int) -> Value:
        """Cells that begin a row of so many, by doubling, and then all cells of these rows."""
        begin, length = mask, 1
        while length < low:
            step = min(length, low - length)
            moved = self.moved(begin, self.shape.leap(direction, step, ahead=False))
            begin = self.b.op("mand", begin, moved)
            length += step
        if self._first_cells:
            return begin
        rows, length = begin, 1
        while length < low:
            step = min(length, low - length)
            moved = self.moved(rows, self.shape.leap(direction, step, ahead=True))
            rows = self.b.op("mor", rows, moved)
            length += step
        return rows

    def _line_of_any_length(
        self, mask: Value, low: Value, high: Value, chosen: Value | None
    ) -> Value:
        """Rows whose bounds are not known: each possible length by itself."""
        longest = max((len(line) for _, lines in self.shape.axes for line, _ in lines), default=0)
        result = self.b.m(0)
        for length in range(1, longest + 1):
            at_least = self.b.op("ile", low, self.b.i(length))
            on = self.b.op("fand", at_least, self.b.op("ile", self.b.i(length), high))

            def rows(length: int = length) -> Value:
                part = self.b.m(0)
                for pair, lines in self.shape.axes:
                    more = self._on_axis(mask, pair, lines, length, length, chosen)
                    part = self.b.op("mor", part, more)
                return part

            result = self.b.op("mor", result, self.b.choose(on, rows, lambda: self.b.m(0)))
        return result

    def op_fill(self, op: Op, scene: Scene) -> Value:
        seeds, within = (self.value(a, scene) for a in op.args[:2])
        if len(op.args) < 3:
            return self.b.op("mfill", seeds, within, detail=self.shape.beside)
        directions = self.value(op.args[2], scene)
        if directions.known == -1:
            return self.b.op("mfill", seeds, within, detail=self.shape.beside)
        if directions.known is not None:
            steps = self.shape.step(directions.known)
            return self.b.op("mfill", seeds, within, detail=steps)
        return self._fill_by_steps(seeds, within, directions)

    def _fill_by_steps(self, seeds: Value, within: Value, directions: Value) -> Value:
        new = self.b.let(self.b.op("mand", seeds, within))
        reached = self.b.let(self.b.m(0))

        def grow() -> None:
            last = self.b.get(new)
            self.b.when(self.b.op("fnot", self.b.op("many", last)), self.b.leave)
            so_far = self.b.op("mor", self.b.get(reached), last)
            self.b.set(reached, so_far)
            beside = self.b.op("mand", self.along(directions, last, self.move), within)
            self.b.set(new, self.b.op("mless", beside, so_far))

        self.b.loop(grow)
        return self.b.get(reached)


def _are_apart(lines: tuple[tuple[tuple[int, ...], bool], ...]) -> bool:
    """Whether no cell is on two of the lines."""
    cells = [cell for line, _ in lines for cell in line]
    return len(cells) == len(set(cells))


def _all_of(lines: list[tuple[int, ...]]) -> int:
    mask = 0
    for line in lines:
        for cell in line:
            mask |= 1 << cell
    return mask
