"""The translator from drivers, which are functions in a subset of Python, to kernel code.

A driver is a module-level function with annotations. Its parameters are a game (`Functions`) if it
needs one, at most one state, and any numbers (`int`, 64 bits), flags (`bool`), words (`Word`) and
memories. A flag annotated as `memory.StaticFlag` is a literal at each call, and the driver is
compiled once for each value. A parameter may also be a frozen record of numbers, flags, words and
memories; the translator replaces it by its fields (scalar replacement). Records are read by field,
passed on, or constructed. The result is a number, flag, word or state, or a tuple of these.
Statements are assignments, `if`, `while`, `for` over a range or over moves, calls of drivers
(recursion included) and calls of the game's operations. Moves come from `game.legal(state)`, which
is a statement of its own; they are iterated or indexed. A `raise` makes the entry point fail.

See decision 019.
"""

from rulesengine.engine.kernel.translate.entry import driver_entry
from rulesengine.engine.kernel.translate.reader import read

__all__ = ["driver_entry", "read"]
