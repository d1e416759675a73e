"""Runs and slides as kernel code."""

from collections.abc import Callable

from rulesengine.ir.ops import Op
from rulesengine.kernel.cells import Cells
from rulesengine.kernel.code import Value
from rulesengine.kernel.position import Scene
from rulesengine.kernel.shape import cells_of


class Rays(Cells):
    """Adds what works along rays."""

    def op_slide(self, op: Op, scene: Scene) -> Value:
        start, directions, through = (self.value(a, scene) for a in op.args)
        return self.along(directions, start, lambda s, d: self._slide(s, d, through))

    def _slide(self, start: Value, directions: int, through: Value) -> Value:
        rays = self.shape.rays(directions)
        if not rays.cells:
            return self.b.m(0)
        if not rays.cyclic:
            return self.b.op("mslide", start, through, detail=rays)
        # A line that comes round: as far as `through` goes, but never back to the start.
        blocked = self.b.op("mnot", through)
        whole = self.b.m(self.b.full)

        def one(cell: Value) -> Value:
            found = self.b.m(0)
            for d in cells_of(directions):
                found = self.b.op("mor", found, self._slide_one(cell, d, through, blocked, whole))
            return found

        return self.union_over(start, one)

    def _slide_one(
        self, cell: Value, direction: int, through: Value, blocked: Value, whole: Value
    ) -> Value:
        """Step by step, at most once round."""
        found, at = self.b.let(self.b.m(0)), self.b.let(self.b.op("mcell", cell))
        start = self.b.op("mcell", cell)
        moves = self.shape.step(1 << direction)

        def on() -> None:
            new = self.b.op(
                "mless", self.b.op("mand", self.moved(self.b.get(at), moves), through), start
            )
            so_far = self.b.get(found)
            new = self.b.op("mless", new, so_far)
            self.b.when(self.b.op("fnot", self.b.op("many", new)), self.b.leave)
            self.b.set(found, self.b.op("mor", so_far, new))
            self.b.set(at, new)

        self.b.loop(on)
        return self.b.get(found)

    def op_run(self, op: Op, scene: Scene) -> Value:
        start_op = op.args[0]
        over, until, low, high = (self.value(a, scene) for a in op.args[1:5])
        directions = self.directions(op, 5, scene)

        def one(cell: Value, ways: int) -> Value:
            rays = self.shape.rays(ways)
            if not rays.cells:
                return self.b.m(0)
            sets = (over, until)
            if not rays.cyclic:  # then no ray of a cell meets this cell
                sets = (self.b.apart_from(over, cell), self.b.apart_from(until, cell))
            return self.b.op("mbetween", cell, *sets, low, high, detail=rays)

        if start_op.name == "single":
            cell = self.value(start_op.args[0], scene)
            return self.along(directions, cell, one)
        start = self.value(start_op, scene)
        return self.along(
            directions, start, lambda s, d: self.union_over(s, lambda cell: one(cell, d))
        )

    def directions(self, op: Op, index: int, scene: Scene) -> Value:
        """The directions of an argument that may be left out."""
        if len(op.args) > index:
            return self.value(op.args[index], scene)
        return self.b.i(self.shape.every)

    def union_over(self, mask: Value, work: Callable[[Value], Value]) -> Value:
        """The union of what is made of each cell of a set."""
        total = self.b.let(self.b.m(0))

        def add(cell: Value) -> None:
            self.b.set(total, self.b.op("mor", self.b.get(total), work(cell)))

        self.each_cell(mask, add)
        return self.b.get(total)
