"""The semantics of operations on cells, directions, numbers and flags, one method each."""

from typing import Any

from rulesengine.board.coordinates import label
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.operations import Operations
from rulesengine.language.ir.ops import Op


class ScalarOperations(Operations):
    """Operations on single values."""

    # cells and directions

    def op_at(self, op: Op, frame: Frame) -> int:
        cell = self.program.topology.cell_at(*self._two(op, frame))
        if cell is None:
            raise self.fail(op, "a cell off the board")
        return cell

    def _place(self, op: Op, frame: Frame, table: tuple[tuple[int, int], ...], axis: int) -> int:
        cell: int = self._one(op, frame)
        if cell < 0:
            raise self.fail(op, "a cell off the board")
        return table[cell][axis]

    def op_row(self, op: Op, frame: Frame) -> int:
        return self._place(op, frame, self.program.topology.coordinates, 0)

    def op_column(self, op: Op, frame: Frame) -> int:
        return self._place(op, frame, self.program.topology.coordinates, 1)

    def op_screen_row(self, op: Op, frame: Frame) -> int:
        return self._place(op, frame, self.program.topology.screen, 0) + 1

    def op_screen_column(self, op: Op, frame: Frame) -> int:
        return self._place(op, frame, self.program.topology.screen, 1) + 1

    def op_row_label(self, op: Op, frame: Frame) -> str:
        return label(self.op_row(op, frame), self.program.rules.notation.rows)

    def op_column_label(self, op: Op, frame: Frame) -> str:
        return label(self.op_column(op, frame), self.program.rules.notation.columns)

    def op_just(self, op: Op, frame: Frame) -> int:
        return 1 << self._one(op, frame)  # type: ignore[no-any-return]

    def op_opposite(self, op: Op, frame: Frame) -> int:
        return self.geometry.opposite(self._one(op, frame))

    def op_turned(self, op: Op, frame: Frame) -> int:
        return self.geometry.turned(*self._two(op, frame))

    def op_turned_one(self, op: Op, frame: Frame) -> int:
        direction, steps = self._two(op, frame)
        turns = self.geometry.turns
        return turns[int(steps) % len(turns)][int(direction)]

    # numbers

    def op_add(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        return self.checked(op, a + b)

    def op_subtract(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        return self.checked(op, a - b)

    def op_multiply(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        return self.checked(op, a * b)

    def op_divide(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        if b == 0:
            raise self.fail(op, "a division by zero")
        return self.checked(op, a // b)

    def op_modulo(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        if b == 0:
            raise self.fail(op, "a division by zero")
        return a % b  # type: ignore[no-any-return]

    def op_negative(self, op: Op, frame: Frame) -> int:
        return self.checked(op, -self._one(op, frame))

    def op_abs(self, op: Op, frame: Frame) -> int:
        return self.checked(op, abs(self._one(op, frame)))

    def op_smaller(self, op: Op, frame: Frame) -> int:
        return min(self.value(a, frame) for a in op.args)  # type: ignore[no-any-return]

    def op_greater(self, op: Op, frame: Frame) -> int:
        return max(self.value(a, frame) for a in op.args)  # type: ignore[no-any-return]

    # flags

    def op_both(self, op: Op, frame: Frame) -> int:
        return int(all(self.value(a, frame) for a in op.args))

    def op_either(self, op: Op, frame: Frame) -> int:
        return int(any(self.value(a, frame) for a in op.args))

    def op_deny(self, op: Op, frame: Frame) -> int:
        return 1 - self._one(op, frame)  # type: ignore[no-any-return]

    def op_equal(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        return int(a == b)

    def op_less(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        return int(a < b)

    def op_at_most(self, op: Op, frame: Frame) -> int:
        a, b = self._two(op, frame)
        return int(a <= b)

    def op_if(self, op: Op, frame: Frame) -> Any:
        test = self._one(op, frame)
        return self.value(op.args[1 if test else 2], frame)
