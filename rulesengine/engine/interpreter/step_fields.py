"""Evaluation of the fields in the notation of moves, which read no position."""

from functools import cached_property
from typing import Any

from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.expressions import add_value_operations
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.state import State


class Fields:
    """Evaluates the expressions in the notation of one game."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def value(self, op: Op, variables: dict[str, Any]) -> Any:
        """Return the value of an operation. Raises EvaluationError."""
        return self._evaluator.evaluate(op, Frame(self._nothing, variables))

    @cached_property
    def _evaluator(self) -> Evaluator:
        evaluator = Evaluator(self._program)
        add_value_operations(evaluator)
        return evaluator

    @cached_property
    def _nothing(self) -> State:
        return State((), 0, (), (), self._program.form)
