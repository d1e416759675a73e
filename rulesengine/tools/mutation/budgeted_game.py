"""A game with an operation limit, for mutants that do not terminate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.evaluator import ObservedEvaluator
from rulesengine.game import Game
from rulesengine.language import parameters
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Rules
from rulesengine.language.lower import lower


class OperationLimit(BaseException):
    """The operation limit is exceeded; not an Exception, which the rules' handlers might catch."""


@dataclass(slots=True)
class EvaluationBudget:
    """The number of operations left, shared by several games."""

    remaining: int

    def spend(self, op: Op) -> None:
        """Count an evaluation. Raises OperationLimit if the budget is used up."""
        self.remaining -= 1
        if self.remaining < 0:
            raise OperationLimit


class BudgetedGame(Game):
    """A game with a budget of operations. Raises OperationLimit beyond it."""

    def __init__(
        self,
        rules: Rules,
        values: Mapping[str, int | str],
        tests: tuple[Any, ...],
        budget: EvaluationBudget,
    ) -> None:
        program = lower(rules, values)
        limited = Interpreter(program, ObservedEvaluator(program, budget.spend))
        super().__init__(rules, values, "interpreter", tests, limited)
        self.budget = budget

    def bind(self, /, **values: int | str | bool) -> "BudgetedGame":
        """Return the same game with other parameter values and the same budget."""
        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        return BudgetedGame(self.rules, bound, self.tests, self.budget)
