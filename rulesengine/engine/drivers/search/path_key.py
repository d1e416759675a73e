"""What tells positions apart that are reached in different ways, where rules look back, as drivers.

What such a position is worth hangs on the positions before it. Of these only those may come back
behind which nothing has changed for good, so that the key of a position takes in a word of them,
and positions by different ways are one from the next capture on (Kishimoto and Müller, "A general
solution to the graph history interaction problem", AAAI 2004, have such a word for the whole way).
"""

from typing import TypeVar

from rulesengine.engine.drivers.core import Judged, fold, word
from rulesengine.engine.drivers.memory import (
    Memory,
    Word,
    load,
    load_word,
    signed,
    store,
    store_word,
)
from rulesengine.engine.drivers.search.component_key import position_key
from rulesengine.engine.drivers.search.layout import LASTING, PARTS, PATHS

S = TypeVar("S")
M = TypeVar("M")

NONE = 0  # the word of no positions


def path_of(game: Judged[S, M], state: S, ply: int, own: Memory) -> Word:
    """The word of the positions before one that is so many plies from the first, which has been
    noted, as has been all between.
    """
    if ply > 0 and load(own, LASTING + ply) != game.lasting(state):
        return word(NONE)
    return load_word(own, PATHS + ply)


def note(game: Judged[S, M], state: S, ply: int, own: Memory) -> int:
    """Note a position for what follows it; gives the next ply."""
    store(own, LASTING + ply + 1, game.lasting(state))
    store_word(own, PATHS + ply + 1, game.recorded(path_of(game, state, ply, own), state))
    return ply + 1


def key_of(game: Judged[S, M], state: S, ply: int, sides: int, own: Memory) -> Word:
    """The key under which the table has a position.

    Positions that are alike up to symmetry have different ones after the same way: in one of them
    a move may lead back to where the other one's does not.
    """
    if game.looks_back(state):
        return fold(game.folded(word(sides), state), signed(path_of(game, state, ply, own)))
    return position_key(game, state, word(sides), PARTS, own)
