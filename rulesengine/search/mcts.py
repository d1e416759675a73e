"""Monte-Carlo tree search, as drivers: UCT over random games, with results that are proven.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning (2006). Each player wants most for itself.
Numbers are whole: roots and logarithms stand in tables that `roots` fills.
"""

from typing import TypeVar

from rulesengine.drivers import Judged, draw, generator
from rulesengine.memory import Memory, Word, load, poll, store
from rulesengine.search.expansion import expanded, prove
from rulesengine.search.sampling import count_result, sampled
from rulesengine.search.selection import selected
from rulesengine.search.statistics import opened
from rulesengine.search.tree_layout import (
    COUNT,
    DEEPEST,
    DRAWN,
    FIRST,
    GAMES,
    NOTE,
    NOTED,
    NOTES,
    OPEN,
    PATH,
    PLAYOUTS,
    PROVEN,
    REFERENCE,
    TREE,
    VISITS,
    WON_BY,
    width,
)

S = TypeVar("S")
M = TypeVar("M")
_APART = 1 << 40  # so that the tree and the random games draw different numbers


def grow(
    game: Judged[S, M], state: S, first: int, end: int, seed: Word, sides: int, own: Memory
) -> int:
    """Random games by their numbers, from new places of the tree; how many were played.

    It ends before `end` if the result of the position is proven.
    """
    number = first
    while number < end and load(own, TREE + PROVEN) == OPEN:
        poll(own)
        at, node, guide, length = state, TREE, 0, 1
        random = generator(seed, number + _APART)
        store(own, PATH, TREE)
        while load(own, node + PROVEN) == OPEN and length < DEEPEST:
            if load(own, node + COUNT) == 0:
                if load(own, node + VISITS) < load(own, GAMES) and node != TREE:
                    break
                if expanded(game, at, node, sides, own) == 0:
                    break
                if load(own, node + PROVEN) != OPEN:
                    break
            guide = guiding(node, guide, own)
            weight = game.weight(at)
            random, turn = draw(random, weight if weight > 0 else load(own, node + COUNT))
            chosen = (
                game.branch(at, turn) if weight > 0 else selected(node, guide, turn, sides, own)
            )
            moves = game.legal(at)
            at = game.apply(at, moves[chosen])
            node = load(own, node + FIRST) + chosen * width(sides)
            store(own, NOTES + length - 1, load(own, node + NOTE))
            store(own, PATH + length, node)
            length += 1
        if load(own, node + PROVEN) == OPEN:
            number = sampled(game, at, number, end, seed, length, sides, own)
        else:
            number = settled(node, number, length, sides, own)
    return number


def guiding(node: int, guide: int, own: Memory) -> int:
    """The node whose statistics of moves serve from here on: this one, once they tell enough."""
    table, visits = opened(node, own), load(own, node + VISITS)
    return node if table != 0 and visits >= 2 * load(own, REFERENCE) else guide


def settled(node: int, number: int, length: int, sides: int, own: Memory) -> int:
    """Take a proven result for that of a random game; the number behind that of this one."""
    proven = load(own, node + PROVEN)
    prove(length, sides, own)
    store(own, NOTED, length - 1)
    store(own, PLAYOUTS, number + 1)
    count_result(proven - WON_BY if proven > DRAWN else -1, length, sides, own)
    return number + 1
