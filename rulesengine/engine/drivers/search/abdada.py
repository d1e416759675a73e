"""Simplified ABDADA, as drivers: a thread defers a move that another thread is searching.

A thread writes the hash of a move to a shared table before it searches the move, and removes it
afterwards. A move is deferred if its hash is present until all others are searched; by then the
transposition table may have its value. ABDADA is by Weill ("The ABDADA distributed minimax search
algorithm", ICCA Journal 19, 1996), the simplification by Tom Kerrigan. A hash overwritten by a
collision only costs time. See decision 068.
"""

from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_word,
    signed,
    store,
    store_word,
    words_equal,
)
from rulesengine.engine.drivers.random import mix, word, wrap_add
from rulesengine.engine.drivers.search.layout import BUSY_AT, BUSY_SLOTS, ROOT


def busy_key(key: Word, number: int) -> Word:
    """Return the hash of a move in a position."""
    return mix(wrap_add(key, word(number)))


def busy_slot(move_key: Word, own: Memory) -> int:
    return load(own, BUSY_AT) + (signed(move_key) & BUSY_SLOTS - 1)


def is_busy(move_key: Word, own: Memory, table: Memory) -> bool:
    """True if some thread is searching a move."""
    return words_equal(load_word(table, busy_slot(move_key, own)), move_key)


def mark_busy(move_key: Word, own: Memory, table: Memory) -> int:
    """Mark a move as being searched; return the address of its hash."""
    at = busy_slot(move_key, own)
    store_word(table, at, move_key)
    return at


def clear_busy(move_key: Word, own: Memory, table: Memory) -> int:
    """Remove the mark of a move; return the address."""
    at = busy_slot(move_key, own)
    if words_equal(load_word(table, at), move_key):
        store_word(table, at, word(0))
    return at


def part(key: Word, turn: int, count: int, own: Memory, table: Memory) -> int:
    """Make the first root move that no thread is searching, from a turn on, the next one; return
    its number.

    If all are being searched, the order stays the same.
    """
    for _ in range(turn, count):
        number = load(own, ROOT + turn)
        if not is_busy(busy_key(key, number), own, table):
            return number
        for place in range(turn, count - 1):
            store(own, ROOT + place, load(own, ROOT + place + 1))
        store(own, ROOT + count - 1, number)
    return load(own, ROOT + turn)
