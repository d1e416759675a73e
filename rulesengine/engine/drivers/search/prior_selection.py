"""Selection with a prior of moves from the weights of their patterns.

The prior is a number of playouts before the first one (Gelly and Silver, Combining online and
offline knowledge in UCT, 2007). Their mean result is the chance that the move is preferred to one
of average weight, by the model of Bradley and Terry. A node's note has it in its high half.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import load, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.amaf import GAMES_AT, TOTAL
from rulesengine.engine.drivers.search.context import TreeContext
from rulesengine.engine.drivers.search.pattern_board import read_board
from rulesengine.engine.drivers.search.pattern_features import mark_nearness, move_weight
from rulesengine.engine.drivers.search.pattern_layout import PRIOR
from rulesengine.engine.drivers.search.rollouts import PLAYER_BITS
from rulesengine.engine.drivers.search.tree_layout import (
    BIAS,
    COUNT,
    FIRST,
    MOVER,
    MOVES,
    NOTE,
    OPEN,
    PROVEN,
    TOTALS,
    VISITS,
    width,
)
from rulesengine.engine.drivers.search.uct_selection import UNSEEN, proven_value

S = TypeVar("S")
M = TypeVar("M")
_PRIOR_AT = 32
_NOTE = (1 << _PRIOR_AT) - 1


def note_of_word(word: int) -> int:
    """Return the note of a node without its prior."""
    return word & _NOTE


def store_priors(game: SearchFunctions[S, M], state: S, first: int, tree: TreeContext) -> int:
    """Store the priors of the children of a node, which begin at `first`; return the total weight
    of their moves.
    """
    side, step = read_board(game, state, tree.own), width(tree.sides)
    mark_nearness(tree.own)
    moves = game.legal(state)
    total, child = 0, first
    for move in moves:
        weight = move_weight(game.target(move), side, tree.own)
        store(tree.pool, child + VISITS, weight)
        total += weight
        child += step
    mean = max(1, total // len(moves))
    for number in range(len(moves)):
        child = first + number * step
        weight = load(tree.pool, child + VISITS)
        prior = (weight << 16) // (weight + mean)
        store(tree.pool, child + VISITS, 0)
        store(tree.pool, child + NOTE, load(tree.pool, child + NOTE) + (prior << _PRIOR_AT))
    return total


def selected_by_prior(node: int, guide: int, turn: int, tree: TreeContext) -> int:
    """Return the number of the child to visit; ties go to the first child from `turn` on,
    cyclically.
    """
    table = load(tree.pool, guide + MOVES) if guide != 0 else 0
    count = load(tree.pool, node + COUNT)
    player, first = load(tree.pool, node + MOVER), load(tree.pool, node + FIRST)
    best, chosen, number = -2, 0, turn
    for _ in range(count):
        child = first + number * width(tree.sides)
        value = value_with_prior(child, player, table, tree)
        if value > best:
            best, chosen = value, number
        number += 1
        if number == count:
            number = 0
    return chosen


def value_with_prior(node: int, player: int, table: int, tree: TreeContext) -> int:
    """Return the mean of the prior, the AMAF statistics and the playouts of a node, for a player.

    Without AMAF statistics, children without playouts come first.
    """
    proven = load(tree.pool, node + PROVEN)
    if proven != OPEN:
        return proven_value(proven, player)
    word, visits = load(tree.pool, node + NOTE), load(tree.pool, node + VISITS)
    prior, confidence = word >> _PRIOR_AT, load(tree.own, PRIOR)
    total, weight = load(tree.pool, node + TOTALS + player) << 15, 0
    if table == 0:
        return total // visits if visits != 0 else UNSEEN + prior
    known = load(tree.pool, table + ((word & _NOTE) >> PLAYER_BITS))
    games, bias = known >> GAMES_AT, load(tree.own, BIAS)
    if games != 0:
        weight = games * bias // (games + bias) + 1
        total += ((known & TOTAL) << 15) // games * weight
    return (total + prior * confidence) // (visits + weight + confidence)
