"""Drivers of matches: weights that correct the evaluation of the rules, against the rules alone.

Both players search the same number of positions by iterative deepening, without a table. See
decision 184.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, load, poll, store
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.random import draw, generator, word
from rulesengine.engine.drivers.search.alpha_beta import search_round
from rulesengine.engine.drivers.search.context import SearchContext
from rulesengine.engine.drivers.search.layout import (
    CERTAIN,
    CHOSEN,
    DEEPEST,
    DEPTH,
    DONE,
    ESTIMATED,
    HISTORY,
    LENGTHS,
    LIMIT,
    LIMIT_REACHED,
    NODES,
    ROOT,
    SEARCHER,
    VALUE,
)
from rulesengine.engine.drivers.search.match_layout import (
    GAMES,
    LONGEST,
    NODES_EACH,
    OPENING,
    PLAYED,
    POINTS,
    TAIL,
    UNIT,
)

S = TypeVar("S")
M = TypeVar("M")


def play_match(
    game: SearchFunctions[S, M], start: S, match: Memory, weights: Memory, search: SearchContext
) -> int:
    """Play the games of a match; return the points of the weights.

    Each opening is played from both sides. The match ends when neither player can change its
    result. An interruption discards the game in progress.
    """
    games = load(match, GAMES)
    for number in range(load(match, PLAYED), games):
        winner = match_winner(game, start, number, match, weights, search)
        gain = 1 if winner < 0 else 2 if winner == number % 2 else 0
        points = load(match, POINTS) + gain
        store(match, POINTS, points)
        store(match, PLAYED, number + 1)
        if points > games or points + 2 * (games - 1 - number) <= games:
            break
    return load(match, POINTS)


def match_winner(
    game: SearchFunctions[S, M],
    start: S,
    number: int,
    match: Memory,
    weights: Memory,
    search: SearchContext,
) -> int:
    """Play a game of a match; return the number of the winner, negative without one.

    The weights play for the player `number % 2`.
    """
    state = start
    random = generator(word(number // 2), 0)
    for ply in range(load(match, LONGEST)):
        poll(match)
        moves = game.legal(state)
        if not moves:
            break
        count, weight = len(moves), game.weight(state)
        random, chosen = draw(random, weight if weight > 0 else count)
        if weight > 0:
            chosen = game.branch(state, chosen)
        elif ply >= load(match, OPENING) and count > 1:
            mover = game.mover(state)
            unit = load(match, UNIT) if mover == number % 2 else 0
            store(weights, load(match, TAIL), unit)
            chosen = searched(game, state, load(match, NODES_EACH), search)
        state = game.apply(state, moves[chosen])
    return game.winner(state)


def searched(game: SearchFunctions[S, M], state: S, nodes: int, search: SearchContext) -> int:
    """Return the number of the move that a search of some positions chooses."""
    moves = game.legal(state)
    count = len(moves)
    for place in range(HISTORY, LENGTHS):
        store(search.own, place, 0)
    for turn in range(count):
        store(search.own, ROOT + turn, turn)
    store(search.own, NODES, 0)
    store(search.own, LIMIT, nodes)
    store(search.own, LIMIT_REACHED, 0)
    store(search.own, SEARCHER, game.mover(state))
    best = 0
    for depth in range(1, DEEPEST):
        store(search.own, DEPTH, depth)
        store(search.own, DONE, 0)
        store(search.own, ESTIMATED, 0)
        finished = search_round(game, state, depth, search)
        if load(search.own, DONE) > 0:
            best = load(search.own, CHOSEN)
        is_sure = max(load(search.own, VALUE), -load(search.own, VALUE)) >= CERTAIN
        if finished < count or is_sure or load(search.own, ESTIMATED) == 0:
            break
        put_first(best, count, search.own)
    return best


def put_first(best: int, count: int, own: Memory) -> int:
    """Move the best move to the front of the root moves; return its earlier place."""
    place = 0
    for turn in range(count):
        if load(own, ROOT + turn) == best:
            place = turn
    for back in range(place):
        store(own, ROOT + place - back, load(own, ROOT + place - back - 1))
    store(own, ROOT, best)
    return place
