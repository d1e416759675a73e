"""Temporal-difference learning of pattern weights by self-play, as drivers.

TD(lambda) (Sutton, 1988) with lambda-returns, computed backwards from the end of each game. Moves
are greedy by a one-ply search, except random exploration moves. Games with chance have none
(Tesauro, 1995). The step size of each weight is adapted by temporal coherence (Beal and Smith,
1999), as used for n-tuple networks (Jaśkowski, 2018). The arithmetic is integer.

The value of a position is a sigmoid of a sum of weights, or that sum for the payoffs of a single
player. A fit adds the lead by the evaluation of the rules to the sum. See decision 184.
"""

from typing import TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, load, poll, store
from rulesengine.engine.drivers.protocol import UNFINISHED, SearchFunctions
from rulesengine.engine.drivers.random import draw, generator
from rulesengine.engine.drivers.search.layout import LARGE, STAKE
from rulesengine.engine.drivers.search.payoff_scale import expected_payoff, fixed_point
from rulesengine.engine.drivers.search.sigmoid import ONE, apply_sigmoid
from rulesengine.engine.drivers.search.td_layout import (
    BASE,
    DONE,
    EXPLORATION_INTERVAL,
    EXPLORES,
    FARTHEST,
    FINE,
    HEAD,
    KNOWN,
    LAST,
    LEADS,
    LONGEST,
    MOST,
    OPENING,
    PAYS,
    PLIES,
    POSITIONS,
    SIZE,
    SLOW,
    TRACE,
    UNIT,
    WAYS,
    WHOLE,
    WIDTH,
    WINNER,
    entries_of,
)

S = TypeVar("S")
M = TypeVar("M")


def lessons(
    game: SearchFunctions[S, M],
    start: S,
    seed: Word,
    first: int,
    games: int,
    own: Memory,
    weights: Memory,
) -> int:
    """Learn from self-play games; return the number of all games played.

    An interruption discards the game in progress.
    """
    for number in range(first, first + games):
        plies, winner = played(game, start, seed, number, own, weights, own)
        learn(plies, winner, game.is_single(start), own, weights, own)
        store(own, PLIES, plies)
        store(own, WINNER, winner)
        store(own, DONE, load(own, DONE) + 1)
    return load(own, DONE)


def played(
    game: SearchFunctions[S, M],
    start: S,
    seed: Word,
    number: int,
    own: Memory,
    weights: Memory,
    record: Memory,
) -> tuple[int, int]:
    """Play a game and record the features of its positions; return its length and the winner."""
    state = start
    random = generator(seed, number)
    random, opening = draw(random, OPENING)
    most, width, base = load(own, MOST), load(own, WIDTH), load(own, BASE)
    plies = 0
    for ply in range(most):
        poll(own)
        moves = game.legal(state)
        if not moves:
            break
        viewer = game.active_entries(state, record, base + entries_of(ply, most, width))
        if load(own, UNIT) != 0:
            lead = lead_of(game, state, viewer, own)
            store(record, base + load(own, LEADS) + ply, lead)
        weight = game.weight(state)
        random, turn = draw(random, EXPLORATION_INTERVAL)
        random, chosen = draw(random, weight if weight > 0 else len(moves))
        explores = weight == 0 and load(own, EXPLORES) != 0 and (turn == 0 or ply < opening)
        if weight > 0:
            chosen = game.branch(state, chosen)
        elif not explores:
            chosen = best_of(game, state, own, weights)
        store(record, base + HEAD + 2 * ply, viewer)
        store(record, base + HEAD + 2 * ply + 1, int(explores))
        state = game.apply(state, moves[chosen])
        plies = ply + 1
    winner = game.winner(state)
    if game.is_single(state) and winner != UNFINISHED:
        store(own, LAST, end_value(game, state, own))
    return plies, winner


def best_of(game: SearchFunctions[S, M], state: S, own: Memory, weights: Memory) -> int:
    """Return the number of the first move with the maximum value for its player."""
    moves = game.legal(state)
    mover = game.mover(state)
    best, chosen, number = -LARGE, 0, -1
    for move in moves:
        number += 1
        after = game.apply(state, move)
        value = position_value(game, after, mover, own, weights)
        if value > best:
            best, chosen = value, number
    store(own, POSITIONS, load(own, POSITIONS) + number + 1)
    return chosen


def position_value(
    game: SearchFunctions[S, M], state: S, player: int, own: Memory, weights: Memory
) -> int:
    """Return the value of a position for a player."""
    winner = game.winner(state)
    if winner != UNFINISHED:
        return end_value(game, state, own) if game.is_single(state) else result(winner, player)
    viewer = game.viewer(state)
    lead = lead_of(game, state, viewer, own)
    value = value_of(game.weigh(state, weights) + lead, own)
    return value if viewer == player else -value


def lead_of(game: SearchFunctions[S, M], state: S, viewer: int, own: Memory) -> int:
    """Return the lead of a player by the evaluation of the rules, as a sum of weights."""
    unit = load(own, UNIT)
    if unit == 0:
        return 0
    lead = game.by_rules(state, viewer) - game.by_rules(state, 1 - viewer)
    return max(-FARTHEST, min(FARTHEST, lead)) * ONE // unit


def end_value(game: SearchFunctions[S, M], state: S, own: Memory) -> int:
    """Return the value of the end of a game of one player."""
    payoff = game.score(state, 0)
    return fixed_point(payoff) if load(own, PAYS) != 0 else STAKE * payoff


def result(winner: int, player: int) -> int:
    """Return the value of the end of a game for a player; an unfinished game counts as drawn."""
    if winner < 0:
        return 0
    return STAKE if winner == player else -STAKE


def value_of(sum_of_weights: int, own: Memory) -> int:
    """Return the value of a position with a sum of weights."""
    if load(own, PAYS) != 0:
        return expected_payoff(sum_of_weights)
    return apply_sigmoid(sum_of_weights)


def total(at: int, width: int, record: Memory, weights: Memory) -> int:
    """Return the sum of the weights with the indices at an address."""
    sum_of_weights = 0
    for i in range(width):
        sum_of_weights += load(weights, load(record, at + i))
    return sum_of_weights


def learn(
    plies: int, winner: int, is_single: bool, own: Memory, weights: Memory, record: Memory
) -> int:
    """Update the weights of all positions of a recorded game towards their lambda-returns.

    A position before an exploration move is not updated, nor is the last one of a game that was
    broken off without a payoff. Return the lambda-return of the first position.
    """
    most, width, base = load(own, MOST), load(own, WIDTH), load(own, BASE)
    return_after, viewer_after = 0, 0
    for back in range(plies):
        ply = plies - 1 - back
        at = base + entries_of(ply, most, width)
        viewer = load(record, base + HEAD + 2 * ply)
        lead = 0
        if load(own, UNIT) != 0:
            lead = load(record, base + load(own, LEADS) + ply)
        value = value_of(total(at, width, record, weights) + lead, own)
        goal = value
        if load(record, base + HEAD + 2 * ply + 1) == 0:
            if back == 0 and is_single:
                goal = last_goal(winner, value, own)
            elif back == 0:
                goal = result(winner, viewer)
            else:
                goal = return_after if viewer_after == viewer else -return_after
            move_towards(goal, value, at, own, weights, record)
        return_after, viewer_after = value + (goal - value) * TRACE // WHOLE, viewer
    return return_after


def last_goal(winner: int, value: int, own: Memory) -> int:
    """Return the goal of the last position of a single player, which has a value."""
    if winner != UNFINISHED:
        return load(own, LAST)
    return value if load(own, PAYS) != 0 else 0


def move_towards(
    goal: int, value: int, at: int, own: Memory, weights: Memory, record: Memory
) -> int:
    """Update the weights at an address so that their sum, `value`, approaches a goal.

    Return the total change at full coherence, when all earlier changes of each weight had one sign.
    """
    net_changes, width = load(own, WAYS), load(own, WIDTH)
    lengths = net_changes + load(own, SIZE)
    step = goal - value
    if load(own, PAYS) == 0:
        left = STAKE - max(value, -value)
        step = step * (left * left // STAKE) * ONE // STAKE // STAKE
    for i in range(width):
        entry = load(record, at + i)
        net_change, length = load(weights, net_changes + entry), load(weights, lengths + entry)
        if length > LONGEST:
            net_change, length = net_change // 2, length // 2
        steady = 1 << KNOWN
        if length > 0:
            steady = min(steady, max(net_change, -net_change) // max(1, length >> KNOWN))
        change = step * steady // (width << (KNOWN + load(own, SLOW)))
        store(weights, entry, load(weights, entry) + change)
        store(weights, net_changes + entry, net_change + (step >> FINE))
        store(weights, lengths + entry, length + (max(step, -step) >> FINE))
    return step
