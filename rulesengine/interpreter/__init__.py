"""The definition of what a program means: clear rather than fast; kernels are tested against it."""

from rulesengine.interpreter.machine import DECIDED, LAST_MOVE, Interpreter
from rulesengine.interpreter.once import KEPT, marked

__all__ = ["DECIDED", "KEPT", "LAST_MOVE", "Interpreter", "marked"]
