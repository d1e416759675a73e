"""Operations that search: the move of a player, values of moves, annotation of a game."""

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Any

from rulesengine.engine.drivers.search.result import METHODS, Budget, SearchResult, Value
from rulesengine.errors import LimitError, Stopped
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play import annotated, choose
from rulesengine.play.players import HUMAN, RANDOM, require_player
from rulesengine.play.players.search_players import budget_of, is_informed
from rulesengine.play.players.seated_players import SeatedPlayers
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.game_cache import Line
from rulesengine.server.web.request_fields import JsonObject, PositionRequest, number_of, text_of
from rulesengine.server.web.value_display import shown_found, shown_value

if TYPE_CHECKING:
    from rulesengine.engine.observation import InformationState
    from rulesengine.state import State

Table = dict[str, object]
Emit = Callable[[Table], None]

MOST_SECONDS = 10.0
_USUAL_SECONDS = 3.0
_REPLAY_SECONDS = 4.0  # of a search in a game with hidden information
_MOST_NODES, _NOTE_NODES = 10_000_000, 2_000
_MEMORY = 16  # megabytes of a transposition table or a search tree
_PAUSE = 0.25  # seconds between two lines of a search


def play(line: Line, request: PositionRequest) -> Table:
    """Return the move of a computer player, with the search result if it searches.

    `substitute` is the player that has moved where a search of an information state has failed.
    """
    player, seed = text_of(request.more, "player"), number_of(request.more, "seed", 0, 2**64 - 1)
    game, state = line.game, line.state
    require_computer(game, player)
    number = seed + len(line.moves)
    budget = budget_of(game, player, number)
    if game.outcome(state) is not None or not game.legal_moves(state):
        return _moved(None)
    if game.weights(state):
        return _moved(choose(game, state, RANDOM, seed, len(line.moves)))
    if budget is None:
        return _moved(SeatedPlayers().choose(game, state, player, line.moves, seed))
    try:
        result = _searched(line, budget, number, None)
    except (LimitError, Stopped):
        if not game.is_hidden:
            raise
        substitute = _substitute(game)
        move = choose(game, state, substitute, seed, len(line.moves))
        return {**_moved(move), "substitute": substitute}
    return {**_moved(result.move), **shown_found(result, _point(line), line.game.win_chance)}


def _substitute(game: Game) -> str:
    """Return the player for a position with too many or no known histories to search."""
    return next((name for name in game.strategies if name != game.rules.playouts), RANDOM)


def require_computer(game: Game, player: str) -> None:
    """Raise RequestError or UsageError unless a text is that of a computer player of the page."""
    if player == HUMAN or not player:
        raise RequestError("request", "`player`: expected a computer player, such as `random`")
    require_player(game, player, is_trusted=False)


def _moved(move: object) -> Table:
    none = dict.fromkeys(("value", "line", "depth", "nodes", "seconds"))
    return {"move": None if move is None else str(move), **none}


def search(line: Line, request: PositionRequest, emit: Emit) -> None:
    """Stream the values of all legal moves as they improve."""
    due = [0.0]

    def report(result: SearchResult) -> None:
        if time.monotonic() >= due[0]:
            emit({"done": False, **shown_found(result, _point(line), line.game.win_chance)})
            due[0] = time.monotonic() + _PAUSE

    result = _searched(line, _budget(request.more), len(line.moves), report)
    emit({"done": True, **shown_found(result, _point(line), line.game.win_chance)})


def _searched(
    line: Line, budget: Budget, seed: int, each: Callable[[SearchResult], None] | None
) -> SearchResult:
    """Search within the time limit of a request, whatever the budget is."""
    seconds, job = min(budget.seconds or MOST_SECONDS, MOST_SECONDS), Job()
    # The replay of the moves that a player noticed has no limit of its own.
    timer = Timer(_REPLAY_SECONDS, job.stop)
    if line.game.is_hidden:
        seconds = min(seconds, _REPLAY_SECONDS)
        with suppress(RuntimeError):  # a browser has no threads
            timer.start()
    try:
        return _search(line, budget, seconds, seed, each, job)
    finally:
        timer.cancel()


def _search(
    line: Line,
    budget: Budget,
    seconds: float,
    seed: int,
    each: Callable[[SearchResult], None] | None,
    job: Job,
) -> SearchResult:
    return line.game.search(
        _subject(line, budget),
        seconds=seconds,
        nodes=budget.nodes,
        plies=budget.plies,
        playouts=budget.playouts,
        method=budget.method,
        noise=budget.noise,
        evaluation=budget.evaluation,
        memory=_MEMORY,
        seed=seed,
        each=each,
        job=job,
    )


def _subject(line: Line, budget: Budget) -> "State | InformationState":
    """Return the state to search, or the information state of the mover."""
    if not is_informed(line.game, budget):
        return line.state
    known = (one for one in line.knowledge if one.player == line.state.mover)
    return next(known, None) or line.game.information_state(
        line.moves, line.state.mover, line.states[0]
    )


def _budget(fields: JsonObject) -> Budget:
    method = text_of(fields, "method") or "auto"
    if method not in METHODS:
        raise RequestError("request", f"`method`: expected {', '.join(METHODS)}")
    nodes = number_of(fields, "nodes", 0, _MOST_NODES) or None
    # A client that gives only a node limit has the full time of a request.
    seconds = None if nodes and "seconds" not in fields else seconds_of(fields)
    return Budget(seconds, nodes, method=method).checked()


def seconds_of(fields: JsonObject) -> float:
    """Return the wall-clock seconds for an answer. Raises RequestError."""
    seconds: Any = fields.get("seconds", _USUAL_SECONDS)
    if type(seconds) not in (int, float) or not 0 < seconds <= MOST_SECONDS:
        raise RequestError(
            "request", f"`seconds`: expected more than 0 and at most {MOST_SECONDS:g}"
        )
    return float(seconds)


def _shown(line: Line, value: Value) -> Table:
    return shown_value(value, _point(line), chance=line.game.win_chance(value))


def _point(line: Line) -> int:
    """Return the number of units of the score that make one point."""
    return line.game.program.rules.units


def annotate(line: Line, request: PositionRequest, emit: Emit) -> None:
    """Stream the value of each move of the line, within the time limit of a request."""
    nodes = number_of(request.more, "nodes", _NOTE_NODES, _MOST_NODES) or _NOTE_NODES
    for note in annotated(line.game, line.states, line.moves, nodes):
        emit(
            {
                "done": False,
                "ply": note.ply,
                "player": note.player,
                "move": str(note.move),
                "before": _shown(line, note.before),
                "best": str(note.best),
                "after": _shown(line, note.after),
                "turns": note.turns,
            }
        )
    emit({"done": True})
