"""Detection of games of chance without a bound on their length: a position may repeat."""

from rulesengine.engine.drivers.random import Generator
from rulesengine.job import Job
from rulesengine.search.enumeration.layers import Enumerable
from rulesengine.state import State

# Number of random games, and maximum plies of each.
_GAMES, _PLIES = 32, 200


def has_repetition(game: Enumerable, state: State, job: Job) -> bool:
    """True if some game from a state returns to an earlier position.

    It is a test on a few random games, so that rare repetitions may be missed. Raises Stopped.
    """
    return any(_goes_round(game, state, Generator(0, number), job) for number in range(_GAMES))


def _goes_round(game: Enumerable, state: State, draw: Generator, job: Job) -> bool:
    visited = {state}
    for _ in range(_PLIES):
        job.raise_if_stopped()
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.apply(state, moves[draw.below(len(moves))])
        if state in visited:
            return True
        visited.add(state)
    return False
