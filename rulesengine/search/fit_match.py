"""Matches of a fit against the rules, which decide how much of its correction counts.

See decision 184.
"""

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.job import Job
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.method_trial import TrialGame
from rulesengine.search.searches import start_search

_GAMES = 20  # from ten openings, each played from both sides
_OPENING = 4  # random plies at the start
_LONGEST = 200  # maximum plies; a longer game is a draw
_BUDGET = Budget(nodes=100, method="alpha-beta")  # of a move


def beats_the_rules(
    game: TrialGame, dispatcher: Dispatcher, weights: LearnedWeights, job: Job
) -> bool:
    """True if an evaluation with weights wins more than half of the points against the rules.

    The match has a fixed seed and counts of positions, so that its result is reproducible. It ends
    when no other result is possible.
    """
    points = 0
    for number in range(_GAMES):
        winner = _winner(game, dispatcher, weights, number, job)
        points += 1 if winner is None else 2 * (winner == game.players[number % 2])
        left = _GAMES - 1 - number
        if points > _GAMES or points + 2 * left <= _GAMES:
            break
    return points > _GAMES


def _winner(
    game: TrialGame, dispatcher: Dispatcher, weights: LearnedWeights, number: int, job: Job
) -> str | None:
    """Play a game and return its winner; the weights play for one player."""
    state, draw = dispatcher.machine.initial_state(), Generator(number // 2, 0)
    for ply in range(_LONGEST):
        moves = game.legal_moves(state)
        if not moves or game.outcome(state) is not None:
            break
        chances = dispatcher.weights(state)
        if chances or ply < _OPENING or len(moves) == 1:
            chosen = draw.among(chances or [1] * len(moves))
        else:
            used = weights if state.mover == game.players[number % 2] else None
            search = start_search(dispatcher, state, len(moves), _BUDGET, Settings(), used)
            search.run(job)
            chosen = search.order[0]
        state = game.apply(state, moves[chosen], check=False)
    outcome = game.outcome(state)
    return outcome.winner if outcome else None
