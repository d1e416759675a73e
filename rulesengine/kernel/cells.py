"""Sets of cells, single cells and directions as kernel code."""

from collections.abc import Callable

from rulesengine.ir.ops import Op
from rulesengine.kernel.code import Moves, Table, Value
from rulesengine.kernel.numbers import Numbers
from rulesengine.kernel.position import Scene
from rulesengine.kernel.shape import cells_of


class Cells(Numbers):
    """Adds sets of cells, single cells and directions."""

    def op_and(self, op: Op, scene: Scene) -> Value:
        result = self.b.m(self.b.full)
        for arg in op.args:
            result = self.b.op("mand", result, self.value(arg, scene))
        return result

    def op_or(self, op: Op, scene: Scene) -> Value:
        return self.union([self.value(a, scene) for a in op.args])

    def op_minus(self, op: Op, scene: Scene) -> Value:
        left, right = (self.value(a, scene) for a in op.args)
        return self.b.op("mless", left, right)

    def op_not(self, op: Op, scene: Scene) -> Value:
        return self.b.op("mnot", self.value(op.args[0], scene))

    def op_single(self, op: Op, scene: Scene) -> Value:
        return self.b.op("mcell", self.value(op.args[0], scene))

    def op_shift(self, op: Op, scene: Scene) -> Value:
        cell = self._stepped(op, scene)
        if cell is not None:
            return self.b.op("mcell", cell)
        mask = self.value(op.args[0], scene)
        for arg in op.args[1:]:
            mask = self.along(self.value(arg, scene), mask, self.move)
        return mask

    def _stepped(self, op: Op, scene: Scene) -> Value | None:
        """The cell, or -1, that single steps lead to from one cell, if one is not known yet."""
        if op.name == "single":
            return self.value(op.args[0], scene)
        if op.name != "shift" or any(a.name != "just" for a in op.args[1:]):
            return None
        cell = self._stepped(op.args[0], scene)
        ways = [self.value(a.args[0], scene) for a in op.args[1:]] if cell is not None else []
        if cell is None or all(way.known is not None for way in ways):
            return None
        for way in ways:
            cell = self._next_cell(cell, way)
        return cell

    def _next_cell(self, cell: Value, direction: Value) -> Value:
        def look() -> Value:
            start = self.b.op("imul", direction, self.b.i(self.shape.cells))
            index = self.b.op("iadd", start, cell)
            return self.b.op("ilook", index, detail=self.shape.next_cells)

        if self.there(cell):
            return look()
        return self.b.choose(self.b.op("ile", self.b.i(0), cell), look, lambda: self.b.i(-1))

    def move(self, mask: Value, directions: int) -> Value:
        """The cells one step away in any of the directions."""
        return self.moved(mask, self.shape.step(directions))

    def moved(self, mask: Value, moves: Moves) -> Value:
        known = mask.known
        if known is not None:
            pairs = zip(moves.deltas, moves.masks, strict=True)
            cells = 0
            for delta, of in pairs:
                cells |= (known & of) << delta if delta >= 0 else (known & of) >> -delta
            return self.b.m(cells)
        return self.b.op("mmove", mask, detail=moves) if moves.deltas else self.b.m(0)

    def along(self, directions: Value, mask: Value, work: Callable[[Value, int], Value]) -> Value:
        """Work along a set of directions, one by one where they are not known yet."""
        if directions.known is not None:
            return work(mask, directions.known & self.shape.every)
        result = self.b.m(0)
        for d in cells_of(self.shape.every):
            on = self._has_direction(self.b.i(d), directions)
            part = self.b.choose(on, lambda d=d: work(mask, 1 << d), lambda: self.b.m(0))  # type: ignore[misc]
            result = self.b.op("mor", result, part)
        return result

    def op_neighbours(self, op: Op, scene: Scene) -> Value:
        mask = self.value(op.args[0], scene)
        if len(op.args) > 1:
            return self.along(self.value(op.args[1], scene), mask, self.move)
        return self.moved(mask, self.shape.beside)

    def op_rows(self, op: Op, scene: Scene) -> Value:
        return self._band(op, scene, 0)

    def op_columns(self, op: Op, scene: Scene) -> Value:
        return self._band(op, scene, 1)

    def _band(self, op: Op, scene: Scene, axis: int) -> Value:
        """The cells of a band: those up to its high end without those below its low end."""
        low, high = (self.value(a, scene) for a in op.args)
        if low.known is not None and high.known is not None:
            return self.b.m(self._below(axis, high.known + 1) & ~self._below(axis, low.known))
        places = [place[axis] for place in self.program.topology.coordinates]
        first, end = min(places), max(places) + 1
        table = Table("m", tuple(self._below(axis, k) for k in range(first, end + 1)))

        def below(bound: Value) -> Value:
            cut = self.b.op("imin", self.b.op("imax", bound, self.b.i(first)), self.b.i(end))
            return self.b.op("mlook", self.b.op("isub", cut, self.b.i(first)), detail=table)

        top = self.b.op("imin", high, self.b.i(end))
        return self.b.op("mless", below(self.b.op("iadd", top, self.b.i(1))), below(low))

    def _below(self, axis: int, bound: int) -> int:
        places = enumerate(self.program.topology.coordinates)
        return sum(1 << cell for cell, place in places if place[axis] < bound)

    def op_count(self, op: Op, scene: Scene) -> Value:
        return self.b.op("mcount", self.value(op.args[0], scene))

    def op_any(self, op: Op, scene: Scene) -> Value:
        return self.some(op.args[0], scene)

    def op_none(self, op: Op, scene: Scene) -> Value:
        return self.b.op("fnot", self.some(op.args[0], scene))

    def some(self, op: Op, scene: Scene) -> Value:
        """Whether a set has any cell at all."""
        return self.b.op("many", self.value(op, scene))

    def op_first(self, op: Op, scene: Scene) -> Value:
        return self._end(op, scene, "mfirst")

    def op_last(self, op: Op, scene: Scene) -> Value:
        return self._end(op, scene, "mlast")

    def _end(self, op: Op, scene: Scene, name: str) -> Value:
        mask = self.value(op.args[0], scene)
        there = self.b.op("many", mask)
        self.fail_unless(there)
        cell = self.b.choose(there, lambda: self.b.op(name, mask), lambda: self.b.i(0))
        self._there.add(cell)
        return cell

    def op_member(self, op: Op, scene: Scene) -> Value:
        cell, cells = (self.value(a, scene) for a in op.args)
        return self.is_in(cell, cells)

    def is_in(self, cell: Value, cells: Value) -> Value:
        if self.there(cell):
            return self.b.op("mhas", cells, cell)
        return self.b.op("many", self.b.op("mand", cells, self.b.op("mcell", cell)))

    def op_inside(self, op: Op, scene: Scene) -> Value:
        left, right = (self.value(a, scene) for a in op.args)
        return self.b.op("fnot", self.b.op("many", self.b.op("mless", left, right)))

    def op_has_direction(self, op: Op, scene: Scene) -> Value:
        direction, directions = (self.value(a, scene) for a in op.args)
        return self._has_direction(direction, directions)

    def _has_direction(self, direction: Value, directions: Value) -> Value:
        if direction.known is not None and directions.known is not None:
            return self.b.f(bool(directions.known >> direction.known & 1))
        bit = self.b.op("ishr", directions, direction)
        return self.b.op("ieq", self.b.op("iand", bit, self.b.i(1)), self.b.i(1))

    def op_at(self, op: Op, scene: Scene) -> Value:
        row, column = (self.value(a, scene) for a in op.args)
        places = {p: c for c, p in enumerate(self.program.topology.coordinates)}
        bounds = [(min(p[i] for p in places), max(p[i] for p in places)) for i in (0, 1)]
        (top, bottom), (left, right) = bounds
        table = Table(
            "i",
            tuple(
                places.get((r, c), -1)
                for r in range(top, bottom + 1)
                for c in range(left, right + 1)
            ),
        )
        on = self.b.op("fand", self._between(row, top, bottom), self._between(column, left, right))

        def look() -> Value:
            line = self.b.op(
                "imul", self.b.op("isub", row, self.b.i(top)), self.b.i(right - left + 1)
            )
            index = self.b.op("iadd", line, self.b.op("isub", column, self.b.i(left)))
            return self.b.op("ilook", index, detail=table)

        cell = self.b.choose(on, look, lambda: self.b.i(-1))
        self.fail_unless(self.b.op("ile", self.b.i(0), cell))
        return cell

    def _between(self, value: Value, low: int, high: int) -> Value:
        above = self.b.op("ile", self.b.i(low), value)
        return self.b.op("fand", above, self.b.op("ile", value, self.b.i(high)))

    def op_row(self, op: Op, scene: Scene) -> Value:
        return self._place(op, scene, self.shape.coordinate(0, False))

    def op_column(self, op: Op, scene: Scene) -> Value:
        return self._place(op, scene, self.shape.coordinate(1, False))

    def op_screen_row(self, op: Op, scene: Scene) -> Value:
        return self._place(op, scene, self.shape.coordinate(0, True))

    def op_screen_column(self, op: Op, scene: Scene) -> Value:
        return self._place(op, scene, self.shape.coordinate(1, True))

    def _place(self, op: Op, scene: Scene, table: Table) -> Value:
        cell = self.value(op.args[0], scene)
        if cell.known is not None and cell.known >= 0:
            return self.b.i(table.items[cell.known])
        if not self.there(cell):
            on = self.b.op("ile", self.b.i(0), cell)
            self.fail_unless(on)
            cell = self.b.op("imax", cell, self.b.i(0))
        return self.b.op("ilook", cell, detail=table)

    def op_just(self, op: Op, scene: Scene) -> Value:
        direction = self.value(op.args[0], scene)
        return self.b.op("ishl", self.b.i(1), direction)

    def op_all_directions(self, op: Op, scene: Scene) -> Value:
        result = self.b.i(0)
        for arg in op.args:
            value = self.value(arg, scene)
            if value.known is not None and result.known is not None:
                result = self.b.i(value.known | result.known)
            else:
                result = self.b.op("ior", result, value)
        return result

    def op_opposite(self, op: Op, scene: Scene) -> Value:
        directions = self.value(op.args[0], scene)
        if directions.known is not None:
            return self.b.i(self.shape.opposite(directions.known))
        result = self.b.i(0)
        for d in cells_of(self.shape.every):
            on = self._has_direction(self.b.i(d), directions)
            turned = self.b.i(self.shape.opposite(1 << d))
            result = self.b.op("ior", result, self.b.op("pick", on, turned, self.b.i(0)))
        return result
