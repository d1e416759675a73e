"""The first lines of a game at a terminal: players with their signs, the turn, how to move."""

from rulesengine.play.players import HUMAN
from rulesengine.play.session import Session

_MOST_SIGNS = 8


def introduction(session: Session) -> str:
    """Return sentences on the players, the turn and the input, with a legal move as an example."""
    game, state = session.game, session.state
    mine = [name for name in game.players if session.players[name] == HUMAN]
    parts = [f"{game.name}. You are {' and '.join(_with_signs(session, name) for name in mine)}."]
    parts += [
        f"{_with_signs(session, name)} is played by {player}."
        for name, player in session.players.items()
        if player != HUMAN
    ]
    moves = game.legal_moves(state)
    if moves and not game.weights(state):
        parts.append(f"{state.mover} is to move.")
        if state.mover in mine:
            parts.append(f"Type a move, such as {moves[0]}.")
    return " ".join([*parts, "`?` lists the legal moves, `help` the commands."])


def _with_signs(session: Session, name: str) -> str:
    """Return a player with the symbols of its pieces, if there are some and not too many."""
    program = session.game.program
    side = session.game.players.index(name)
    signs = dict.fromkeys(kind.symbols[side] for kind in program.rules.kinds if kind.symbols[side])
    shown = " ".join(signs) if len(signs) <= _MOST_SIGNS else ""
    return f"{name} ({shown})" if shown else name
