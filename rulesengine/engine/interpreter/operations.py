"""The base of operation groups: classes with a method `op_NAME` for each of their operations."""

from typing import Any

from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.language.ir.ops import Op


class Operations:
    """A group of operations, with the functions of the evaluator that they call."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.program = evaluator.program
        self.geometry = evaluator.geometry
        self.sides = evaluator.sides
        self.slots = evaluator.slots
        # Bound methods: an attribute of the evaluator would cost a lookup at each operation.
        self.value = evaluator.value
        self.evaluate = evaluator.evaluate
        self.domain = evaluator.domain
        self.checked = evaluator.checked
        self.fail = evaluator.fail
        self.player = evaluator.player

    def _one(self, op: Op, frame: Frame) -> Any:
        return self.value(op.args[0], frame)

    def _two(self, op: Op, frame: Frame) -> tuple[Any, Any]:
        return self.value(op.args[0], frame), self.value(op.args[1], frame)
