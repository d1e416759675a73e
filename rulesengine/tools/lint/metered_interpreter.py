"""An interpreter with an operation limit.

The count is the same on every machine, so the findings do not depend on its speed.
"""

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.evaluator import ObservedEvaluator
from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Strategy
from rulesengine.notation.move_text import Writer
from rulesengine.state import State, Step

Steps = tuple[Step, ...]


class OperationLimit(BaseException):
    """The operation limit is exceeded; not an Exception, which the rules' handlers might catch."""


class MeteredInterpreter(Interpreter):
    """An interpreter that raises OperationLimit after `remaining` operations, weighted by board
    size.
    """

    def __init__(self, program: Program, left: int) -> None:
        super().__init__(program, ObservedEvaluator(program, self._spend))
        self.remaining = left
        self.writer = Writer(program, Fields(program).value)
        self._each_costs = 1 + program.topology.cells // 128

    def tied(self, state: State, moves: tuple[Steps, ...], strategy: Strategy) -> list[Steps]:
        """Return the moves between which a strategy does not decide, its own choice first."""
        return self.selector.best(state, moves, strategy.keys, {})

    def _spend(self, op: Op) -> None:
        self.remaining -= self._each_costs
        if self.remaining < 0:
            raise OperationLimit
