"""What became of random games in which a move was made at any time: all moves as first.

Gelly and Silver, Combining online and offline knowledge in UCT (2007); Cazenave, Generalized rapid
action value estimation (2015): nodes that were visited often have statistics of all moves that
were made below them, and serve the nodes below until these have their own. A word of them has the
number of games above `GAMES_AT` and what they came to below.
"""

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.search.rollouts import NOTED, PLAYER_BITS, WINNER
from rulesengine.engine.drivers.search.rollouts import NOTES as NOTES_AT
from rulesengine.engine.drivers.search.tree_layout import (
    ADDED,
    GAINED,
    MOVES,
    NOTES,
    PATH,
    REFERENCE,
    SLOTS,
    VISITS,
)
from rulesengine.engine.drivers.search.virtual_loss import room

GAMES_AT = 32
TOTAL = (1 << GAMES_AT) - 1
_PLAYER = (1 << PLAYER_BITS) - 1


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


def forget_moves(slots: int, own: Memory) -> int:
    """Begin with what games add for moves; gives the number of places."""
    for place in range(slots):
        store(own, ADDED + place, 0)
    return slots


def add_moves(line: int, own: Memory) -> int:
    """Add for the moves of a game that is told of; gives how many these are."""
    winner, noted = load(own, line + WINNER), load(own, line + NOTED)
    for at in range(line + NOTES_AT, line + NOTES_AT + noted):
        note = load(own, at)
        if note >= 0:
            add_move(note, (1 << GAMES_AT) + gained(winner, note & _PLAYER), own)
    return noted


def add_move(note: int, gain: int, own: Memory) -> int:
    """Add for a move; gives the sum for its place."""
    place = ADDED + (note >> PLAYER_BITS)
    total = load(own, place) + gain
    store(own, place, total)
    return total


def count_moves(games: int, length: int, own: Memory, pool: Memory) -> int:
    """Take what so many games add for moves into the statistics of the line in hand, from its last
    node on, where each adds the move that led from it; gives how many have statistics.
    """
    slots, count = load(own, SLOTS), 0
    for i in range(length):
        at = length - 1 - i
        if i > 0:
            note = load(own, NOTES + at)
            if note >= 0:
                gain = (games << GAMES_AT) + load(own, GAINED + (note & _PLAYER))
                add_move(note, gain, own)
        table = load(pool, load(own, PATH + at) + MOVES)
        if table != 0:
            for place in range(slots):
                total = load(pool, table + place) + load(own, ADDED + place)
                store(pool, table + place, total)
            count += 1
    return count
