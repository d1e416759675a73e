"""A random game of the interpreter, as a measure of its speed and of the length of games."""

from time import thread_time

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import RulesError
from rulesengine.support.frozen import record

_MOST_SECONDS = 0.03
_LEAST_SECONDS = 1e-6  # of a ply, where the clock is too coarse
_TYPICAL_SECONDS = 1e-3  # of a ply, where the rules fail


@record
class GameSample:
    """The interpreter's seconds for a ply, and the number of plies of a game."""

    seconds: float
    plies: int


def sample_game(machine: Interpreter, most: int, typical: int) -> GameSample:
    """Play a random game of at most `most` plies and about 0.03 s, and measure it.

    `typical` is the length of a game that does not end.
    """
    draw, plies, is_over = Generator(0, 0), 0, False
    try:
        state = machine.initial_state()
        machine.legal(state)  # the first call prepares the interpreter
        start_time = thread_time()
        while plies < most and thread_time() - start_time < _MOST_SECONDS:
            moves = machine.legal(state)
            is_over = not moves
            if is_over:
                break
            weights = machine.weights(state) if machine.is_chance(state) else (1,) * len(moves)
            state = machine.apply(state, moves[draw.among(weights)])
            plies += 1
    except RulesError:
        return GameSample(_TYPICAL_SECONDS, typical)
    seconds = (thread_time() - start_time) / max(plies, 1)
    return GameSample(max(seconds, _LEAST_SECONDS), plies if is_over else max(plies, typical))
