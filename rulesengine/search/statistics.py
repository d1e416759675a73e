"""What became of random games in which a move was made at any time: all moves as first.

Gelly and Silver, Combining online and offline knowledge in UCT (2007); Cazenave, Generalized rapid
action value estimation (2015): nodes that were visited often have statistics of all moves that
were made below them, and serve the nodes below until these have their own. A word of them has the
number of games above `GAMES_AT` and what they came to below.

A note is what is kept of a move of the line in hand: its place in the statistics, and its player;
-1 of what chance does.
"""

from rulesengine.memory import Memory, Word, load, signed, store
from rulesengine.search.sharing import room
from rulesengine.search.tree_layout import (
    MOVES,
    NOTED,
    NOTES,
    PATH,
    REFERENCE,
    SLOTS,
    VISITS,
)

GAMES_AT = 32
TOTAL = (1 << GAMES_AT) - 1
PLAYER_BITS = 6
_PLAYER = (1 << PLAYER_BITS) - 1
_APART = 40503  # so that a move of two players has two places


def note_of(code: Word, player: int, own: Memory) -> int:
    """The note of a move."""
    if player < 0:
        return -1
    place = signed(code) + player * _APART & load(own, SLOTS) - 1
    return place << PLAYER_BITS | player


def gained(winner: int, player: int) -> int:
    """What a game has come to for a player."""
    return 1 if winner < 0 else 2 * int(winner == player)


def opened(node: int, own: Memory, pool: Memory) -> int:
    """Where a node's statistics are, 0 without any: one that is visited often gets them, if there
    is room.
    """
    slots = load(own, SLOTS)
    if slots == 0:
        return 0
    table = load(pool, node + MOVES)
    if table == 0 and load(pool, node + VISITS) >= load(own, REFERENCE):
        table = room(slots, own, pool)
        store(pool, node + MOVES, table)
    return table


def count_moves(winner: int, length: int, own: Memory, pool: Memory) -> int:
    """Take a game into the statistics of the nodes of the line in hand, with all behind each.

    Gives how many nodes of it have any.
    """
    noted = load(own, NOTED)
    for i in range(length):
        table = load(pool, load(own, PATH + i) + MOVES)
        if table == 0:
            return i
        for j in range(i, noted):
            note = load(own, NOTES + j)
            if note >= 0:
                at = table + (note >> PLAYER_BITS)
                won = gained(winner, note & _PLAYER)
                store(pool, at, load(pool, at) + (1 << GAMES_AT) + won)
    return length
