"""Selection in a Monte-Carlo tree search (UCT, RAVE), in integer arithmetic."""

from rulesengine.engine.drivers.memory import Memory, load
from rulesengine.engine.drivers.search.amaf import GAMES_AT, TOTAL
from rulesengine.engine.drivers.search.context import TreeContext
from rulesengine.engine.drivers.search.payoff_tree import payoff_value
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

UNSEEN = 1 << 40  # first-play urgency: children without statistics come first
_HALF = 1 << 15  # the value of a draw; a loss is 0 and a win 1 << 16


def inverse_root(n: int, own: Memory) -> int:
    """Return 2**16 times the root of 1 / n, approximated for large numbers."""
    halved = 0
    while n >= SIZE:
        n >>= 2
        halved += 1
    return load(own, ROOTS + n) >> halved


def exploration_term(parent: int, own: Memory) -> int:
    """Return the exploration term for a child with one visit, below a node with `parent` visits."""
    return load(own, LOGS + min(parent, SIZE - 1)) * load(own, EXPLORE) >> 16


def worth(node: int, player: int, adding: int, own: Memory, pool: Memory) -> int:
    """Return the UCT value of a node for a player, from its own playouts."""
    proven = load(pool, node + PROVEN)
    if proven != OPEN:
        return proven_value(proven, player)
    visits = load(pool, node + VISITS)
    if visits == 0:
        return UNSEEN
    value = (load(pool, node + TOTALS + player) << 15) // visits
    return value + (adding * inverse_root(visits, own) >> 16) if adding != 0 else value


def single_worth(node: int, adding: int, own: Memory, pool: Memory) -> int:
    """Return the UCT value of a node for a single player."""
    visits = load(pool, node + VISITS)
    if visits == 0:
        return UNSEEN
    value = payoff_value(node, own, pool)
    if load(pool, node + PROVEN) != OPEN:
        return value
    return value + (adding * inverse_root(visits, own) >> 16)


def rave_value(node: int, player: int, table: int, own: Memory, pool: Memory) -> int:
    """Return the RAVE value of a node for a player: its own playouts combined with AMAF statistics.

    AMAF statistics count as at most `BIAS` own playouts. There is no exploration term.
    """
    proven = load(pool, node + PROVEN)
    if proven != OPEN:
        return proven_value(proven, player)
    known = load(pool, table + (load(pool, node + NOTE) >> PLAYER_BITS))
    visits, games = load(pool, node + VISITS), known >> GAMES_AT
    total = load(pool, node + TOTALS + player) << 15
    if games == 0:
        return total // visits if visits != 0 else UNSEEN
    moves = ((known & TOTAL) << 15) // games
    if visits == 0:
        return moves
    bias = load(own, BIAS)
    weight = games * bias // (games + bias) + 1
    return (total + moves * weight) // (visits + weight)


def proven_value(proven: int, player: int) -> int:
    """Return the value of a proven result for a player."""
    if proven == player + WON_BY:
        return 2 * UNSEEN
    return _HALF if proven == DRAWN else -1


def is_less(node: int, player: int, table: int, least: int, pool: Memory) -> bool:
    """True if multiplications alone show that an open node has a smaller RAVE value than `least`.

    A mean lies between its parts, so that most children need no division. A move without AMAF
    statistics is never excluded.
    """
    known = load(pool, table + (load(pool, node + NOTE) >> PLAYER_BITS))
    if (known & TOTAL) << 15 >= least * (known >> GAMES_AT):
        return False
    visits = load(pool, node + VISITS)
    if visits != 0 and load(pool, node + TOTALS + player) << 15 >= least * visits:
        return False
    return load(pool, node + PROVEN) == OPEN


def selected(node: int, guide: int, turn: int, sides: int, own: Memory, pool: Memory) -> int:
    """Return the number of the child to visit; ties go to the first child from `turn` on,
    cyclically.

    `guide` is the node with the AMAF statistics to use, 0 for none.
    """
    table = load(pool, guide + MOVES) if guide != 0 else 0
    count, best, chosen = load(pool, node + COUNT), -2, 0
    if table != 0:
        tree = TreeContext(sides, own, pool)
        best, chosen = best_by_rave(node, turn, count, best, chosen, table, tree)
        best, chosen = best_by_rave(node, 0, turn, best, chosen, table, tree)
        return chosen
    player, first, number = load(pool, node + MOVER), load(pool, node + FIRST), turn
    adding = exploration_term(load(pool, node + VISITS), own)
    for _ in range(count):
        child = first + number * width(sides)
        if sides == 1:
            value = single_worth(child, adding, own, pool)
        else:
            value = worth(child, player, adding, own, pool)
        if value > best:
            best, chosen = value, number
        number += 1
        if number == count:
            number = 0
    return chosen


def best_by_rave(
    node: int, low: int, high: int, best: int, chosen: int, table: int, tree: TreeContext
) -> tuple[int, int]:
    """Return the maximum RAVE value and the number of its child, among a range of children and a
    best one so far.
    """
    player, step = load(tree.pool, node + MOVER), width(tree.sides)
    child = load(tree.pool, node + FIRST) + low * step
    for number in range(low, high):
        if not is_less(child, player, table, best + 1, tree.pool):
            value = rave_value(child, player, table, tree.own, tree.pool)
            if value > best:
                best, chosen = value, number
        child += step
    return best, chosen
