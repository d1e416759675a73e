"""The position of a game's picture: that of `picture` in its spec, or one of a random game."""

from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.state import Move, State

_PLIES = 14  # plies of a random game at most
_FULL = 4  # pieces; a board with fewer shows little


def picture_position(game: Game) -> tuple[State, Move | None]:
    """Return the position of a game's picture, and the move that led to it if there is one.

    It is the position of `picture`, up to the first move that is not legal, as in a variant or with
    other parameters. Otherwise it is the initial one, or if that is nearly empty a position of a
    random game. Chance moves do not count as plies, so an initial deal is complete.
    """
    look = game.rules.look
    if look is not None and look.picture is not None:
        return _declared(game, *look.picture)
    return _played(game)


def _declared(game: Game, position: str, moves: tuple[str, ...]) -> tuple[State, Move | None]:
    last: Move | None = None
    try:
        state = game.state_from(position) if position else game.initial_state()
    except RulesError:
        return _played(game)
    try:
        for text in moves:
            move = game.move(text, state)
            state, last = game.apply(state, move), move
    except RulesError:
        return (state, last) if last or position else _played(game)
    return state, last


def _played(game: Game) -> tuple[State, Move | None]:
    state, last = game.initial_state(), None
    draw, plies = Generator(1, 0), 0 if _is_full(state) else _PLIES
    while plies:
        plies -= not game.weights(state)
        moves = game.legal_moves(state)
        move = moves[draw.below(len(moves))]
        following = game.apply(state, move)
        if game.outcome(following) is not None:
            break
        state, last = following, move
    return state, last


def _is_full(state: State) -> bool:
    """True if the board shows enough: pieces, or numbers at cells."""
    cells = range(len(state.form.cells))
    numbers = (n.at(c, state.registers) for n in state.form.numbers for c in cells)
    return any(numbers) or sum(mask.bit_count() for mask in state.planes) > _FULL
