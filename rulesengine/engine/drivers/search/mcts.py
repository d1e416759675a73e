"""Monte-Carlo tree search, as drivers: UCT with playouts and proven results.

Kocsis and Szepesvari, Bandit based Monte-Carlo planning (2006). Each player maximises its own
result (max^n). The arithmetic is integer: roots and logarithms come from the tables of
`fixed_point`. See decision 064.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, poll, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.random import draw, generator
from rulesengine.engine.drivers.search.amaf import opened
from rulesengine.engine.drivers.search.context import TreeContext
from rulesengine.engine.drivers.search.expansion import expand
from rulesengine.engine.drivers.search.leaf_playouts import (
    add_result,
    backpropagate,
    clear_results,
    play_leaf,
)
from rulesengine.engine.drivers.search.mcts_solver import prove
from rulesengine.engine.drivers.search.pattern_board import note_last
from rulesengine.engine.drivers.search.payoff_tree import add_payoff
from rulesengine.engine.drivers.search.prior_selection import note_of_word, selected_by_prior
from rulesengine.engine.drivers.search.progressive_widening import (
    add_child,
    needs_child,
    widened_child,
)
from rulesengine.engine.drivers.search.rollouts import UNPAID
from rulesengine.engine.drivers.search.tree_layout import (
    COUNT,
    DEEPEST,
    DRAWN,
    FIRST,
    GAMES,
    GREATEST_BELOW,
    MAXIMISES,
    MORE,
    MOST,
    NEXT,
    NOTE,
    NOTES,
    NUMBER,
    OFFSET,
    OPEN,
    PATH,
    PAUSE,
    PROVEN,
    REFERENCE,
    TREE,
    VISITS,
    WON_BY,
    width,
)
from rulesengine.engine.drivers.search.uct_selection import selected
from rulesengine.engine.drivers.search.virtual_loss import add_virtual_loss, reserve_playouts

S = TypeVar("S")
M = TypeVar("M")
_APART = 1 << 40  # offset between the random numbers of selection and of playouts


def grow(
    game: SearchFunctions[S, M],
    state: S,
    end: int,
    seed: Word,
    sides: int,
    own: Memory,
    pool: Memory,
) -> int:
    """Run iterations (selection, expansion, playouts, backpropagation) up to playout number `end`,
    exclusive.

    It ends earlier if the result of the root is proven. Return the number of the next playout.
    After a pause the same call continues without a difference in the results.
    """
    pause = load(pool, PAUSE)
    until = min(pause, end) if pause > 0 else end
    while load(pool, NEXT) < until and load(pool, TREE + PROVEN) == OPEN:
        poll(own)
        number = reserve_playouts(1, own, pool)
        if number >= end:
            break
        at, node, guide, length = state, add_virtual_loss(TREE, own, pool), 0, 1
        random = generator(seed, number + _APART)
        store(own, PATH, TREE)
        while load(pool, node + PROVEN) == OPEN and length < DEEPEST:
            if game.has_patterns(at):
                note_last(length, sides, own)
            if load(pool, node + COUNT) == 0:
                if load(pool, node + VISITS) < load(own, GAMES) and node != TREE:
                    break
                if expand(game, at, node, seed, sides, own, pool) == 0:
                    break
            elif needs_child(node, own, pool):
                add_child(game, at, node, seed, sides, own, pool)
            if load(pool, node + PROVEN) != OPEN:
                break
            guide = amaf_node(node, guide, own, pool)
            weight, more = game.weight(at), load(pool, node + MORE)
            random, turn = draw(random, weight if weight > 0 else load(pool, node + COUNT))
            if weight > 0:
                store(own, MAXIMISES, 0)
                chosen = game.branch(at, turn)
                node = load(pool, node + FIRST) + chosen * width(sides)
            elif more & MOST == 0:
                if game.has_patterns(at):
                    chosen = selected_by_prior(node, guide, turn, TreeContext(sides, own, pool))
                else:
                    chosen = selected(node, guide, turn, sides, own, pool)
                node = load(pool, node + FIRST) + chosen * width(sides)
            else:
                node = widened_child(node, own, pool)
                chosen = load(pool, node + NUMBER)
            moves = game.legal(at)
            at = game.apply(at, moves[chosen])
            note = load(pool, node + NOTE)
            store(own, NOTES + length - 1, note_of_word(note) if game.has_patterns(at) else note)
            store(own, PATH + length, add_virtual_loss(node, own, pool))
            length += 1
        if load(pool, node + PROVEN) == OPEN:
            play_leaf(game, at, number, end, seed, length, TreeContext(sides, own, pool))
        else:
            settled(node, length, sides, own, pool)
    return load(pool, NEXT)


def amaf_node(node: int, guide: int, own: Memory, pool: Memory) -> int:
    """Return the node that gives the AMAF statistics from here on: this one, once it has enough
    visits.
    """
    table, visits = opened(node, own, pool), load(pool, node + VISITS)
    return node if table != 0 and visits >= 2 * load(own, REFERENCE) else guide


def settled(node: int, length: int, sides: int, own: Memory, pool: Memory) -> int:
    """Backpropagate a proven result as that of a playout; return the winner."""
    proven = load(pool, node + PROVEN)
    winner = proven - WON_BY if proven > DRAWN else -1
    prove(length, sides, own, pool)
    clear_results(sides, own)
    if sides == 1:
        best = load(pool, node + GREATEST_BELOW)
        add_payoff(UNPAID if best == 0 else best - OFFSET, -1, length, own)
    else:
        add_result(winner, sides, own)
    backpropagate(1, length, sides, own, pool)
    return winner
