"""The transposition table, as drivers: two entries per bucket."""

from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_word,
    store,
    store_word,
    words_equal,
)
from rulesengine.engine.drivers.random import high_word, word, wrap_xor
from rulesengine.engine.drivers.search.layout import (
    AT_LEAST,
    BOUND_AT,
    DEPTH_AT,
    ENTRIES,
    EXACT,
    LARGE,
    MOVE_AT,
    WHOLE_AT,
)


def packed(value: int, bound: int, depth: int, is_exact: bool, move: int) -> int:
    """Return the second word of an entry."""
    low = value + LARGE + (bound << BOUND_AT) + (depth << DEPTH_AT)
    return low + (int(is_exact) << WHOLE_AT) + (move << MOVE_AT)


def probe_entry(key: Word, own: Memory, table: Memory) -> int:
    """Probe the table; return the second word of the entry of a position, 0 if there is none."""
    first = place_of(key, own)
    for at in range(2):
        data = load(table, first + 2 * at + 1)
        if data != 0 and words_equal(wrap_xor(load_word(table, first + 2 * at), word(data)), key):
            return data
    return 0


def place_of(key: Word, own: Memory) -> int:
    """Return the address of the bucket of a position."""
    return 4 * high_word(key, load(own, ENTRIES) // 2)


def store_entry(key: Word, data: int, own: Memory, table: Memory) -> int:
    """Store an entry in the first place of its bucket if it is at least as deep, else in the
    second.

    A replaced first entry of another position moves to the second place. The first word is the key
    XORed with the second word: an entry torn by concurrent writes then matches no key. Return the
    address.
    """
    at = place_of(key, own)
    old = load(table, at + 1)
    if old >> DEPTH_AT & 255 > data >> DEPTH_AT & 255:
        at += 2
    elif not words_equal(wrap_xor(load_word(table, at), word(old)), key):
        store_word(table, at + 2, load_word(table, at))
        store(table, at + 3, old)
    store_word(table, at, wrap_xor(key, word(data)))
    store(table, at + 1, data)
    return at


def is_cutoff(data: int, value: int, depth: int, alpha: int, beta: int, deeper: bool) -> bool:
    """True if an entry gives a cutoff for a depth and bounds.

    An entry of a greater depth serves if `deeper` is true.
    """
    deep = data >> DEPTH_AT & 255
    is_exact = data >> WHOLE_AT & 1
    bound = data >> BOUND_AT & 3
    if deep != depth and (is_exact == 0 or deep > depth) and not (deeper and deep > depth):
        return False
    if bound == AT_LEAST:
        return value >= beta
    return bound == EXACT or value <= alpha
