"""The definition of what a program means: clear rather than fast; kernels are tested against it."""

from rulesengine.interpreter.machine import DECIDED, LAST_MOVE, Interpreter

__all__ = ["DECIDED", "LAST_MOVE", "Interpreter"]
