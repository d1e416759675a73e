"""All-moves-as-first (AMAF) statistics in a tree search: results of playouts by the moves made in
them.

Gelly and Silver, Combining online and offline knowledge in UCT (2007); Cazenave, Generalized rapid
action value estimation (GRAVE, 2015). Nodes with many visits have statistics of all moves made
below them; these serve the nodes below until those have enough visits of their own. A word has the
number of games in the bits from `GAMES_AT` up, and the sum of their results below.
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
    """Return the result of a game for a player: 2 for a win, 1 for a draw."""
    return 1 if winner < 0 else 2 * int(winner == player)


def opened(node: int, own: Memory, pool: Memory) -> int:
    """Return the address of a node's AMAF statistics, 0 if it has none; allocate them for a node
    with enough visits if there is room.
    """
    slots = load(own, SLOTS)
    if slots == 0:
        return 0
    table = load(pool, node + MOVES)
    if table == 0 and load(pool, node + VISITS) >= load(own, REFERENCE):
        table = room(slots, own, pool)
        store(pool, node + MOVES, table)
    return table


def clear_moves(slots: int, own: Memory) -> int:
    """Clear the statistics of the playouts in hand; return the number of slots."""
    for place in range(slots):
        store(own, ADDED + place, 0)
    return slots


def add_moves(line: int, own: Memory) -> int:
    """Add the moves of a recorded playout; return their number."""
    winner, noted = load(own, line + WINNER), load(own, line + NOTED)
    for at in range(line + NOTES_AT, line + NOTES_AT + noted):
        note = load(own, at)
        if note >= 0:
            add_move(note, (1 << GAMES_AT) + gained(winner, note & _PLAYER), own)
    return noted


def add_move(note: int, gain: int, own: Memory) -> int:
    """Add a result for a move; return the sum of its slot."""
    place = ADDED + (note >> PLAYER_BITS)
    total = load(own, place) + gain
    store(own, place, total)
    return total


def count_moves(games: int, length: int, own: Memory, pool: Memory) -> int:
    """Add the AMAF statistics of some playouts to the nodes of the path, from its last node up.

    Each node also adds the move that leads from it. Return the number of nodes with statistics.
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
