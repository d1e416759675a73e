"""Proof-number search, as drivers: whether a player reaches a goal, depth first (df-pn).

A position has two numbers: how much is left to be shown to prove that the player for whom is asked
gets at least the goal, and to disprove it. Where it is his turn one move is enough for a proof;
where it is not, all are needed. The move that needs least is gone into until its numbers exceed
limits that come from above, beyond which another one would need less (Nagai, 2002). What all moves
need is taken to be what the hardest one does, and one more for each other that is open: positions
that are reached on several ways would be counted several times in a sum (Ueda et al., 2008).

What is proved or disproved follows from ends of the game alone, so that it holds wherever a
position comes from; rules that read the past are not for this search. Positions that come again and
again are never decided by it.
"""

from typing import TypeVar

from rulesengine.engine.drivers.core import CALM, PARRIED, UNFINISHED, WON_NOW, Judged, word
from rulesengine.engine.drivers.memory import Memory, Word, load, poll, store
from rulesengine.engine.drivers.search.component_key import position_key
from rulesengine.engine.drivers.search.layout import (
    DEPTH_AT,
    ENDED,
    LIMIT,
    NODES,
    PARTS_SIZE,
    POINTS,
    ROOM,
    SELF,
)
from rulesengine.engine.drivers.search.position_value import lead, team
from rulesengine.engine.drivers.search.transposition_table import entry_of, remember

S = TypeVar("S")
M = TypeVar("M")

# Beside the words of the head that `layout` names.
GOAL = 8  # what the player for whom is asked has to get: points, or 1 for a win, 0, -1
PARTS = 16  # what a position is the sum of, as `layout` says
FIRST = PARTS + PARTS_SIZE  # for each move of the positions in hand, its two numbers in one word

DEEPEST = 240  # plies from the position that is asked of
_BITS = 16
NEVER = (1 << _BITS) - 1  # the number of what cannot be shown; one of the two of what is decided


def numbers(proof: int, disproof: int) -> int:
    """Both numbers of a position in one."""
    return proof << _BITS | disproof


def proof_of(both: int) -> int:
    return both >> _BITS


def disproof_of(both: int) -> int:
    return both & NEVER


def proved(
    game: Judged[S, M],
    state: S,
    most_proof: int,
    most_disproof: int,
    ply: int,
    base: int,
    sides: int,
    own: Memory,
    table: Memory,
) -> int:
    """The numbers of a position that goes on, once one of them is no less than its limit.

    The numbers of its moves stand from `base` on.
    """
    nodes = load(own, NODES)
    if nodes >= load(own, LIMIT) or ply >= DEEPEST:
        store(own, ENDED, 1)
        return numbers(1, 1)
    store(own, NODES, nodes + 1)
    poll(own)
    moves = game.legal(state)
    count = len(moves)
    if not moves:
        return decided(game, state, sides, own)
    if base + count > load(own, ROOM):
        store(own, ENDED, 1)
        return numbers(1, 1)
    mine = team(game, state, own)
    settled = numbers(0, NEVER) if mine else numbers(NEVER, 0)
    lost = numbers(NEVER, 0) if mine else numbers(0, NEVER)
    haste = game.urgent(state)
    at = base
    for move in moves:
        both = lost
        searched = haste < 0 or at == base + haste
        if haste == PARRIED:
            searched = game.parries(state, move)
        if searched:
            after = game.apply(state, move)
            both = known(game, after, sides, own, table)
        store(own, at, both)
        at += 1
        if both == settled:
            break
    least, second, most, others, chosen = front(base, at - base, mine, own)
    low, high = most_proof, most_disproof
    if not mine:
        low, high = high, low
    while least < low and needed(most, others) < high:
        after = game.apply(state, moves[chosen])
        near, left = min(low, second + second // 4 + 1), high - others
        both = proved(
            game,
            after,
            near if mine else left,
            left if mine else near,
            ply + 1,
            base + count,
            sides,
            own,
            table,
        )
        if load(own, ENDED) != 0:
            return numbers(1, 1)
        store(own, base + chosen, both)
        least, second, most, others, chosen = front(base, count, mine, own)
    both = numbers(least, needed(most, others)) if mine else numbers(needed(most, others), least)
    data = both + (effort(load(own, NODES) - nodes) << DEPTH_AT)
    remember(key_of(game, state, sides, own), data, own, table)
    return both


def front(base: int, count: int, mine: bool, own: Memory) -> tuple[int, int, int, int, int]:
    """What the moves of a position need to decide it for who is to move, and against him.

    For him: the least of them, the next, and at the end which one has the least. Against him: what
    the hardest needs, and how many others are open.
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
    """What the hardest move and some others need together; what is open stays so."""
    return most if most == NEVER else min(most + others, NEVER - 1)


def known(game: Judged[S, M], state: S, sides: int, own: Memory, table: Memory) -> int:
    """The numbers of a position as far as they are known without its moves."""
    if game.winner(state) != UNFINISHED:
        return decided(game, state, sides, own)
    haste = game.urgent(state)
    if haste < CALM and haste != PARRIED:
        return won_by(team(game, state, own) == (haste == WON_NOW), own)
    data = entry_of(key_of(game, state, sides, own), own, table)
    if data != 0:
        return data & (1 << 2 * _BITS) - 1
    moves = game.legal(state)
    if not moves:
        return decided(game, state, sides, own)
    count = len(moves) if haste == CALM else 1
    return numbers(1, count) if team(game, state, own) else numbers(count, 1)


def kept_proof(data: int) -> int:
    """The number of a proof in an entry of the table."""
    return data >> _BITS & NEVER


def decided(game: Judged[S, M], state: S, sides: int, own: Memory) -> int:
    """The numbers of a position in which nobody can move any more."""
    result = 0
    winner = game.winner(state)
    if load(own, POINTS) != 0 and winner != UNFINISHED:
        result = lead(game, state, sides, own)
    elif winner >= 0:
        return won_by(winner == load(own, SELF), own)
    return numbers(0, NEVER) if result >= load(own, GOAL) else numbers(NEVER, 0)


def won_by(mine: bool, own: Memory) -> int:
    """The numbers of a position that is won, by the player for whom is asked or against him."""
    result = 1 if mine else -1
    return numbers(0, NEVER) if result >= load(own, GOAL) else numbers(NEVER, 0)


def key_of(game: Judged[S, M], state: S, sides: int, own: Memory) -> Word:
    """The key of a position and what is asked of it."""
    # By whose turn it is, not by who asks: the key of a sum does not tell sides apart.
    mine = int(team(game, state, own))
    asked = word((load(own, GOAL) * 2 + mine) * 16 + sides)
    return position_key(game, state, asked, PARTS, own)


def effort(nodes: int) -> int:
    """How much work a number of positions was: twice as many are one more."""
    found = 0
    while nodes > 0:
        nodes = nodes // 2
        found += 1
    return found
