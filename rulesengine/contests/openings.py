"""Random openings, determined by the seed: equal for all pairings and all games of a round."""

from rulesengine.engine.drivers.random import Generator, fold, word
from rulesengine.game import Game
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

_ATTEMPTS = 20
_SALT = 0x6F70656E696E67  # separates this stream from the games of the same seed


@record
class Opening:
    """The moves of an opening, the state after them and the one before them.

    `first` is None for the initial state.
    """

    moves: tuple[Move, ...]
    state: State
    first: State | None = None


def opening(game: Game, seed: int, number: int, plies: int) -> Opening:
    """Return the opening of a round: `plies` random plies, fewer if all attempts end the game."""
    draw = Generator(fold(word(seed), _SALT), number)
    for length in range(plies, 0, -1):
        for _ in range(_ATTEMPTS):
            line = _random_plies(game, draw, length)
            if line:
                return line
    return Opening((), game.initial_state())


def _random_plies(game: Game, draw: Generator, plies: int) -> Opening | None:
    """Return `plies` random plies, or None if the game is over by then."""
    state, moves, left = game.initial_state(), list[Move](), plies
    while True:
        legal = game.legal_moves(state)
        if not legal or left == 0:
            return Opening(tuple(moves), state) if legal else None
        weights = game.weights(state)
        left -= not weights
        moves.append(legal[draw.among(weights or [1] * len(legal))])
        state = game.apply(state, moves[-1], check=False)
