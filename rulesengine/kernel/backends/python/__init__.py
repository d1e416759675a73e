"""Kernel code as plain Python on integers: needs nothing, and reads as what is done."""

from rulesengine.kernel.backends.python.engine import Compiled
from rulesengine.kernel.backends.python.statements import source

__all__ = ["Compiled", "source"]
