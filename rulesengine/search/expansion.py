"""Nodes of a tree search get their children, and what these prove of them.

Winands, Bjornsson and Saito, Monte-Carlo tree search solver (2008).
"""

from typing import TypeVar

from rulesengine.drivers import UNFINISHED, Judged
from rulesengine.memory import Memory, load, store
from rulesengine.search.statistics import note_of
from rulesengine.search.tree_layout import (
    COUNT,
    DRAWN,
    END,
    FIRST,
    MOVER,
    NOTE,
    OPEN,
    PATH,
    PROVEN,
    ROOM,
    SLOTS,
    WON_BY,
    width,
)

S = TypeVar("S")
M = TypeVar("M")


def expanded(game: Judged[S, M], state: S, node: int, sides: int, own: Memory) -> int:
    """How many children a node has now: none at an end, and where there is no room for them."""
    moves = game.legal(state)
    count, first = len(moves), load(own, END)
    if count == 0:
        close(node, game.winner(state), own)
        return 0
    if first + count * width(sides) > load(own, ROOM):
        return 0
    player, ended = game.mover(state), False
    child = first
    for move in moves:
        if load(own, SLOTS) != 0:
            store(own, child + NOTE, note_of(game.code(move), player, own))
        after = game.apply(state, move)
        winner = game.winner(after)
        if winner != UNFINISHED:
            close(child, winner, own)
            ended = True
        child += width(sides)
    store(own, END, first + count * width(sides))
    store(own, node + FIRST, first)
    store(own, node + COUNT, count)
    store(own, node + MOVER, player)
    if ended:
        store(own, node + PROVEN, proof(node, sides, own))
    return count


def close(node: int, winner: int, own: Memory) -> int:
    """Note that the game is over here; gives what that proves."""
    proven = DRAWN if winner < 0 else winner + WON_BY
    store(own, node + COUNT, -1)
    store(own, node + PROVEN, proven)
    return proven


def prove(length: int, sides: int, own: Memory) -> int:
    """What the last node of the line in hand, a proven one, proves of those before it.

    Gives how many nodes are proven now.
    """
    for i in range(1, length):
        node = load(own, PATH + length - 1 - i)
        if load(own, node + PROVEN) == OPEN:
            store(own, node + PROVEN, proof(node, sides, own))
        if load(own, node + PROVEN) == OPEN:
            return i
    return length


def proof(node: int, sides: int, own: Memory) -> int:
    """What a node's children prove of it."""
    player, first = load(own, node + MOVER), load(own, node + FIRST)
    if player < 0:
        return common_proof(first, load(own, node + COUNT), sides, own)
    lost = OPEN
    is_open, is_drawn = False, False
    for number in range(load(own, node + COUNT)):
        proven = load(own, first + number * width(sides) + PROVEN)
        if proven == player + WON_BY:
            return proven
        is_open = is_open or proven == OPEN
        is_drawn = is_drawn or proven == DRAWN
        lost = proven
    if is_open:
        return OPEN
    return DRAWN if is_drawn else lost


def common_proof(first: int, count: int, sides: int, own: Memory) -> int:
    """What so many nodes all prove: where chance is to move, each may come about."""
    found = load(own, first + PROVEN)
    for number in range(1, count):
        if load(own, first + number * width(sides) + PROVEN) != found:
            return OPEN
    return found
