"""The operations by name, as functions of a request, in a worker process or in a browser.

See decision 155.
"""

import json
from collections.abc import Callable
from contextlib import nullcontext
from types import MappingProxyType
from typing import Any

from rulesengine.server.web import (
    analysis,
    gallery,
    game_records,
    spec_operations,
    study_stream,
    variants,
)
from rulesengine.server.web.encoding import encoded
from rulesengine.server.web.errors import STATUS, RequestError, error_body, refusal
from rulesengine.server.web.game_cache import GameCache, Line
from rulesengine.server.web.player_view import player_view
from rulesengine.server.web.position import position
from rulesengine.server.web.request_fields import JsonObject, PositionRequest
from rulesengine.server.web.rooms.advance import advance
from rulesengine.server.web.worker_environment import without_cache
from rulesengine.support.frozen import record

Table = dict[str, object]
# A response or a line of it, its status, and true for the last line.
Emit = Callable[[bytes, int, bool], None]

MAX_RESPONSE = 4 * 1024 * 1024  # bytes of a response, or of a line of it

_OF_TEXT: MappingProxyType[str, Callable[[GameCache, PositionRequest], Table]] = MappingProxyType(
    {
        "check": spec_operations.check,
        "complete": spec_operations.complete,
        "format": spec_operations.format,
        "hover": spec_operations.hover,
        "rules": spec_operations.rules,
        "test": spec_operations.test,
        "transforms": variants.transforms,
    }
)
_OF_LINE: MappingProxyType[str, Callable[[Line, PositionRequest], Table]] = MappingProxyType(
    {
        "account": spec_operations.explain_move,
        "advance": advance,
        "play": analysis.play,
        "position": position,
        "record": game_records.record_text,
        "view": player_view,
        "why": spec_operations.check_move,
    }
)
_STREAMS: MappingProxyType[str, Callable[[Line, PositionRequest, Callable[[Table], None]], None]]
_STREAMS = MappingProxyType(
    {"annotate": analysis.annotate, "search": analysis.search, "study": study_stream.study}
)
# Operations on bundled specs for the server itself, and reading of records.
_OWN: MappingProxyType[str, Callable[[GameCache, JsonObject], Table]]
_OWN = MappingProxyType(
    {
        "read": game_records.record_game,
        "gallery-row": gallery.row,
        "gallery-picture": gallery.picture,
    }
)

_AHEAD = frozenset({"play", *_STREAMS})
_OF_ROOMS = frozenset({"advance", "view"})  # for the server itself
NAMES = frozenset({*_OF_TEXT, *_OF_LINE, *_STREAMS, "read"} - _OF_ROOMS)
STREAMS = frozenset(_STREAMS)
# They take longer than a response to a click may take.
LONG = STREAMS | {"test", "transforms"}
# They parse the text of a spec and play no moves.
READING = frozenset({"check", "complete", "format", "hover"})
# The response depends only on the request, so it can be cached.
PURE = frozenset({*_OF_TEXT, "account", "position", "why"} - {"test"})


@record
class Dispatcher:
    """A dispatcher of requests, with the game cache of this process."""

    games: GameCache

    def dispatch(self, name: str, body: bytes, emit: Emit) -> None:
        """Handle a request; every exception becomes an error response."""
        try:
            fields = json.loads(body)
            if not isinstance(fields, dict):
                raise RequestError("request", "expected an object of JSON")
            response = self._run(name, fields, lambda line: emit(_encoded(line), 200, False))
            emit(_encoded(response) if response is not None else b"", 200, True)
        except Exception as error:
            payload = error_body(error)
            emit(_encoded(payload), _status(payload), True)

    def _run(
        self, name: str, fields: dict[str, Any], emit: Callable[[Table], None]
    ) -> Table | None:
        """Return the response; None if it was streamed."""
        if name in _OWN:
            return _OWN[name](self.games, fields)
        request = PositionRequest.of(fields)
        with nullcontext() if request.spec.name else without_cache():
            return self._of_game(name, request, emit)

    def _of_game(
        self, name: str, request: PositionRequest, emit: Callable[[Table], None]
    ) -> Table | None:
        if name in _OF_TEXT:
            return _OF_TEXT[name](self.games, request)
        line = self.games.line(request, ahead=name in _AHEAD)
        if name in _OF_LINE:
            return _OF_LINE[name](line, request)
        _STREAMS[name](line, request, emit)
        return None


def _status(payload: Table) -> int:
    error = payload["error"]
    assert isinstance(error, dict)
    return STATUS[error["kind"]]


def _encoded(payload: Table) -> bytes:
    """Encode a line of JSON; an oversized one is replaced by an error."""
    data = encoded(payload).encode("utf-8", "replace")
    if len(data) > MAX_RESPONSE:
        payload = refusal("limit", "the response exceeds the size limit")
        data = encoded(payload).encode()
    return data + b"\n"
