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
from rulesengine.server.web.position import position
from rulesengine.server.web.request_fields import JsonObject, PositionRequest
from rulesengine.server.web.rooms.advance import advance
from rulesengine.server.web.worker_environment import without_cache
from rulesengine.support.frozen import record

Table = dict[str, object]
# an answer or a line of it, its status, and whether it is the last
Emit = Callable[[bytes, int, bool], None]

MOST_ANSWER = 4 * 1024 * 1024  # bytes of an answer, or of a line of it

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
_OF_ROOMS = frozenset({"advance"})  # for the server itself
NAMES = frozenset({*_OF_TEXT, *_OF_LINE, *_STREAMS, "read"} - _OF_ROOMS)
STREAMS = frozenset(_STREAMS)
# They take longer than a response to a click may take.
LONG = STREAMS | {"test", "transforms"}
# They parse the text of a spec and play no moves.
READING = frozenset({"check", "complete", "format", "hover"})
# The answer depends only on the request, so it can be cached.
PURE = frozenset({*_OF_TEXT, "account", "position", "why"} - {"test"})


@record
class Dispatcher:
    """A dispatcher of requests, with the game cache of this process."""

    games: GameCache

    def answer(self, name: str, body: bytes, tell: Emit) -> None:
        """Handle a request; every exception becomes an error response."""
        try:
            given = json.loads(body)
            if not isinstance(given, dict):
                raise RequestError("request", "expected an object of JSON")
            found = self._answer(name, given, lambda line: tell(_encoded(line), 200, False))
            tell(_encoded(found) if found is not None else b"", 200, True)
        except Exception as error:
            told = error_body(error)
            tell(_encoded(told), _status(told), True)

    def _answer(
        self, name: str, given: dict[str, Any], tell: Callable[[Table], None]
    ) -> Table | None:
        """Return the answer; None if it was streamed."""
        if name in _OWN:
            return _OWN[name](self.games, given)
        asked = PositionRequest.of(given)
        with nullcontext() if asked.spec.name else without_cache():
            return self._of_game(name, asked, tell)

    def _of_game(
        self, name: str, asked: PositionRequest, tell: Callable[[Table], None]
    ) -> Table | None:
        if name in _OF_TEXT:
            return _OF_TEXT[name](self.games, asked)
        line = self.games.line(asked, ahead=name in _AHEAD)
        if name in _OF_LINE:
            return _OF_LINE[name](line, asked)
        _STREAMS[name](line, asked, tell)
        return None


def _status(told: Table) -> int:
    error = told["error"]
    assert isinstance(error, dict)
    return STATUS[error["kind"]]


def _encoded(told: Table) -> bytes:
    """Encode a line of JSON; an oversized one is replaced by an error."""
    data = encoded(told).encode("utf-8", "replace")
    if len(data) > MOST_ANSWER:
        told = refusal("limit", "the answer is longer than an answer may be")
        data = encoded(told).encode()
    return data + b"\n"
