"""The worker's part of a room: a move is validated, and chance events after it are drawn."""

from rulesengine.errors import NotationError, RulesError
from rulesengine.game import Game
from rulesengine.play import RANDOM, choose
from rulesengine.server.web.analysis import require_computer
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import Line
from rulesengine.server.web.request_fields import PositionRequest, number_of, text_of, texts_of
from rulesengine.state import State
from rulesengine.support.limits import MAX_PLIES

Table = dict[str, object]


def advance(line: Line, request: PositionRequest) -> Table:
    """Return the moves that a move leads to, and the position after them.

    An empty `move` makes the chance events of the current position only. `knowledge` has the
    keys of all information states, if the game hides something. Raises
    RequestError for an illegal move, a `start` in such a game, and invalid `computers`.
    """
    if line.problem:
        raise RequestError("game", line.problem)
    if line.knowledge and request.start:
        raise RequestError("game", "a game that hides something begins at its own first position")
    game = line.game
    for computer in texts_of(request.more, "computers", len(game.players)):
        require_computer(game, computer)
    try:
        return _advanced(line, request)
    except RulesError:
        if line.knowledge:  # the reason could reveal something
            raise RequestError("game", "this move cannot be made: a rule of it fails") from None
        raise


def _advanced(line: Line, request: PositionRequest) -> Table:
    """Return the response of `advance`. Raises RequestError for an illegal move."""
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
    after = line.after(tuple(str(one["text"]) for one in played)) if line.knowledge else line
    return {
        "players": list(game.players),
        "played": played,
        "mover": state.mover,
        "knowledge": {known.player or "": known.key.hex() for known in after.knowledge},
        "outcome": {"winner": outcome.winner, "reason": outcome.reason} if outcome else None,
    }


def _after(game: Game, state: State, text: str) -> tuple[State, str]:
    """Return the state after a legal move, and the move's text. Raises RequestError.

    The reason of an illegal move follows from the information state of the player to move.
    """
    if game.outcome(state) is not None:
        raise RequestError("game", "the game is over")
    try:
        move = game.find(text, state)
        reason = "" if move else game.why_not(text, state)
    except NotationError as error:
        move, reason = None, str(error)
    if move is None:
        raise RequestError("game", reason)
    return game.apply(state, move), str(move)
