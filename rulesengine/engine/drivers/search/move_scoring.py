"""Table cutoffs, scores for move ordering and threats at the horizon, as drivers."""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.protocol import NO_THREAT, PARRIED, SearchFunctions
from rulesengine.engine.drivers.search.context import SearchContext, SearchNode
from rulesengine.engine.drivers.search.layout import (
    DEEPEST,
    DEPTH,
    ESTIMATED,
    FIXED_DEPTH,
    LARGE,
    PRUNES,
    TO_END,
    USES_SAFE_MOVES,
    VALUES,
    WHOLE_AT,
)
from rulesengine.engine.drivers.search.move_ordering import (
    by_lead,
    by_mobility,
    by_threats,
    replies,
)
from rulesengine.engine.drivers.search.path_key import key_of
from rulesengine.engine.drivers.search.position_value import from_table, is_searcher
from rulesengine.engine.drivers.search.safe_moves import lead
from rulesengine.engine.drivers.search.transposition_table import is_cutoff, probe_entry
from rulesengine.support.frozen import record

S = TypeVar("S")
M = TypeVar("M")


def table_cutoff(data: int, depth: int, alpha: int, beta: int, ply: int, own: Memory) -> bool:
    """True if a transposition table entry gives a cutoff; then `ESTIMATED` is set if its value was
    estimated.
    """
    if data == 0:
        return False
    value = from_table((data & VALUES) - LARGE, ply, own)
    reach = DEEPEST if load(own, TO_END) != 0 else depth
    if not is_cutoff(data, value, reach, alpha, beta, load(own, PRUNES) != 0):
        return False
    if data >> WHOLE_AT & 1 == 0:
        store(own, ESTIMATED, 1)
    return True


@record
class Scoring:
    """The kinds of scores that order the moves of a position.

    - `narrows`: rank moves by their number of replies.
    - `probes`: probe the transposition table for each successor.
    - `mine`: the searching player's team is to move.
    """

    narrows: bool
    probes: bool
    mine: bool


def move_score(
    game: SearchFunctions[S, M],
    state: S,
    soon: int,
    kinds: Scoring,
    node: SearchNode,
    search: SearchContext,
) -> tuple[int, int]:
    """Return a lower bound of a move if it causes a cutoff, else `-LARGE`; and its priority.

    `state` is the position after the move, and `node` belongs to the position before it. `soon` is
    the priority by killer moves and history.
    """
    if kinds.probes:
        value = successor_cutoff(game, state, kinds.mine, node, search)
        if value >= node.beta:
            return value, soon
    if kinds.narrows and game.has_safe_moves(state) and load(search.own, USES_SAFE_MOVES) != 0:
        return -LARGE, by_lead(soon, -lead(game, state, search.own))
    if kinds.narrows:
        return -LARGE, by_mobility(soon, replies(game, state))
    return -LARGE, by_threats(soon, game.threats(state))


def successor_cutoff(
    game: SearchFunctions[S, M], state: S, mine: bool, node: SearchNode, search: SearchContext
) -> int:
    """Return the table value of a successor if it causes a cutoff, else `-LARGE`.

    Enhanced transposition cutoff (Schaeffer and Plaat, 1996): to probe all successors before one is
    searched often avoids the search.
    """
    depth, beta, ply = node.depth - 1, node.beta, node.ply + 1
    data = probe_entry(key_of(game, state, ply, search.sides, search.own), search.own, search.table)
    if data == 0:
        return -LARGE
    value = from_table((data & VALUES) - LARGE, ply, search.own)
    if is_searcher(game, state, search.own) == mine:
        serving = value >= beta and table_cutoff(data, depth, beta - 1, beta, ply, search.own)
        return value if serving else -LARGE
    serving = -value >= beta and table_cutoff(data, depth, -beta, 1 - beta, ply, search.own)
    return -value if serving else -LARGE


def horizon_threat(game: SearchFunctions[S, M], state: S, ply: int, own: Memory) -> int:
    """Return the threats at the horizon, as `urgent` does; `NO_THREAT` in fixed-depth iterations.

    Forced moves are extended up to twice the depth of the iteration.
    """
    if not game.has_urgent(state) or load(own, FIXED_DEPTH) != 0 or ply >= DEEPEST:
        return NO_THREAT
    urgency = game.urgent(state)
    is_forced = urgency == PARRIED or urgency >= 0
    return NO_THREAT if is_forced and ply >= 2 * load(own, DEPTH) else urgency
