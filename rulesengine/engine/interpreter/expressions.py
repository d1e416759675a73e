"""The operations on values that every evaluator has: variables, states, sets, loops, numbers."""

from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.loop_operations import LoopOperations
from rulesengine.engine.interpreter.scalar_operations import ScalarOperations
from rulesengine.engine.interpreter.set_operations import SetOperations
from rulesengine.engine.interpreter.state_operations import StateOperations


def add_value_operations(evaluator: Evaluator) -> None:
    """Add the operations that read no moves, outcomes or texts to an evaluator."""
    for operations in (ScalarOperations, StateOperations, SetOperations, LoopOperations):
        evaluator.add(operations(evaluator))
