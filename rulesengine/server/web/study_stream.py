"""A small study of a game, streamed as its games are played."""

import time
from collections.abc import Callable

from rulesengine.contests.study import NOTHING, Design, IncrementalStudy, binned, heat_map, named
from rulesengine.server.web.analysis import seconds_of
from rulesengine.server.web.game_cache import Line
from rulesengine.server.web.position import theme_of
from rulesengine.server.web.request_fields import PositionRequest, number_of

Table = dict[str, object]
_PLAYERS = ("mcts:playouts=10", "mcts:playouts=40")
_GAMES, _MOST_GAMES = 40, 200
_PAUSE = 0.5  # seconds between two lines


def study(line: Line, request: PositionRequest, emit: Callable[[Table], None]) -> None:
    """Play games from the initial position of the spec, within the time limit of a request."""
    games = number_of(request.more, "games", _GAMES, _MOST_GAMES) or _GAMES
    seed = number_of(request.more, "seed", 0, 2**64 - 1)
    until, due = time.monotonic() + seconds_of(request.more), 0.0
    growing = IncrementalStudy(
        line.game, Design(_PLAYERS, games, samples=games, judge=0, seed=seed)
    )
    for _ in growing.play():
        now = time.monotonic()
        if now >= until:
            break
        if now >= due:
            emit({"done": False, **_findings_to_json(growing, request)})
            due = time.monotonic() + _PAUSE
    emit({"done": True, **_findings_to_json(growing, request)})


def _findings_to_json(growing: IncrementalStudy, request: PositionRequest) -> Table:
    findings = growing.findings()
    theme = theme_of(request.more)
    return {
        "players": list(_PLAYERS),
        "games": growing.games_played,
        "total": growing.total,
        "numbers": [[name, value] for name, value in named(findings) if value != NOTHING],
        "lengths": [[plies, count] for plies, count in binned(findings.lengths).items()],
        "unused": list(findings.unused),
        "svg": heat_map(growing.game, findings.cells, theme) if findings.cells else "",
    }
