"""Drivers, which are functions in a subset of Python, made into kernel code: source to builder.

A driver is a function of a module, with annotations: a game first (`drivers.Functions`), if it
needs one, at most one state, then numbers (`int`, 64 bits), flags (`bool`) and words
(`drivers.Word`). A flag that is `memory.Known` is written where the driver is called, and there is
code for either. Its result is one of these or a tuple of them. It may assign, branch (`if`),
loop (`while`, `for` over a range or over moves), call drivers, itself too, and ask the game's
operations. Moves come of `game.legal(state)`, which has a statement for itself, and are gone
through or taken by number. Where it raises, its entry point fails.
"""

from rulesengine.engine.kernel.translate.entry import driver_entry
from rulesengine.engine.kernel.translate.reader import read

__all__ = ["driver_entry", "read"]
