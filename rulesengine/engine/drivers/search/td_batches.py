"""Learning from batches of self-play games, as drivers.

The games of a batch are played with the same weights, by any number of threads, and recorded. Then
the positions of one game after the other are updated, as in `td_learning`. See decision 195.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.td_layout import (
    BASE,
    BATCH,
    DONE,
    END,
    FIRST,
    GAMES,
    LAST,
    LENGTH,
    MOST,
    WIDTH,
    WON_BY,
    record_words,
)
from rulesengine.engine.drivers.search.td_learning import learn, played

S = TypeVar("S")
M = TypeVar("M")


def record_games(
    game: SearchFunctions[S, M], start: S, seed: Word, own: Memory, weights: Memory, records: Memory
) -> int:
    """Play those games of a call that have no record, and record them; return their number.

    An interruption discards the game in progress.
    """
    size, count = record_words(load(own, MOST), load(own, WIDTH)), 0
    for number in range(load(own, FIRST), load(own, FIRST) + load(own, GAMES)):
        base = (number - load(own, BATCH)) * size
        if load(records, base + LENGTH) == 0:
            store(own, BASE, base)
            plies, winner = played(game, start, seed, number, own, weights, records)
            store(records, base + WON_BY, winner)
            store(records, base + END, load(own, LAST))
            store(records, base + LENGTH, plies + 1)
            count += 1
    return count


def learn_from_records(
    game: SearchFunctions[S, M], start: S, own: Memory, weights: Memory, records: Memory
) -> int:
    """Update the weights by the recorded games of a call; return the number of all games."""
    size = record_words(load(own, MOST), load(own, WIDTH))
    for number in range(load(own, FIRST), load(own, FIRST) + load(own, GAMES)):
        base = (number - load(own, BATCH)) * size
        store(own, BASE, base)
        store(own, LAST, load(records, base + END))
        plies, winner = load(records, base + LENGTH) - 1, load(records, base + WON_BY)
        learn(plies, winner, game.is_single(start), own, weights, records)
        store(own, DONE, load(own, DONE) + 1)
    store(own, BASE, 0)
    return load(own, DONE)
