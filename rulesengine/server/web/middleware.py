"""What every request and every answer goes through: who may ask, how much, and what a page may do.

The server is one person's, on one machine: a page of somebody else that is open in the same
browser must not be able to ask it anything, by its own name (Origin) or by ours (Host, which is
what stops DNS rebinding).
"""

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address
from types import MappingProxyType

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulesengine.server.web.errors import STATUS, Refused, refusal

MOST_BODY = 1024 * 1024
_MOST_HEARD = 16 * MOST_BODY
_BODY_SECONDS = 10.0  # until a request must be here
_TURN_SECONDS = 0.01  # between two parts of bodies that are too long, of all clients together

_POLICY = "; ".join(
    (
        "default-src 'self'",  # what a page asks by a script among it
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "media-src 'none'",
        "frame-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
# A picture by itself has a style inside and nothing else.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "content-security-policy": _POLICY,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
    }
)


def answer_of(error: Refused) -> Response:
    """What is answered instead."""
    answer = JSONResponse(refusal(error.kind, str(error)), STATUS[error.kind])
    if error.kind == "busy":
        answer.headers["retry-after"] = "2"
    if error.kind in ("size", "late", "foreign"):
        answer.headers["connection"] = "close"
    return answer


class Guard:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app, self._host = app, host
        self._turns = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent = _Guarded(send)
        try:
            headers = Headers(scope=scope)
            self._require_own(headers)
        except Refused as error:
            await answer_of(error)(scope, receive, sent)
        else:
            await self._app(scope, _Limited(receive, _told_length(headers), self._turns), sent)

    def _require_own(self, headers: Headers) -> None:
        """Raise Refused for a request that is meant for, or comes from, another site."""
        host = headers.get("host", "")
        if not is_own(host, self._host):
            raise Refused("foreign", f"this server is not `{host[:60]}`")
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Refused("foreign", "this server answers its own page only")


def is_own(host: str, bound: str) -> bool:
    """Whether the Host of a request is the address that the server listens at.

    A name would do for whoever can let it lead here: only `localhost` and the one that the server
    was told to listen at are taken. Addresses are not given away by others.
    """
    name = _name(host)
    if name and name in ("localhost", bound.lower()):
        return True
    try:
        return ip_address(name).is_loopback or not _is_loopback(bound)
    except ValueError:
        return False


def _told_length(headers: Headers) -> int:
    """How long a body is said to be; 0 where that is not said."""
    told = headers.get("content-length", "")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 20 else 0


def _name(host: str) -> str:
    """A host without its port, and without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_loopback(bound: str) -> bool:
    try:
        return ip_address(bound).is_loopback
    except ValueError:
        return bound.lower() == "localhost"


class _Limited:
    """Gives a body up to its limits of length and of time.

    One that is too long is heard for a while, since most clients listen when they have spoken;
    all such are heard by turns, so that they take little from others.
    """

    def __init__(self, receive: Receive, told: int, turns: asyncio.Lock) -> None:
        self._receive, self._turns = receive, turns
        self._is_long = told > MOST_BODY
        self._length = 0
        self._is_whole = False
        self._until = asyncio.get_running_loop().time() + _BODY_SECONDS

    async def __call__(self) -> Message:
        if self._is_whole:
            return await self._receive()
        while True:
            message = await self._next()
            self._is_long |= self._length > MOST_BODY
            if not self._is_long:
                return message
            if self._is_whole or self._length > _MOST_HEARD:
                raise Refused("size", f"a request has at most {MOST_BODY} bytes")

    async def _next(self) -> Message:
        """What comes next. Raises Refused where it comes too late."""
        try:
            async with asyncio.timeout_at(self._until):
                if self._is_long:
                    async with self._turns:
                        await asyncio.sleep(_TURN_SECONDS)
                message = await self._receive()
        except TimeoutError:
            raise Refused("late", "the request has not come in time") from None
        self._length += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        return message


class _Guarded:
    """Sends an answer with what a browser has to keep to."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)
