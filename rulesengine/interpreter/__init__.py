"""The definition of what a program means: clear rather than fast; kernels are tested against it."""

from rulesengine.interpreter.machine import DECIDED, JUDGE, LAST_MOVE, Decision, Interpreter
from rulesengine.interpreter.once import KEPT, marked
from rulesengine.interpreter.scripted import padded, shown

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
