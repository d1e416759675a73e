"""Values that follow from a step, the board and the parameters: no position is looked at."""

from functools import cached_property
from typing import Any

from rulesengine.engine.interpreter.evaluate import Evaluator
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.state import State


class Fields:
    """Evaluates what stands in the notation of one game."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def value(self, op: Op, variables: dict[str, Any]) -> Any:
        """The value of an operation; raises EvaluationError."""
        return self._evaluator.ask(op, Frame(self._nothing, variables))

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self._program)

    @cached_property
    def _nothing(self) -> State:
        return State((), 0, (), (), self._program.form)
