"""Driver of games that searches play against themselves, recorded for training."""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, poll, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.random import draw, generator
from rulesengine.engine.drivers.search.context import SearchContext
from rulesengine.engine.drivers.search.layout import VALUE
from rulesengine.engine.drivers.search.match_play import searched
from rulesengine.engine.drivers.search.recorded_layout import (
    AGREED,
    EXPLORATION_INTERVAL,
    FAR,
    HEAD,
    LONGEST,
    NODES_EACH,
    NONE,
    OPENING,
    PLIES,
    ROW,
    WINNER,
)

S = TypeVar("S")
M = TypeVar("M")


def record_game(
    game: SearchFunctions[S, M],
    start: S,
    seed: Word,
    number: int,
    record: Memory,
    search: SearchContext,
) -> int:
    """Play a game of searches against themselves and record it; return its plies.

    It begins with random moves, and a few later ones are random.
    """
    state, plies, lasting, winner = start, 0, 0, -1
    random = generator(seed, number)
    random, opening = draw(random, OPENING)
    for ply in range(load(record, LONGEST)):
        poll(record)
        moves = game.legal(state)
        if not moves or lasting == AGREED:
            break
        count, mover, value = len(moves), game.mover(state), NONE
        random, chosen = draw(random, count)
        random, turn = draw(random, EXPLORATION_INTERVAL)
        if ply >= opening and turn > 0:
            chosen = searched(game, state, load(record, NODES_EACH), search)
            value = load(search.own, VALUE)
            is_far = max(value, -value) >= load(record, FAR)
            lasting = lasting + 1 if is_far else 0
            winner = mover if value > 0 else 1 - mover
        at = HEAD + ROW * ply
        store(record, at, chosen)
        store(record, at + 1, value)
        store(record, at + 2, game.by_rules(state, mover) - game.by_rules(state, 1 - mover))
        state = game.apply(state, moves[chosen])
        plies = ply + 1
    if lasting < AGREED:
        winner = game.winner(state)
    store(record, PLIES, plies)
    store(record, WINNER, winner)
    return plies
