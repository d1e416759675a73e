"""Kernel code as plain Python on integers: needs nothing, and reads as what is done."""

from rulesengine.kernel.python.engine import Compiled
from rulesengine.kernel.python.statements import source

__all__ = ["Compiled", "source"]
