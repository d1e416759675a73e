"""What threads look at, as drivers, so that they part: who comes second puts a move off.

Before a move is searched its word is written where all threads see it, and taken away after. A move
whose word stands there is tried when all others are, by which time the table may know of it. This
is ABDADA (Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal 19, 1996) as Tom
Kerrigan has simplified it. A word that is lost, since another one came to its place, costs time
alone.
"""

from rulesengine.engine.drivers.core import mix, word, wrap_add
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
from rulesengine.engine.drivers.search.layout import ERRANDS, ERRANDS_AT, ROOT


def errand_of(key: Word, number: int) -> Word:
    """The word of a move in a position."""
    return mix(wrap_add(key, word(number)))


def place_of_errand(errand: Word, own: Memory) -> int:
    return load(own, ERRANDS_AT) + (signed(errand) & ERRANDS - 1)


def is_under_way(errand: Word, own: Memory, table: Memory) -> bool:
    """Whether some thread looks at a move."""
    return same(load_word(table, place_of_errand(errand, own)), errand)


def set_out(errand: Word, own: Memory, table: Memory) -> int:
    """Tell that a move is looked at; gives the place of its word."""
    at = place_of_errand(errand, own)
    store_word(table, at, errand)
    return at


def come_back(errand: Word, own: Memory, table: Memory) -> int:
    """Tell that it is so no more."""
    at = place_of_errand(errand, own)
    if same(load_word(table, at), errand):
        store_word(table, at, word(0))
    return at


def part(key: Word, turn: int, count: int, own: Memory, table: Memory) -> int:
    """Let the first move from a turn on that nobody looks at be the next one; gives its number.

    If all are looked at, the order stays.
    """
    for _ in range(turn, count):
        number = load(own, ROOT + turn)
        if not is_under_way(errand_of(key, number), own, table):
            return number
        for place in range(turn, count - 1):
            store(own, ROOT + place, load(own, ROOT + place + 1))
        store(own, ROOT + count - 1, number)
    return load(own, ROOT + turn)
