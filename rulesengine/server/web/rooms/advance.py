"""The worker's part of a room: a move is validated, and chance events after it are drawn."""

from rulesengine.game import Game
from rulesengine.play import RANDOM, choose
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import Line
from rulesengine.server.web.request_fields import PositionRequest, number_of, text_of
from rulesengine.state import State
from rulesengine.support.limits import MAX_PLIES

Table = dict[str, object]


def advance(line: Line, request: PositionRequest) -> Table:
    """Return the moves that a move leads to, and the position after them.

    An empty `move` makes the chance events of the current position only. Raises RequestError for an
    illegal move.
    """
    if line.problem:
        raise RequestError("game", line.problem)
    game, state, played = line.game, line.state, list[Table]()
    text = text_of(request.more, "move")
    if text:
        state, move = _after(game, state, text)
        played.append({"text": move, "player": line.state.mover})
    seed = number_of(request.more, "seed", 0, 2**64 - 1)
    while game.outcome(state) is None and game.weights(state):
        if len(line.moves) + len(played) >= MAX_PLIES:
            raise RequestError("limit", f"a game has at most {MAX_PLIES} moves")
        event = choose(game, state, RANDOM, seed, len(line.moves) + len(played))
        assert event is not None
        played.append({"text": str(event), "player": None})
        state = game.apply(state, event)
    outcome = game.outcome(state)
    return {
        "players": list(game.players),
        "played": played,
        "mover": state.mover,
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }


def _after(game: Game, state: State, text: str) -> tuple[State, str]:
    """Return the state after a legal move, and the move's text. Raises RequestError."""
    if game.outcome(state) is not None:
        raise RequestError("game", "the game is over")
    move = game.find(text, state)
    if move is None:
        raise RequestError("game", game.why_not(text, state))
    return game.apply(state, move), str(move)
