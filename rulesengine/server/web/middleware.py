"""ASGI middleware: validation of hosts and origins, body limits, and security headers.

The server belongs to one user on one machine. A page of another site in the same browser must not
be able to send requests to it. The check of Origin rejects requests from its own origin, and that
of Host prevents DNS rebinding.
"""

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address
from types import MappingProxyType

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulesengine.server.web.errors import STATUS, RequestError, refusal

MOST_BODY = 1024 * 1024
_MAX_RECEIVED = 16 * MOST_BODY
_BODY_SECONDS = 10.0  # until the body of a request must be complete
_TURN_SECONDS = 0.01  # between two chunks of oversized bodies, for all clients together

_POLICY = "; ".join(
    (
        "default-src 'self'",  # includes requests by scripts (fetch)
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
# A standalone picture contains a style and nothing else.
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


def error_response(error: RequestError) -> Response:
    """Return the error response of a rejected request."""
    response = JSONResponse(refusal(error.kind, str(error)), STATUS[error.kind])
    if error.kind == "busy":
        response.headers["retry-after"] = "2"
    if error.kind in ("size", "late", "foreign"):
        response.headers["connection"] = "close"
    return response


class OriginGuard:
    """The middleware around an application."""

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
        except RequestError as error:
            await error_response(error)(scope, receive, sent)
        else:
            await self._app(scope, _Limited(receive, _content_length(headers), self._turns), sent)

    def _require_own(self, headers: Headers) -> None:
        """Raise RequestError for a request to another host or from another origin."""
        host = headers.get("host", "")
        if not is_own(host, self._host):
            raise RequestError("foreign", f"this server is not `{host[:60]}`")
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise RequestError("foreign", "this server answers its own page only")


def is_own(host: str, bound: str) -> bool:
    """True if the Host of a request is the address of this server.

    An attacker could point any name at this machine, so only `localhost` and the bound name are
    accepted. IP addresses cannot be redirected.
    """
    name = _name(host)
    if name and name in ("localhost", bound.lower()):
        return True
    try:
        return ip_address(name).is_loopback or not _is_loopback(bound)
    except ValueError:
        return False


def _content_length(headers: Headers) -> int:
    """Return the declared length of a body; 0 if there is none."""
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _name(host: str) -> str:
    """Return a host without its port and brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_loopback(bound: str) -> bool:
    try:
        return ip_address(bound).is_loopback
    except ValueError:
        return bound.lower() == "localhost"


class _Limited:
    """A body with limits on its length and time.

    The rest of an oversized body is read for a while, since most clients read the response only
    after they have sent the request. Oversized bodies share one rate limit, so they cost other
    clients little.
    """

    def __init__(self, receive: Receive, length: int, turns: asyncio.Lock) -> None:
        self._receive, self._turns = receive, turns
        self._is_long = length > MOST_BODY
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
            if self._is_whole or self._length > _MAX_RECEIVED:
                raise RequestError("size", f"a request has at most {MOST_BODY} bytes")

    async def _next(self) -> Message:
        """Return the next message. Raises RequestError on timeout."""
        try:
            async with asyncio.timeout_at(self._until):
                if self._is_long:
                    async with self._turns:
                        await asyncio.sleep(_TURN_SECONDS)
                message = await self._receive()
        except TimeoutError:
            raise RequestError("late", "the request has not come in time") from None
        self._length += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        return message


class _Guarded:
    """A response with security headers."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)
