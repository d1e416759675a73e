"""What random games tell of moves before a search begins, as a driver: all moves as first.

A move is worth what the games come to in which it is made at any time (Bruegmann, 1993; Gelly and
Silver, 2007). A search to the end of a game, which has no values of its own until it is there,
tries moves in that order to begin with.
"""

from typing import TypeVar

from rulesengine.engine.drivers.core import Judged, draw, generator, word
from rulesengine.engine.drivers.memory import Memory, load, poll, signed, store
from rulesengine.engine.drivers.search.layout import HISTORY, HISTORY_SIZE, ROOM, ROOT, SELF
from rulesengine.engine.drivers.search.move_ordering import history_at
from rulesengine.engine.drivers.search.position_value import team

S = TypeVar("S")
M = TypeVar("M")

COUNT_BITS = 24
COUNTS = (1 << COUNT_BITS) - 1
DOUBT = 5  # games that were drawn, as it is taken, before those that are counted
SURE_SHARE = 1 << 30  # how well thought of a move is that has won all games


def outlook(game: Judged[S, M], state: S, plies: int, own: Memory) -> int:
    """Let what is thought of moves be what they came to in random games of so many plies together.

    Gives how many games that were.
    """
    for at in range(HISTORY, HISTORY + 2 * HISTORY_SIZE):
        store(own, at, 0)
    games, left = 0, plies
    while left > 0:
        poll(own)
        length = followed(game, state, games, left, own)
        left -= length + 1
        games += 1
    for at in range(HISTORY, HISTORY + 2 * HISTORY_SIZE):
        total, count = load(own, at) >> COUNT_BITS, load(own, at) & COUNTS
        store(own, at, total * SURE_SHARE // (count + DOUBT))
    return games


def followed(game: Judged[S, M], state: S, game_number: int, plies: int, own: Memory) -> int:
    """Play a random game of so many plies at most, and count its moves; gives its length."""
    now, random, room = state, generator(word(0), game_number), load(own, ROOM) - ROOT
    length = 0
    while length < plies and length < room:
        moves = game.legal(now)
        if not moves:
            break
        random, chosen = draw(random, len(moves))
        mine, number = team(game, now, own), -1
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
    """Count a game for each of its moves: won or lost by who made it; gives how many they are."""
    ours = HISTORY + HISTORY_SIZE
    won = winner == load(own, SELF)
    for ply in range(length):
        at = load(own, ROOT + ply)
        gained = 1 if (at >= ours) == won else -1
        store(own, at, load(own, at) + (gained << COUNT_BITS) + 1)
    return length
