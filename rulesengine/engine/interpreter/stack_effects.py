"""The semantics of effects on stacks of pieces. See decision 163."""

from collections.abc import Callable, Sequence
from typing import Any

from rulesengine.board.geometry import Geometry, bits
from rulesengine.engine.interpreter.frame import Draft, Frame, plane_at
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.state import StackForm


class StackEffects:
    """The effects on stacks of an executor of effects.

    A cell has a column of planes from the bottom to the top. The upper piece is in the planes of
    the draft, the others are in its registers.
    """

    program: Program
    geometry: Geometry
    sides: int
    evaluate: Callable[[Op, Frame], Any]
    fail: Callable[[Op, str], EvaluationError]

    def plane(self, kind: int, side: int) -> int:
        """Return the plane of a kind and a side."""
        raise NotImplementedError

    def op_lay(self, op: Op, frame: Frame) -> None:
        kind, side, cells = (self.evaluate(a, frame) for a in op.args)
        if not cells:
            return
        plane, draft = self.plane(kind, side), _draft(frame)
        for cell in bits(cells):
            column = self._column(frame, cell)
            self._write(op, draft, cell, _joined(op, [plane], column))
        draft.placed |= cells

    def op_unstack(self, op: Op, frame: Frame) -> None:
        number, cells = (self.evaluate(a, frame) for a in op.args)
        draft = _draft(frame)
        self._require_some(op, number)
        for cell in bits(cells) if number else ():
            column = self._column(frame, cell)
            if column:
                draft.removed |= 1 << cell
                is_own = column[-1] % (self.sides + 1) == frame.variables["player"]
                draft.captured |= 0 if is_own else 1 << cell
                self._write(op, draft, cell, column[: max(len(column) - number, 0)])

    def op_carry_stack(self, op: Op, frame: Frame) -> None:
        number, origin, target = (self.evaluate(a, frame) for a in op.args)
        if origin < 0 or target < 0:
            raise self.fail(op, "a cell off the board")
        self._carry(op, frame, number, origin, target)

    def op_sow(self, op: Op, frame: Frame) -> None:
        pattern, cell, direction = (self.evaluate(a, frame) for a in op.args)
        digits = [int(digit) for digit in str(pattern)] if pattern > 0 else []
        if not all(digits) or not digits:
            raise self.fail(op, f"pieces are laid by the digits 1 to 9, found {pattern}")
        left = sum(digits)
        for digit in digits:
            target = self.geometry.targets[direction][cell] if cell >= 0 and direction >= 0 else -1
            if target < 0:
                raise self.fail(op, "a cell off the board")
            self._carry(op, frame, left, cell, target)
            left, cell = left - digit, target

    def _carry(self, op: Op, frame: Frame, number: int, origin: int, target: int) -> None:
        """Carry so many upper pieces of a cell to another, in their order."""
        draft, column = _draft(frame), self._column(frame, origin)
        self._require_some(op, number)
        if not number or not column or origin == target:
            return
        left = max(len(column) - number, 0)
        onto = self._column(frame, target)
        self._write(op, draft, target, _joined(op, column[left:], onto))
        self._write(op, draft, origin, column[:left])
        draft.moved |= 1 << target

    def _require_some(self, op: Op, number: int) -> None:
        if number < 0:
            raise self.fail(op, f"{number} pieces")

    def _column(self, frame: Frame, cell: int) -> list[int]:
        """Return the planes of the pieces on a cell, from the bottom to the top."""
        upper = plane_at(frame, cell)
        under = self._stacks.under(cell, frame.at.registers)
        return [*under, upper] if upper >= 0 else []

    def _write(self, op: Op, draft: Draft, cell: int, column: Sequence[int]) -> None:
        stacks, name = self._stacks, self.program.topology.names[cell]
        if len(column) > stacks.height.high:
            problem = f"{len(column)} pieces on `{name}`, a stack has at most {stacks.height.high}"
            raise self.fail(op, problem)
        for plane in column[:-1]:
            if plane not in stacks.codes:
                kind = self.program.rules.kinds[plane // (self.sides + 1)].name
                raise self.fail(op, f"a piece on a `{kind}` on `{name}`")
        for plane, mask in enumerate(draft.planes):
            is_upper = bool(column) and plane == column[-1]
            draft.planes[plane] = mask & ~(1 << cell) | is_upper << cell
        stacks.write(draft.registers, cell, column)

    @property
    def _stacks(self) -> StackForm:
        stacks = self.program.form.stacks
        assert stacks is not None
        return stacks


def _joined(op: Op, pieces: Sequence[int], column: Sequence[int]) -> list[int]:
    """Return a column with pieces on top of it, or under it."""
    is_under = isinstance(op.value, tuple) and op.value[0] == "under"
    return [*pieces, *column] if is_under else [*column, *pieces]


def _draft(frame: Frame) -> Draft:
    draft = frame.at
    assert isinstance(draft, Draft)
    return draft
