"""The semantics of operations on sets of cells and on tracks, one method each."""

from collections import Counter

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.operations import Operations
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Route
from rulesengine.language.ir.tallies import best_of, tally_of
from rulesengine.support.limits import MAX_ROUNDS


class SetOperations(Operations):
    """Operations that return sets of cells, or a property of a set, and those on tracks."""

    # sets of cells

    def op_and(self, op: Op, frame: Frame) -> int:
        mask = self.geometry.mask
        for arg in op.args:
            mask &= self.value(arg, frame)
        return mask

    def op_or(self, op: Op, frame: Frame) -> int:
        mask = 0
        for arg in op.args:
            mask |= self.value(arg, frame)
        return mask

    def op_minus(self, op: Op, frame: Frame) -> int:
        left, right = self._two(op, frame)
        return left & ~right  # type: ignore[no-any-return]

    def op_not(self, op: Op, frame: Frame) -> int:
        return self.geometry.mask & ~self._one(op, frame)  # type: ignore[no-any-return]

    def op_all_directions(self, op: Op, frame: Frame) -> int:
        return self.op_or(op, frame)

    def op_single(self, op: Op, frame: Frame) -> int:
        cell = self._one(op, frame)
        return 1 << cell if cell >= 0 else 0

    def op_shift(self, op: Op, frame: Frame) -> int:
        mask = self._one(op, frame)
        for arg in op.args[1:]:
            mask = self.geometry.shift(mask, self.value(arg, frame))
        return mask  # type: ignore[no-any-return]

    def op_neighbours(self, op: Op, frame: Frame) -> int:
        if len(op.args) > 1:
            return self.geometry.shift(*self._two(op, frame))
        return self.geometry.neighbours(self._one(op, frame))

    def op_slide(self, op: Op, frame: Frame) -> int:
        return self.geometry.slide(*(self.value(a, frame) for a in op.args))

    def op_run(self, op: Op, frame: Frame) -> int:
        return self.geometry.run(*(self.value(a, frame) for a in op.args))

    def op_slide_on(self, op: Op, frame: Frame) -> int:
        return self.geometry.slide_on(*(self.value(a, frame) for a in op.args))

    def op_run_on(self, op: Op, frame: Frame) -> int:
        return self.geometry.run(*(self.value(a, frame) for a in op.args), joined=True)

    def op_back(self, op: Op, frame: Frame) -> int:
        mask = self._one(op, frame)
        for arg in reversed(op.args[1:]):
            mask = self.geometry.back(mask, self.value(arg, frame))
        return mask  # type: ignore[no-any-return]

    def op_toward(self, op: Op, frame: Frame) -> int:
        return self.geometry.toward(*(self.value(a, frame) for a in op.args))

    def op_line(self, op: Op, frame: Frame) -> int:
        return self.geometry.line(*(self.value(a, frame) for a in op.args))

    def op_fill(self, op: Op, frame: Frame) -> int:
        return self.geometry.fill(*(self.value(a, frame) for a in op.args))

    def op_components(self, op: Op, frame: Frame) -> int:
        cells, free = self._two(op, frame)
        return self.geometry.components(cells, free, str(op.value))

    def op_large_groups(self, op: Op, frame: Frame) -> int:
        assert isinstance(op.value, tuple)
        selection, least = op.value
        return self.geometry.large_groups(self._one(op, frame), int(least), selection)

    def op_tally(self, op: Op, frame: Frame) -> int:
        tally, totals = tally_of(op), Counter[int]()
        for weight, arg in zip(tally.weights, op.args, strict=True):
            for cell in bits(self.value(arg, frame)):
                totals[cell] += weight
        cells = range(self.program.topology.cells)
        return sum(1 << cell for cell in cells if tally.has(totals[cell]))

    def op_best(self, op: Op, frame: Frame) -> int:
        order, weights = best_of(op)
        cells, *sets = (self.value(arg, frame) for arg in op.args)
        totals = {
            cell: sum(weight for weight, of in zip(weights, sets, strict=True) if of >> cell & 1)
            for cell in bits(cells)
        }
        wanted = (max if order == "most" else min)(totals.values(), default=0)
        return sum(1 << cell for cell, total in totals.items() if total == wanted)

    def op_rows(self, op: Op, frame: Frame) -> int:
        return self.geometry.band(0, *self._two(op, frame))

    def op_columns(self, op: Op, frame: Frame) -> int:
        return self.geometry.band(1, *self._two(op, frame))

    # from sets

    def op_count(self, op: Op, frame: Frame) -> int:
        return self._one(op, frame).bit_count()  # type: ignore[no-any-return]

    def op_any(self, op: Op, frame: Frame) -> int:
        return int(self._one(op, frame) != 0)

    def op_none(self, op: Op, frame: Frame) -> int:
        return int(self._one(op, frame) == 0)

    def op_first(self, op: Op, frame: Frame) -> int:
        mask = self._one(op, frame)
        if not mask:
            raise self.fail(op, "the first of nothing")
        return (mask & -mask).bit_length() - 1  # type: ignore[no-any-return]

    def op_last(self, op: Op, frame: Frame) -> int:
        mask = self._one(op, frame)
        if not mask:
            raise self.fail(op, "the last of nothing")
        return mask.bit_length() - 1  # type: ignore[no-any-return]

    def op_member(self, op: Op, frame: Frame) -> int:
        cell, cells = self._two(op, frame)
        return cells >> cell & 1 if cell >= 0 else 0

    def op_inside(self, op: Op, frame: Frame) -> int:
        left, right = self._two(op, frame)
        return int(left & ~right == 0)

    def op_has_direction(self, op: Op, frame: Frame) -> int:
        direction, directions = self._two(op, frame)
        return directions >> direction & 1  # type: ignore[no-any-return]

    # tracks

    def op_along(self, op: Op, frame: Frame) -> list[int]:
        track, cell, number, *skipped = (self.value(a, frame) for a in op.args)
        if number > MAX_ROUNDS:
            raise EvaluationError(f"more than {MAX_ROUNDS:,} cells of a track")
        route: Route = self.program.routes[track]
        return route.along(cell, number, *skipped or (0,))

    def op_further(self, op: Op, frame: Frame) -> int:
        track, cell, number = (self.value(a, frame) for a in op.args)
        route: Route = self.program.routes[track]
        return route.further(cell, number)

    def op_place_on(self, op: Op, frame: Frame) -> int:
        track, cell = self._two(op, frame)
        route: Route = self.program.routes[track]
        return route.place(cell) + 1 if route.place(cell) >= 0 else 0
