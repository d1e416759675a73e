"""Games of chance without a bound: whether a position may come again while nobody has won."""

from rulesengine.engine.drivers.core import Generator
from rulesengine.job import Job
from rulesengine.search.enumeration.layers import Enumerable
from rulesengine.state import State

# Random games that are looked at, and plies of each.
_GAMES, _PLIES = 32, 200


def comes_again(game: Enumerable, state: State, job: Job) -> bool:
    """Whether some game goes from a state to a position that was there before.

    It is seen in a few random games, so that rarely coming back may be missed. Raises Stopped.
    """
    return any(_goes_round(game, state, Generator(0, number), job) for number in range(_GAMES))


def _goes_round(game: Enumerable, state: State, draw: Generator, job: Job) -> bool:
    met = {state}
    for _ in range(_PLIES):
        job.poll()
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.apply(state, moves[draw.below(len(moves))])
        if state in met:
            return True
        met.add(state)
    return False
