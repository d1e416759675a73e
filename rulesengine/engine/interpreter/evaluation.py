"""Evaluation of operations by the methods of their names, with common subexpressions memoised."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulesengine.board.geometry import Geometry
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.memo import repeated
from rulesengine.errors import EvaluationError, InternalError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program

Method = Callable[[Op, Frame], Any]


class Asking:
    """Evaluates operations in a frame; subclasses define an `op_` method for each operation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.geometry = Geometry(program.topology)
        self.sides = len(program.rules.players)
        self.slots = dict(program.slots)
        self._each = {r.name for r in program.rules.registers if r.each}
        self._methods: dict[str, Method] = {
            name[3:]: getattr(self, name) for name in dir(self) if name.startswith("op_")
        }

    def ask(self, op: Op, frame: Frame) -> Any:
        """Evaluate a whole expression; common subexpressions are evaluated once."""
        return self.value(op, frame.asked())

    def value(self, op: Op, frame: Frame) -> Any:
        kept = frame.kept
        if kept is None or id(op) not in self._repeated:
            return self._worked_out(op, frame)
        if id(op) not in kept:
            kept[id(op)] = self._worked_out(op, frame)
        return kept[id(op)]

    @cached_property
    def _repeated(self) -> frozenset[int]:
        return repeated(self.program.rules)

    def _worked_out(self, op: Op, frame: Frame) -> Any:
        method = self._methods.get(op.name)
        if method is None:
            raise InternalError(f"no meaning for {op.name}")
        return method(op, frame)

    def fail(self, op: Op, what: str) -> EvaluationError:
        """Return the error of an operation with its place in the spec."""
        value = op.value[-1] if isinstance(op.value, tuple) else op.value
        if value is None or value == "":
            return EvaluationError(what)
        site = self.program.rules.sites[int(value)]
        return EvaluationError(f"{site.file}:{site.line}:{site.column}: {what} in `{site.text}`")

    def player(self, side: int, what: str) -> int:
        """Return the side if it is a player. Raises EvaluationError that names `what`."""
        if not 0 <= side < self.sides:
            raise EvaluationError(f"{what} of a player that is not there")
        return side

    def _two(self, op: Op, frame: Frame) -> tuple[Any, Any]:
        return self.value(op.args[0], frame), self.value(op.args[1], frame)

    def _one(self, op: Op, frame: Frame) -> Any:
        return self.value(op.args[0], frame)
