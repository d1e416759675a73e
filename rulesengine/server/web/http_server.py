"""The HTTP server: it closes connections that do not send a request in time."""

import asyncio
import errno
import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from rulesengine.errors import UsageError
from rulesengine.server.web.app import make_app
from rulesengine.server.web.rooms.lobby import Lobby, RoomLimits
from rulesengine.server.web.static_files import StaticFiles
from rulesengine.server.web.worker_pool import Limits, Pool

_HEAD_SECONDS = 10.0  # until the head of a request must be complete
_BROKEN_SECONDS = 1.0  # until a malformed request is answered
_IDLE_SECONDS = 60  # that a connection may idle between two requests
_LAST_SECONDS = 2  # for pending answers at shutdown
_CONNECTIONS, _SPARED = 1_024, 128  # concurrent connections, and descriptors reserved for the rest
_BACKLOG = 512
_TICK = 0.1  # seconds between two polls of uvicorn's state


def serve(host: str, port: int, fragment: str = "") -> None:
    """Serve until a signal; the printed address ends with a fragment.

    Raises UsageError for an address that cannot be bound.
    """
    listening = _bound(host, port)
    with listening:
        address = listening.getsockname()
        shown = f"[{address[0]}]" if ":" in address[0] else address[0]
        print(f"http://{shown}:{address[1]}/{fragment} serves the page; Ctrl-C ends it", flush=True)  # noqa: T201
        HttpServer(host).run(sockets=[listening])


class HttpServer(uvicorn.Server):
    """The server; a signal ends workers first, so no request delays the shutdown."""

    _woken: Callable[[], object] | None = None

    def __init__(
        self,
        host: str,
        limits: Limits | None = None,
        pages: StaticFiles | None = None,
        rooms: RoomLimits | None = None,
    ) -> None:
        self._pool, self._lobby = Pool(limits), Lobby(rooms)
        app = make_app(self._pool, host, pages=pages, lobby=self._lobby)
        super().__init__(_configured(app))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self._woken:
            self._woken()

    async def main_loop(self) -> None:
        bell, ticks = asyncio.Event(), 0
        self._woken = partial(asyncio.get_running_loop().call_soon_threadsafe, bell.set)
        while not await self.on_tick(ticks):
            ticks += 1
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(bell.wait(), _TICK)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._lobby.close()
        await self._pool.close()
        await super().shutdown(sockets)


def _configured(app: ASGIApp) -> uvicorn.Config:
    """Configure uvicorn: HTTP only, with as many connections as there are descriptors."""
    return uvicorn.Config(
        app,
        http=_Impatient,
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_most_connections(),
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )


def _bound(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises UsageError."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, number)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(_BACKLOG)
        except BaseException:
            listening.close()
            raise
    except OSError as error:
        raise UsageError(_bind_problem(host, port, error)) from None
    return listening


def _bind_problem(host: str, port: int, error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return f"--host: `{host[:60]}` is no address of this machine"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: choose another one with `--port`"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host: `{host[:60]}` is no address of this machine"
    return f"port {port}: {(error.strerror or 'cannot be had').lower()}"


def _most_connections() -> int:
    """Return the limit of connections; the descriptor limit is raised if possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _CONNECTIONS + _SPARED
    if soft < most:
        soft = most if hard == resource.RLIM_INFINITY else min(hard, most)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(_CONNECTIONS, soft - _SPARED))


class _Impatient(H11Protocol):
    """A protocol that closes connections with an incomplete request head after a timeout.

    Malformed requests are answered after a delay, so a flood of them costs little. See
    decision 070.
    """

    _timer: asyncio.TimerHandle | None = None
    _broken: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._timer is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        if self._broken is not None:
            self._broken.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        self.transport.pause_reading()
        self._broken = self.loop.call_later(_BROKEN_SECONDS, super().send_400_response, msg)

    def _wait(self) -> None:
        self._timer = self.loop.call_later(_HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
