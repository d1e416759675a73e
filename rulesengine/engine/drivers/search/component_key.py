"""Transposition table keys of positions that are sums of independent components, as drivers.

A component is a group of pieces that steps join. Its key is invariant under translation and
symmetry: it is the least key over its images. In each image a piece is hashed by its distance from
the first piece of the player to move. A position is hashed from the sum of its component keys, so
that their order does not matter. Components without pieces of both sides are left out. The pieces
of the player to move come first, which makes the key independent of colours. Component keys are
cached between positions, since a move changes one component only. See decision 084.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_word,
    signed,
    store,
    store_word,
)
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.random import (
    high_word,
    lowest_bit,
    mix,
    word,
    wrap_add,
    wrap_mul,
    wrap_xor,
)
from rulesengine.engine.drivers.search.layout import IMAGES, JOINED, KEYS, KEYS_KEPT, PIECES, PLACES

S = TypeVar("S")
M = TypeVar("M")

_FAR = 1 << 30  # greater than any cell number
_GOLDEN = 0x1E3779B97F4A7C15


def position_key(game: SearchFunctions[S, M], state: S, extra: Word, at: int, own: Memory) -> Word:
    """Return the key of a position combined with `extra`; where a position is a sum, from its
    components.
    """
    if game.has_components(state):
        place = game.pieces(state, own, at + PIECES)
        return summed(load(own, place), load(own, place + 1), extra, at, own)
    return game.canonical(extra, state)


def summed(mine: int, theirs: int, extra: Word, at: int, own: Memory) -> Word:
    """Return the key of a position with these pieces."""
    total, left = extra, mine | theirs
    while left != 0:
        part = joined(left, at, own)
        left = left - part
        my_part, their_part = part & mine, part & theirs
        if my_part != 0 and their_part != 0:
            total = wrap_add(total, cached_key(my_part, their_part, at, own))
    return mix(total)


def joined(pieces: int, at: int, own: Memory) -> int:
    """Return the component that contains the first of some pieces."""
    part, ahead = 0, load(own, at + JOINED + 2 * lowest_bit(word(pieces)))
    while ahead != 0:
        place = at + JOINED + 2 * lowest_bit(word(ahead))
        part = part | load(own, place)
        ahead = (ahead | load(own, place + 1)) & pieces
        ahead = ahead - (ahead & part)
    return part


def cached_key(mine: int, theirs: int, at: int, own: Memory) -> Word:
    """Return the key of a component, through a cache."""
    mixed = wrap_mul(wrap_xor(wrap_mul(word(mine), word(_GOLDEN)), word(theirs)), word(_GOLDEN))
    place = at + KEYS + 3 * high_word(mixed, KEYS_KEPT)
    if load(own, place) == mine and load(own, place + 1) == theirs:
        return load_word(own, place + 2)
    key = named(mine, theirs, at, own)
    store(own, place, mine)
    store(own, place + 1, theirs)
    store_word(own, place + 2, key)
    return key


def named(mine: int, theirs: int, at: int, own: Memory) -> Word:
    """Return the key of a component: the least one over its images."""
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
    """Return the least number of some cells in an image."""
    least, left = _FAR, cells
    while left != 0:
        cell = lowest_bit(word(left))
        least = min(least, load(own, place + cell))
        left = left - load(own, at + JOINED + 2 * cell)
    return least


def scattered(cells: int, place: int, first: int, at: int, own: Memory) -> Word:
    """Return the hash of some cells in an image, by twice their distances from a first one."""
    total, left = word(0), cells
    while left != 0:
        cell = lowest_bit(word(left))
        total = wrap_add(total, mix(word(2 * load(own, place + cell) - first)))
        left = left - load(own, at + JOINED + 2 * cell)
    return total
