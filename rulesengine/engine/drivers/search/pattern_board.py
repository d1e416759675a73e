"""The contents of the cells of a position and the codes of their neighbourhoods, as drivers."""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, load_word, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.random import lowest_bit, popcount, word, wrap_xor
from rulesengine.engine.drivers.search.pattern_layout import (
    CELLS,
    CODES,
    CONTENT,
    LAST,
    MASK_WORDS,
    MASKS,
    MOST_WAYS,
    NEAR,
    NOW_LAST,
    OWNERS,
    WAYS,
)
from rulesengine.engine.drivers.search.rollouts import PLAYER_BITS
from rulesengine.engine.drivers.search.tree_layout import NOTES, SLOTS

S = TypeVar("S")
M = TypeVar("M")


def note_last(length: int, sides: int, own: Memory) -> int:
    """Store and return the cell of the last placement on a path of some nodes."""
    cell = load(own, LAST)
    if length > 1:
        note, places = load(own, NOTES + length - 2), load(own, SLOTS) // sides
        cell = (note >> PLAYER_BITS) % places - 1  # the place of a move is its target, plus 1
        if cell < 0:
            cell = load(own, CELLS)
    store(own, NOW_LAST, cell)
    return cell


def read_board(game: SearchFunctions[S, M], state: S, own: Memory) -> int:
    """Read the contents of all cells and the codes of their neighbourhoods; return the side to
    move.
    """
    side, cells = game.contents(state, own, MASKS), load(own, CELLS)
    for cell in range(cells):
        store(own, CONTENT + cell, 0)
    for owner in range(OWNERS):
        for part in range((cells + 63) >> 6):
            at = owner * MASK_WORDS + part
            some = load_word(own, MASKS + at)
            for _ in range(popcount(some)):
                bit = lowest_bit(some)
                store(own, CONTENT + (part << 6) + bit, owner + 1)
                some = wrap_xor(some, word(1 << bit))
    directions = load(own, WAYS)
    for cell in range(cells):
        code = 0
        for direction in range(directions):
            neighbour = load(own, NEAR + cell * MOST_WAYS + direction)
            code += load(own, CONTENT + neighbour) << 2 * direction
        store(own, CODES + cell, code)
    return side
