"""The definition of what a program means: clear rather than fast; kernels are tested against it."""

from rulesengine.engine.interpreter.machine import DECIDED, JUDGE, LAST_MOVE, Decision, Interpreter
from rulesengine.engine.interpreter.memo import KEPT, marked
from rulesengine.engine.interpreter.script_operations import padded, shown

__all__ = [
    "DECIDED",
    "JUDGE",
    "KEPT",
    "LAST_MOVE",
    "Decision",
    "Interpreter",
    "marked",
    "padded",
    "shown",
]
