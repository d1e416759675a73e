"""Which child of a node a tree search visits next, by whole numbers."""

from rulesengine.engine.drivers.memory import Memory, load
from rulesengine.engine.drivers.search.amaf import GAMES_AT, TOTAL
from rulesengine.engine.drivers.search.rollouts import PLAYER_BITS
from rulesengine.engine.drivers.search.tree_layout import (
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


def worth(node: int, player: int, adding: int, own: Memory, pool: Memory) -> int:
    """What a player makes of visiting a node, by its own games."""
    proven = load(pool, node + PROVEN)
    if proven != OPEN:
        return proven_worth(proven, player)
    visits = load(pool, node + VISITS)
    if visits == 0:
        return _UNSEEN
    value = (load(pool, node + TOTALS + player) << 15) // visits
    return value + (adding * inverse_root(visits, own) >> 16) if adding != 0 else value


def worth_by_moves(node: int, player: int, table: int, own: Memory, pool: Memory) -> int:
    """The same by its own games and by those in which its move was made at any time.

    These count as `BIAS` own ones at most. For a node of few visits nothing is added.
    """
    proven = load(pool, node + PROVEN)
    if proven != OPEN:
        return proven_worth(proven, player)
    known = load(pool, table + (load(pool, node + NOTE) >> PLAYER_BITS))
    visits, games = load(pool, node + VISITS), known >> GAMES_AT
    total = load(pool, node + TOTALS + player) << 15
    if games == 0:
        return total // visits if visits != 0 else _UNSEEN
    moves = ((known & TOTAL) << 15) // games
    if visits == 0:
        return moves
    bias = load(own, BIAS)
    weight = games * bias // (games + bias) + 1
    return (total + moves * weight) // (visits + weight)


def proven_worth(proven: int, player: int) -> int:
    """What a result is worth to a player."""
    if proven == player + WON_BY:
        return 2 * _UNSEEN
    return _HALF if proven == DRAWN else -1


def is_less(node: int, player: int, table: int, least: int, pool: Memory) -> bool:
    """Whether products show that an open node is worth less by statistics of moves.

    A mean lies between what it is made of, so that most nodes of many take no division. Of what
    nothing is known in the table at least, this is not shown.
    """
    known = load(pool, table + (load(pool, node + NOTE) >> PLAYER_BITS))
    if (known & TOTAL) << 15 >= least * (known >> GAMES_AT):
        return False
    visits = load(pool, node + VISITS)
    if visits != 0 and load(pool, node + TOTALS + player) << 15 >= least * visits:
        return False
    return load(pool, node + PROVEN) == OPEN


def selected(node: int, guide: int, turn: int, sides: int, own: Memory, pool: Memory) -> int:
    """The number of the child to visit, of equal ones the first from a number on, and around.

    `guide` is the node whose statistics serve, 0 without one.
    """
    table = load(pool, guide + MOVES) if guide != 0 else 0
    count, best, chosen = load(pool, node + COUNT), -2, 0
    if table != 0:
        best, chosen = foremost(node, turn, count, best, chosen, table, sides, own, pool)
        best, chosen = foremost(node, 0, turn, best, chosen, table, sides, own, pool)
        return chosen
    player, first, number = load(pool, node + MOVER), load(pool, node + FIRST), turn
    adding = urge(load(pool, node + VISITS), own)
    for _ in range(count):
        value = worth(first + number * width(sides), player, adding, own, pool)
        if value > best:
            best, chosen = value, number
        number += 1
        if number == count:
            number = 0
    return chosen


def foremost(
    node: int,
    low: int,
    high: int,
    best: int,
    chosen: int,
    table: int,
    sides: int,
    own: Memory,
    pool: Memory,
) -> tuple[int, int]:
    """The most that a child is worth by statistics of moves, and its number: of some children,
    where one of them is worth more.
    """
    player, step = load(pool, node + MOVER), width(sides)
    child = load(pool, node + FIRST) + low * step
    for number in range(low, high):
        if not is_less(child, player, table, best + 1, pool):
            value = worth_by_moves(child, player, table, own, pool)
            if value > best:
                best, chosen = value, number
        child += step
    return best, chosen
