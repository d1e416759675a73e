"""Transposition table keys that include the history, for rules that read earlier positions.

The value of such a position depends on the positions before it (graph history interaction). Only
positions since the last irreversible move can repeat. The key includes a hash of these, so that
transpositions are recognised from the next capture on. Kishimoto and Müller, "A general solution to
the graph history interaction problem" (AAAI 2004), hash the whole path. See decision 088.
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
from rulesengine.engine.drivers.random import fold, word
from rulesengine.engine.drivers.search.component_key import position_key
from rulesengine.engine.drivers.search.layout import LASTING, PARTS, PATHS

S = TypeVar("S")
M = TypeVar("M")

NONE = 0  # the hash of an empty history


def path_of(game: SearchFunctions[S, M], state: S, ply: int, own: Memory) -> Word:
    """Return the hash of the positions before a position, `ply` plies from the root.

    `note` must have been called for all positions between.
    """
    if ply > 0 and load(own, LASTING + ply) != game.lasting(state):
        return word(NONE)
    return load_word(own, PATHS + ply)


def note(game: SearchFunctions[S, M], state: S, ply: int, own: Memory) -> int:
    """Store the history of a position for its successors; return the next ply."""
    store(own, LASTING + ply + 1, game.lasting(state))
    store_word(own, PATHS + ply + 1, game.recorded(path_of(game, state, ply, own), state))
    return ply + 1


def key_of(game: SearchFunctions[S, M], state: S, ply: int, sides: int, own: Memory) -> Word:
    """Return the transposition table key of a position.

    With a history, positions equivalent under symmetry have different keys: a move may repeat a
    position in one of them and not in the other.
    """
    if game.reads_history(state):
        return fold(game.folded(word(sides), state), signed(path_of(game, state, ply, own)))
    return position_key(game, state, word(sides), PARTS, own)
