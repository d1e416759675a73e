"""The key of a position that is a sum of parts, as drivers.

A part is a group of pieces that steps join. Its own key is the same wherever it stands and however
it lies: the least of those of its images, in each of which a piece counts by how far it is from the
first one of who is to move. The key of a position is made of the sum of those of its parts in which
both sides have pieces, so that no order of them counts. Who is to move comes first throughout, so
that colours count for nothing. A part's key is kept from one position to the next, since a move
changes one part alone.
"""

from typing import TypeVar

from rulesengine.engine.drivers.core import (
    Judged,
    high,
    lowest,
    mix,
    word,
    wrap_add,
    wrap_mul,
    wrap_xor,
)
from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_word,
    signed,
    store,
    store_word,
)
from rulesengine.engine.drivers.search.layout import IMAGES, JOINED, KEYS, KEYS_KEPT, PIECES, PLACES

S = TypeVar("S")
M = TypeVar("M")

_FAR = 1 << 30  # above all numbers of cells
_GOLDEN = 0x1E3779B97F4A7C15


def position_key(game: Judged[S, M], state: S, asked: Word, at: int, own: Memory) -> Word:
    """The key of a position and what is asked of it: of its parts, where it is a sum of these."""
    if game.tells_parts(state):
        place = game.pieces(state, own, at + PIECES)
        return summed(load(own, place), load(own, place + 1), asked, at, own)
    return game.canonical(asked, state)


def summed(mine: int, theirs: int, asked: Word, at: int, own: Memory) -> Word:
    """The key of the position of these pieces."""
    total, left = asked, mine | theirs
    while left != 0:
        part = joined(left, at, own)
        left = left - part
        here, there = part & mine, part & theirs
        if here != 0 and there != 0:
            total = wrap_add(total, known(here, there, at, own))
    return mix(total)


def joined(pieces: int, at: int, own: Memory) -> int:
    """The part in which the first piece is."""
    part, ahead = 0, load(own, at + JOINED + 2 * lowest(word(pieces)))
    while ahead != 0:
        place = at + JOINED + 2 * lowest(word(ahead))
        part = part | load(own, place)
        ahead = (ahead | load(own, place + 1)) & pieces
        ahead = ahead - (ahead & part)
    return part


def known(mine: int, theirs: int, at: int, own: Memory) -> Word:
    """The key of a part, which may have been kept."""
    mixed = wrap_mul(wrap_xor(wrap_mul(word(mine), word(_GOLDEN)), word(theirs)), word(_GOLDEN))
    place = at + KEYS + 3 * high(mixed, KEYS_KEPT)
    if load(own, place) == mine and load(own, place + 1) == theirs:
        return load_word(own, place + 2)
    key = named(mine, theirs, at, own)
    store(own, place, mine)
    store(own, place + 1, theirs)
    store_word(own, place + 2, key)
    return key


def named(mine: int, theirs: int, at: int, own: Memory) -> Word:
    """The key of a part: the least of those of its images."""
    best = 0
    for image in range(load(own, at + IMAGES)):
        place = at + PLACES + 64 * image
        first = nearest(mine, place, at, own)
        total = scattered(mine, place, 2 * first, at, own)
        total = wrap_add(total, scattered(theirs, place, 2 * first - 1, at, own))
        key = signed(mix(total))
        best = key if image == 0 else min(best, key)
    return mix(word(best))


def nearest(cells: int, place: int, at: int, own: Memory) -> int:
    """The least number of some cells in an image."""
    least, left = _FAR, cells
    while left != 0:
        cell = lowest(word(left))
        least = min(least, load(own, place + cell))
        left = left - load(own, at + JOINED + 2 * cell)
    return least


def scattered(cells: int, place: int, first: int, at: int, own: Memory) -> Word:
    """A word for some cells in an image, by twice their numbers from a first one."""
    total, left = word(0), cells
    while left != 0:
        cell = lowest(word(left))
        total = wrap_add(total, mix(word(2 * load(own, place + cell) - first)))
        left = left - load(own, at + JOINED + 2 * cell)
    return total
