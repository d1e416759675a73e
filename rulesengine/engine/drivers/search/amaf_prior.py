"""Move ordering from playouts before a solution begins, as a driver: the all-moves-as-first
heuristic.

The score of a move is the mean result of the playouts in which it is made at any time (Bruegmann,
1993; Gelly and Silver, 2007). A search to the end of the game has no values of its own before it
gets there, and begins with this order. See decision 071.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, poll, signed, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.random import draw, generator, word
from rulesengine.engine.drivers.search.layout import HISTORY, HISTORY_SIZE, ROOM, ROOT, SEARCHER
from rulesengine.engine.drivers.search.move_ordering import history_at
from rulesengine.engine.drivers.search.position_value import is_searcher

S = TypeVar("S")
M = TypeVar("M")

COUNT_BITS = 24
COUNTS = (1 << COUNT_BITS) - 1
PRIOR_DRAWS = 5  # number of drawn games that are added to each move's statistics
SURE_SHARE = 1 << 30  # the score of a move that has won all games


def fill_amaf_scores(game: SearchFunctions[S, M], state: S, plies: int, own: Memory) -> int:
    """Fill the history scores with AMAF statistics of playouts of `plies` plies in total.

    Return the number of playouts.
    """
    for at in range(HISTORY, HISTORY + 2 * HISTORY_SIZE):
        store(own, at, 0)
    games, left = 0, plies
    while left > 0:
        poll(own)
        length = played_moves(game, state, games, left, own)
        left -= length + 1
        games += 1
    for at in range(HISTORY, HISTORY + 2 * HISTORY_SIZE):
        total, count = load(own, at) >> COUNT_BITS, load(own, at) & COUNTS
        store(own, at, total * SURE_SHARE // (count + PRIOR_DRAWS))
    return games


def played_moves(
    game: SearchFunctions[S, M], state: S, game_number: int, plies: int, own: Memory
) -> int:
    """Play a random game of at most `plies` plies and count its moves; return its length."""
    now, random, room = state, generator(word(0), game_number), load(own, ROOM) - ROOT
    length = 0
    while length < plies and length < room:
        moves = game.legal(now)
        if not moves:
            break
        random, chosen = draw(random, len(moves))
        mine, number = is_searcher(game, now, own), -1
        for move in moves:
            number += 1
            if number == chosen:
                store(own, ROOT + length, history_at(signed(game.key(move)), mine))
                break
        now, length = game.apply(now, moves[chosen]), length + 1
    winner = game.winner(now)
    if winner >= 0:
        count_moves(winner, length, own)
    return length


def count_moves(winner: int, length: int, own: Memory) -> int:
    """Add the result of a game to the statistics of each of its moves; return their number."""
    ours = HISTORY + HISTORY_SIZE
    won = winner == load(own, SEARCHER)
    for ply in range(length):
        at = load(own, ROOT + ply)
        gained = 1 if (at >= ours) == won else -1
        store(own, at, load(own, at) + (gained << COUNT_BITS) + 1)
    return length
