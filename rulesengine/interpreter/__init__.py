"""The definition of what a program means: clear rather than fast; kernels are tested against it."""

from rulesengine.interpreter.machine import Interpreter

__all__ = ["Interpreter"]
