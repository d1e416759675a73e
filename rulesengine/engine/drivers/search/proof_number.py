"""Depth-first proof-number search (df-pn), as drivers: proves if a player reaches a goal.

A position has a proof number and a disproof number for the goal of the searching player. At a node
of that player one move is enough for a proof; at a node of the opponent all are needed. The search
descends into the most promising move until its numbers exceed thresholds, beyond which another move
is more promising (Nagai, 2002). The number of a conjunction is the maximum over the moves plus one
for each other open move. A sum would count transpositions several times (Ueda et al., 2008).

Proofs depend on ends of the game alone, so that they hold for any path to a position. Rules that
read earlier positions are not supported. Positions that repeat are never decided.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, poll, store
from rulesengine.engine.drivers.protocol import (
    NO_THREAT,
    PARRIED,
    UNFINISHED,
    WON_NOW,
    SearchFunctions,
)
from rulesengine.engine.drivers.random import word
from rulesengine.engine.drivers.search.component_key import position_key
from rulesengine.engine.drivers.search.context import SearchContext
from rulesengine.engine.drivers.search.layout import (
    DEPTH_AT,
    LIMIT,
    LIMIT_REACHED,
    NODES,
    PARTS_SIZE,
    POINTS,
    ROOM,
    SEARCHER,
)
from rulesengine.engine.drivers.search.position_value import is_searcher, lead
from rulesengine.engine.drivers.search.transposition_table import probe_entry, store_entry

S = TypeVar("S")
M = TypeVar("M")

# In addition to the words of the head in `layout`.
GOAL = 8  # the goal of the searching player: points, or 1 for a win, 0, -1
PARTS = 16  # the components of a position, laid out as in `layout`
# for each move of the positions on the path: its two numbers in one word
FIRST = PARTS + PARTS_SIZE

DEEPEST = 240  # plies from the root
_BITS = 16
NEVER = (1 << _BITS) - 1  # infinity: one of the two numbers of a decided position


def numbers(proof: int, disproof: int) -> int:
    """Pack the proof and disproof number of a position in one."""
    return proof << _BITS | disproof


def proof_of(both: int) -> int:
    return both >> _BITS


def disproof_of(both: int) -> int:
    return both & NEVER


def proved(
    game: SearchFunctions[S, M],
    state: S,
    most_proof: int,
    most_disproof: int,
    ply: int,
    base: int,
    search: SearchContext,
) -> int:
    """Return the numbers of a position in progress, once one of them reaches its threshold.

    The numbers of its moves are stored from `base` on.
    """
    nodes = load(search.own, NODES)
    if nodes >= load(search.own, LIMIT) or ply >= DEEPEST:
        store(search.own, LIMIT_REACHED, 1)
        return numbers(1, 1)
    store(search.own, NODES, nodes + 1)
    poll(search.own)
    moves = game.legal(state)
    count = len(moves)
    if not moves:
        return final_numbers(game, state, search.sides, search.own)
    if base + count > load(search.own, ROOM):
        store(search.own, LIMIT_REACHED, 1)
        return numbers(1, 1)
    mine = is_searcher(game, state, search.own)
    settled = numbers(0, NEVER) if mine else numbers(NEVER, 0)
    lost = numbers(NEVER, 0) if mine else numbers(0, NEVER)
    urgency = game.urgent(state)
    at = base
    for move in moves:
        both = lost
        searched = urgency < 0 or at == base + urgency
        if urgency == PARRIED:
            searched = game.parries(state, move)
        if searched:
            after = game.apply(state, move)
            both = initial_numbers(game, after, search.sides, search.own, search.table)
        store(search.own, at, both)
        at += 1
        if both == settled:
            break
    least, second, most, others, chosen = child_numbers(base, at - base, mine, search.own)
    low, high = most_proof, most_disproof
    if not mine:
        low, high = high, low
    while least < low and needed(most, others) < high:
        after = game.apply(state, moves[chosen])
        proof_limit, left = min(low, second + second // 4 + 1), high - others
        proof, disproof = proof_limit if mine else left, left if mine else proof_limit
        both = proved(game, after, proof, disproof, ply + 1, base + count, search)
        if load(search.own, LIMIT_REACHED) != 0:
            return numbers(1, 1)
        store(search.own, base + chosen, both)
        least, second, most, others, chosen = child_numbers(base, count, mine, search.own)
    both = numbers(least, needed(most, others)) if mine else numbers(needed(most, others), least)
    data = both + (effort(load(search.own, NODES) - nodes) << DEPTH_AT)
    store_entry(key_of(game, state, search.sides, search.own), data, search.own, search.table)
    return both


def child_numbers(base: int, count: int, mine: bool, own: Memory) -> tuple[int, int, int, int, int]:
    """Return the numbers that select the next move, from the moves' numbers.

    For the player to move: the least and second least number, and at the end the move with the
    least one. For the opponent: the greatest number, and the number of other open moves.
    """
    least, second, chosen = NEVER, NEVER, 0
    most, others = 0, -1
    for number in range(count):
        both = load(own, base + number)
        one, every = proof_of(both), disproof_of(both)
        if not mine:
            one, every = every, one
        if one < least:
            least, second, chosen = one, least, number
        elif one < second:
            second = one
        if every > 0:
            most = max(most, every)
            others += 1
    return least, second, most, max(others, 0), chosen


def needed(most: int, others: int) -> int:
    """Return the combined number of the hardest move and other open ones; an open number stays
    finite.
    """
    return most if most == NEVER else min(most + others, NEVER - 1)


def initial_numbers(
    game: SearchFunctions[S, M], state: S, sides: int, own: Memory, table: Memory
) -> int:
    """Return the numbers of a position without a search, from its end, its threats or the table."""
    if game.winner(state) != UNFINISHED:
        return final_numbers(game, state, sides, own)
    urgency = game.urgent(state)
    if urgency < NO_THREAT and urgency != PARRIED:
        return won_by(is_searcher(game, state, own) == (urgency == WON_NOW), own)
    data = probe_entry(key_of(game, state, sides, own), own, table)
    if data != 0:
        return data & (1 << 2 * _BITS) - 1
    moves = game.legal(state)
    if not moves:
        return final_numbers(game, state, sides, own)
    count = len(moves) if urgency == NO_THREAT else 1
    return numbers(1, count) if is_searcher(game, state, own) else numbers(count, 1)


def proof_of_entry(data: int) -> int:
    """Return the proof number of a table entry."""
    return data >> _BITS & NEVER


def final_numbers(game: SearchFunctions[S, M], state: S, sides: int, own: Memory) -> int:
    """Return the numbers of a position without legal moves."""
    result = 0
    winner = game.winner(state)
    if load(own, POINTS) != 0 and winner != UNFINISHED:
        result = lead(game, state, sides, own)
    elif winner >= 0:
        return won_by(winner == load(own, SEARCHER), own)
    return numbers(0, NEVER) if result >= load(own, GOAL) else numbers(NEVER, 0)


def won_by(mine: bool, own: Memory) -> int:
    """Return the numbers of a position that is won by the searching player or by the opponent."""
    result = 1 if mine else -1
    return numbers(0, NEVER) if result >= load(own, GOAL) else numbers(NEVER, 0)


def key_of(game: SearchFunctions[S, M], state: S, sides: int, own: Memory) -> Word:
    """Return the table key of a position and its goal."""
    # The key includes a flag that the searching player is to move, since the key of a sum does not
    # distinguish sides.
    mine = int(is_searcher(game, state, own))
    extra = word((load(own, GOAL) * 2 + mine) * 16 + sides)
    return position_key(game, state, extra, PARTS, own)


def effort(nodes: int) -> int:
    """Return the logarithm of a number of nodes: it grows by one when they double."""
    logarithm = 0
    while nodes > 0:
        nodes = nodes // 2
        logarithm += 1
    return logarithm
