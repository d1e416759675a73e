"""Hashes of moves for history heuristics and AMAF statistics."""

from rulesengine.engine.drivers.memory import Word
from rulesengine.engine.drivers.random import fold, high_word, word
from rulesengine.support.words import ORIGIN, TARGET

# Bit offsets of the parts of a packed move.
LAST, CHOICE = 32, 46


def move_key(first: int, last: int, choice: int) -> Word:
    """Return the hash of a move: its first step, its last step and the choice of the last step."""
    return fold(fold(fold(word(0), first), last), choice)


def move_place(first: int, last: int, choice: int, places: int) -> int:
    """Return an index below `places`, hashed from a move's cells: origin and target of the first
    step, target of the last step, and its choice.
    """
    cells = (first >> ORIGIN) + (last >> TARGET << LAST) + (choice << CHOICE)
    return high_word(fold(word(0), cells), places)


def target_place(last: int, places: int) -> int:
    """Return the target cell as an index, for moves that the target identifies: it has no
    collisions.
    """
    return min(last >> TARGET, places - 1)
