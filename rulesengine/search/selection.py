"""Which child of a node a tree search visits next, by whole numbers."""

from rulesengine.memory import Memory, load
from rulesengine.search.statistics import GAMES_AT, PLAYER_BITS, TOTAL
from rulesengine.search.tree_layout import (
    BIAS,
    COUNT,
    DRAWN,
    EXPLORE,
    FIRST,
    LOGS,
    MOVER,
    MOVES,
    NOTE,
    OPEN,
    PROVEN,
    ROOTS,
    SIZE,
    TOTALS,
    VISITS,
    WON_BY,
    width,
)

_UNSEEN = 1 << 40  # what nothing is known of comes first
_HALF = 1 << 15  # the value of a draw; 0 is lost and 1 << 16 won


def inverse_root(n: int, own: Memory) -> int:
    """2**16 times the root of 1 / n, of large numbers about so."""
    halved = 0
    while n >= SIZE:
        n >>= 2
        halved += 1
    return load(own, ROOTS + n) >> halved


def urge(parent: int, own: Memory) -> int:
    """How much is added below a node visited so often, for a child that was visited once."""
    return load(own, LOGS + min(parent, SIZE - 1)) * load(own, EXPLORE) >> 16


def mean(visits: int, total: int, known: int, own: Memory) -> int:
    """The value of a child by its own games and by those in which its move was made at any time.

    These count as `BIAS` own ones at most.
    """
    games = known >> GAMES_AT
    if games == 0:
        return (total << 15) // visits
    if visits == 0:
        return ((known & TOTAL) << 15) // games
    bias = load(own, BIAS)
    weight = games * bias // (games + bias) + 1
    moves = ((known & TOTAL) << 15) // games
    return ((total << 15) + moves * weight) // (visits + weight)


def worth(node: int, player: int, table: int, adding: int, own: Memory, pool: Memory) -> int:
    """What a player makes of visiting a node, where statistics of moves stand in a table."""
    proven = load(pool, node + PROVEN)
    if proven != OPEN:
        if proven == player + WON_BY:
            return 2 * _UNSEEN
        return _HALF if proven == DRAWN else -1
    visits, known = load(pool, node + VISITS), 0
    if table != 0:
        known = load(pool, table + (load(pool, node + NOTE) >> PLAYER_BITS))
    if visits == 0 and known == 0:
        return _UNSEEN
    value = mean(visits, load(pool, node + TOTALS + player), known, own)
    return value + (adding * inverse_root(max(visits, 1), own) >> 16) if adding != 0 else value


def is_less(node: int, player: int, table: int, best: int, pool: Memory) -> bool:
    """Whether products show that an open node, to which nothing is added, is worth no more.

    A mean lies between what it is made of, so that most nodes of many take no division.
    """
    visits, known = load(pool, node + VISITS), 0
    if table != 0:
        known = load(pool, table + (load(pool, node + NOTE) >> PLAYER_BITS))
    if (visits == 0 and known == 0) or load(pool, node + PROVEN) != OPEN:
        return False
    games, least = known >> GAMES_AT, best + 1
    if games != 0 and (known & TOTAL) << 15 >= least * games:
        return False
    return visits == 0 or load(pool, node + TOTALS + player) << 15 < least * visits


def selected(node: int, guide: int, turn: int, sides: int, own: Memory, pool: Memory) -> int:
    """The number of the child to visit, of equal ones the first from a number on, and around.

    `guide` is the node whose statistics serve, 0 without one.
    """
    player, adding = load(pool, node + MOVER), urge(load(pool, node + VISITS), own)
    first, count = load(pool, node + FIRST), load(pool, node + COUNT)
    table = load(pool, guide + MOVES) if guide != 0 else 0
    best, chosen, number = -2, 0, turn
    for _ in range(count):
        child = first + number * width(sides)
        if adding != 0 or not is_less(child, player, table, best, pool):
            value = worth(child, player, table, adding, own, pool)
            if value > best:
                best, chosen = value, number
        number += 1
        if number == count:
            number = 0
    return chosen
