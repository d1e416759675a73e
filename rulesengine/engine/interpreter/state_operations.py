"""The semantics of operations on variables, the state and the sides, one method each."""

from typing import Any

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.frame import Draft, Frame, LowerPosition, occupied, plane_at
from rulesengine.engine.interpreter.operations import Operations
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op
from rulesengine.state import CellNumbers, compared


class StateOperations(Operations):
    """Operations that read variables, the state and the sides."""

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
        key = compared(self.program.form, planes, frame.at.registers), frame.at.side
        return len(history) - history.index(key) if key in history else 0

    def op_met(self, op: Op, frame: Frame) -> int:
        """True if this or an earlier position has the given numbers of pieces on each plane."""
        counts = [self.value(a, frame) for a in op.args]
        sides = [i for i, symbol in enumerate(self.program.form.symbols) if symbol]
        boards = [planes for planes, _ in frame.at.history] + [tuple(frame.at.planes)]
        return int(any([b[i].bit_count() for i in sides] == counts for b in boards))

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

    def op_by_kind(self, op: Op, frame: Frame) -> Any:
        kind = self._one(op, frame)
        if kind < 0 and len(op.args) == len(self.program.rules.kinds) + 1:
            raise self.fail(op, "no kind of piece")
        return self.value(op.args[1 + kind] if kind >= 0 else op.args[-1], frame)

    def op_before(self, op: Op, frame: Frame) -> Any:
        """Return the value in the state before the move."""
        assert isinstance(frame.at, Draft | LowerPosition)
        return self.evaluate(op.args[0], Frame(frame.at.before, frame.variables))

    def op_below(self, op: Op, frame: Frame) -> Any:
        """Return the value with so many upper pieces taken off each stack."""
        number, stacks, at = self.value(op.args[0], frame), self.program.form.stacks, frame.at
        assert stacks is not None
        if number <= 0:
            return self.value(op.args[1], frame)
        planes, registers = [0] * len(at.planes), list(at.registers)
        for cell in bits(occupied(frame)):
            left = stacks.under(cell, at.registers)
            left = left[: max(len(left) - number + 1, 0)]
            if left:
                planes[left[-1]] |= 1 << cell
            stacks.write(registers, cell, left)
        lower: Any = LowerPosition(at, planes, registers)
        return self.evaluate(op.args[1], Frame(lower, frame.variables))

    def op_chosen(self, op: Op, frame: Frame) -> Any:
        return self.value(op.args[1 + self._one(op, frame)], frame)
