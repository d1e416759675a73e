"""Simplified ABDADA, as drivers: a thread defers a move that another thread is searching.

A thread writes the hash of a move to a shared table before it searches the move, and removes it
afterwards. A move whose hash is present is deferred until all others are searched; by then the
transposition table may have its value. ABDADA is by Weill ("The ABDADA distributed minimax search
algorithm", ICCA Journal 19, 1996), the simplification by Tom Kerrigan. A hash overwritten by a
collision only costs time.
"""

from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_word,
    same,
    signed,
    store,
    store_word,
)
from rulesengine.engine.drivers.random import mix, word, wrap_add
from rulesengine.engine.drivers.search.layout import ERRANDS, ERRANDS_AT, ROOT


def errand_of(key: Word, number: int) -> Word:
    """Return the hash of a move in a position."""
    return mix(wrap_add(key, word(number)))


def place_of_errand(errand: Word, own: Memory) -> int:
    return load(own, ERRANDS_AT) + (signed(errand) & ERRANDS - 1)


def is_under_way(errand: Word, own: Memory, table: Memory) -> bool:
    """True if some thread is searching a move."""
    return same(load_word(table, place_of_errand(errand, own)), errand)


def set_out(errand: Word, own: Memory, table: Memory) -> int:
    """Mark a move as being searched; return the address of its hash."""
    at = place_of_errand(errand, own)
    store_word(table, at, errand)
    return at


def come_back(errand: Word, own: Memory, table: Memory) -> int:
    """Remove the mark of a move; return the address."""
    at = place_of_errand(errand, own)
    if same(load_word(table, at), errand):
        store_word(table, at, word(0))
    return at


def part(key: Word, turn: int, count: int, own: Memory, table: Memory) -> int:
    """Make the first root move that no thread is searching, from a turn on, the next one; return
    its number.

    If all are being searched, the order stays the same.
    """
    for _ in range(turn, count):
        number = load(own, ROOT + turn)
        if not is_under_way(errand_of(key, number), own, table):
            return number
        for place in range(turn, count - 1):
            store(own, ROOT + place, load(own, ROOT + place + 1))
        store(own, ROOT + count - 1, number)
    return load(own, ROOT + turn)
