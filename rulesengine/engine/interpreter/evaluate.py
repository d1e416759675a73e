"""The semantics of the operations that return a value, one method each."""

from collections.abc import Callable
from typing import Any

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.scalars import Scalars
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Route
from rulesengine.state import CellNumbers, compared
from rulesengine.support.limits import MAX_ROUNDS

Method = Callable[[Op, Frame], Any]


class Evaluator(Scalars):
    """Evaluates operations; `Interpreter` adds those that read moves and outcomes."""

    # values and variables

    def op_literal(self, op: Op, frame: Frame) -> Any:
        return op.value

    def op_variable(self, op: Op, frame: Frame) -> Any:
        name = str(op.value)
        if name not in frame.variables:
            raise EvaluationError(f"`{name}` has no value yet")
        return frame.variables[name]

    # the state

    def op_mover(self, op: Op, frame: Frame) -> int:
        return frame.at.side

    def op_empty(self, op: Op, frame: Frame) -> int:
        return self.geometry.mask & ~occupied(frame)

    def op_owned(self, op: Op, frame: Frame) -> int:
        side = self._one(op, frame)
        mask = 0
        if side >= 0:
            for plane in range(side, len(frame.at.planes), self.sides + 1):
                mask |= frame.at.planes[plane]
        return mask

    def op_of_kind(self, op: Op, frame: Frame) -> int:
        kind = self._one(op, frame)
        if kind < 0:
            return 0
        first, mask = kind * (self.sides + 1), 0
        for plane in range(first, first + self.sides + 1):
            mask |= frame.at.planes[plane]
        return mask

    def op_register(self, op: Op, frame: Frame) -> int:
        slot = self.slots[str(op.value)]
        if op.args:
            slot += self.player(self._one(op, frame), f"`{op.value}`")
        return frame.at.registers[slot]

    def op_number_at(self, op: Op, frame: Frame) -> int:
        cell = self._one(op, frame)
        if cell < 0:
            raise self.fail(op, "a cell off the board")
        return self._numbers(op).at(cell, frame.at.registers)

    def op_cells_with(self, op: Op, frame: Frame) -> int:
        low, high = self._two(op, frame)
        numbers, registers = self._numbers(op), frame.at.registers
        cells = range(self.program.topology.cells)
        return sum(1 << cell for cell in cells if low <= numbers.at(cell, registers) <= high)

    def op_total(self, op: Op, frame: Frame) -> int:
        numbers, registers = self._numbers(op), frame.at.registers
        return sum(numbers.at(cell, registers) for cell in bits(self._one(op, frame)))

    def _numbers(self, op: Op) -> CellNumbers:
        name = op.value[0] if isinstance(op.value, tuple) else op.value
        return next(n for n in self.program.form.numbers if n.name == name)

    def op_owner(self, op: Op, frame: Frame) -> int:
        plane = plane_at(frame, self._one(op, frame))
        owner = plane % (self.sides + 1)
        return -1 if plane < 0 or owner == self.sides else owner

    def op_kind_at(self, op: Op, frame: Frame) -> int:
        plane = plane_at(frame, self._one(op, frame))
        return -1 if plane < 0 else plane // (self.sides + 1)

    def op_plies(self, op: Op, frame: Frame) -> int:
        return frame.at.registers[-1]

    def op_repeats(self, op: Op, frame: Frame) -> int:
        planes, side = tuple(frame.at.planes), frame.at.side
        if op.value == "board":
            return sum(1 for b, _ in frame.at.history if b[: len(planes)] == planes)
        position = compared(self.program.form, planes, frame.at.registers)
        return frame.at.history.count((position, side))

    def op_age(self, op: Op, frame: Frame) -> int:
        """Return the number of positions since the first equal one, 0 if there is none."""
        history, planes = frame.at.history, tuple(frame.at.planes)
        here = compared(self.program.form, planes, frame.at.registers), frame.at.side
        return len(history) - history.index(here) if here in history else 0

    def op_met(self, op: Op, frame: Frame) -> int:
        """True if this or an earlier position has the given numbers of pieces on each plane."""
        counts = [self.value(a, frame) for a in op.args]
        kept = [i for i, symbol in enumerate(self.program.form.symbols) if symbol]
        boards = [planes for planes, _ in frame.at.history] + [tuple(frame.at.planes)]
        return int(any([b[i].bit_count() for i in kept] == counts for b in boards))

    # sides

    def op_next(self, op: Op, frame: Frame) -> int:
        return (self.player(self._one(op, frame), "`next`") + 1) % self.sides

    def op_by_side(self, op: Op, frame: Frame) -> Any:
        side = self._one(op, frame)
        values = op.args[1:]
        if not 0 <= side < self.sides:
            if len(values) > self.sides:
                return self.value(values[-1], frame)
            raise self.fail(op, "a player that is not there")
        return self.value(values[side], frame)

    def op_chosen(self, op: Op, frame: Frame) -> Any:
        return self.value(op.args[1 + self._one(op, frame)], frame)

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

    def op_rows(self, op: Op, frame: Frame) -> int:
        return self.geometry.band(0, *self._two(op, frame))

    def op_columns(self, op: Op, frame: Frame) -> int:
        return self.geometry.band(1, *self._two(op, frame))

    # each

    def op_each(self, op: Op, frame: Frame) -> Any:
        assert isinstance(op.value, tuple)
        function, variable, domain, _ = op.value
        body, outer = op.args[1], frame.variables
        inner = Frame(frame.at, dict(outer), frame.step, frame.results)

        def at(value: int) -> Any:
            inner.variables[variable] = value
            inner.kept = {}
            return self.value(body, inner)

        if function == "reach":
            return self._reached(self._one(op, frame), domain, at)
        return self._fold(op, function, self.domain(domain, op.args[0], frame), at)

    def _reached(self, start: int, domain: str, at: Callable[[int], int]) -> int:
        """Return the closure of a start under a step function of a cell or of a whole frontier."""
        reached, seen, left = 0, start, start
        while left:
            taken = left if domain == "frontier" else left & -left
            found = at(taken if domain == "frontier" else taken.bit_length() - 1)
            reached |= found
            left = left & ~taken | found & ~seen
            seen |= found
        return reached

    def domain(self, domain: str, op: Op, frame: Frame) -> "list[int] | range":
        if domain == "numbers":
            low, high = self._two(op, frame)
            return range(low, high + 1)
        value = self.value(op, frame)
        if domain == "track":
            return value  # type: ignore[no-any-return]
        if domain == "sides":
            return range(value)
        if domain == "list":
            return list(value)
        return self.geometry.groups(value) if domain == "groups" else bits(value)

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

    def _fold(
        self, op: Op, function: str, values: "list[int] | range", at: Callable[[int], Any]
    ) -> Any:
        match function:
            case "where":
                return sum(1 << v for v in values if at(v))
            case "any":
                return int(any(at(v) for v in values))
            case "every":
                return int(all(at(v) for v in values))
            case "none":
                return int(not any(at(v) for v in values))
            case "count":
                return sum(1 for v in values if at(v))
            case "union":
                mask = 0
                for v in values:
                    mask |= at(v)
                return mask
            case "sum":
                total = 0
                for v in values:
                    total = self.checked(op, total + at(v))
                return total
        found = [at(v) for v in values]
        if not found:
            raise self.fail(op, f"the {function} of nothing")
        return min(found) if function == "least" else max(found)

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


def occupied(frame: Frame) -> int:
    """Return the cells with a piece."""
    mask = 0
    for plane in frame.at.planes:
        mask |= plane
    return mask


def plane_at(frame: Frame, cell: int) -> int:
    """Return the plane of the piece on a cell, or -1."""
    if cell >= 0:
        for plane, mask in enumerate(frame.at.planes):
            if mask >> cell & 1:
                return plane
    return -1
