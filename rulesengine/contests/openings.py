"""Openings drawn by seed: the same for all pairings, and for all games of a round."""

from rulesengine.engine.drivers.random import Generator, fold, word
from rulesengine.game import Game
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

_TRIES = 20
_SALT = 0x6F70656E696E67  # keeps what is drawn apart from the games of the same seed


@record
class Opening:
    """Moves from the start of a game, and where they lead to: the game goes on there."""

    moves: tuple[Move, ...]
    state: State


def opening(game: Game, seed: int, number: int, plies: int) -> Opening:
    """The opening of a round: so many plies at random, fewer where games are over by then."""
    draw = Generator(fold(word(seed), _SALT), number)
    for length in range(plies, 0, -1):
        for _ in range(_TRIES):
            found = _drawn(game, draw, length)
            if found:
                return found
    return Opening((), game.initial_state())


def _drawn(game: Game, draw: Generator, plies: int) -> Opening | None:
    """Random moves that take so many plies; None if the game does not go on after them."""
    state, moves, left = game.initial_state(), list[Move](), plies
    while True:
        legal = game.legal_moves(state)
        if not legal or left == 0:
            return Opening(tuple(moves), state) if legal else None
        weights = game.weights(state)
        left -= not weights
        moves.append(legal[draw.among(weights or [1] * len(legal))])
        state = game.apply(state, moves[-1], check=False)
