"""The ASGI application: routes requests to static files, bundled games and workers."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from rulesengine.server.web.bundled_games import BundledGames
from rulesengine.server.web.errors import RequestError, refusal
from rulesengine.server.web.lru import LruCache
from rulesengine.server.web.middleware import PICTURE_POLICY, OriginGuard, error_response
from rulesengine.server.web.operations import LONG, NAMES, PURE, READING, STREAMS
from rulesengine.server.web.request_fields import game_key, resolved_name
from rulesengine.server.web.rooms.lobby import Lobby
from rulesengine.server.web.rooms.routes import RoomRequests
from rulesengine.server.web.static_files import StaticFiles
from rulesengine.server.web.worker_handle import Frame
from rulesengine.server.web.worker_pool import Pool
from rulesengine.server.web.worker_request import WorkerRequest

_JSON, _LINES = "application/json", "application/x-ndjson"
_CACHE_SIZE, _MAX_CACHED_BYTES = (
    256,
    64 * 1024,
)  # entries of the answer cache, and the largest answer in bytes
_BRIEF = 32 * 1024  # bytes of a spec that is read in negligible time


def make_app(
    pool: Pool,
    host: str = "127.0.0.1",
    *,
    pages: StaticFiles | None = None,
    lobby: Lobby | None = None,
) -> ASGIApp:
    """Build the application of a server on a host; worker processes live as long as it does."""
    lobby = lobby or Lobby()
    endpoints, rooms = _Endpoints(pool, pages or StaticFiles(), lobby), RoomRequests(lobby, pool)
    room = "/api/rooms/{room}"
    routes = [
        Route("/api/rooms", rooms.create, methods=["POST"]),
        Route(f"{room}/seat", rooms.seat, methods=["POST"]),
        Route(f"{room}/watch", rooms.watch, methods=["POST"]),
        Route(f"{room}/view", rooms.view, methods=["POST"]),
        Route(f"{room}/{{action}}", rooms.act, methods=["POST"]),
        Route("/api/games", endpoints.games),
        Route("/api/games/{name}", endpoints.game),
        Route("/api/pictures/{name}.svg", endpoints.picture),
        Route("/api/{name}", endpoints.operation, methods=["POST"]),
        Route("/{path:path}", endpoints.file),
    ]
    handlers = {RequestError: _refused, HTTPException: _unknown}
    app = Starlette(routes=routes, lifespan=endpoints.living, exception_handlers=handlers)
    return OriginGuard(app, host)


class _Endpoints:
    """The request handlers of the application."""

    def __init__(self, pool: Pool, pages: StaticFiles, lobby: Lobby) -> None:
        self._pool, self._pages, self._lobby = pool, pages, lobby
        self._bundled = BundledGames(pool)
        self._cache = LruCache[tuple[str, bytes], bytes](_CACHE_SIZE)

    @asynccontextmanager
    async def living(self, app: Starlette) -> AsyncIterator[None]:
        """Run the worker processes and the rooms as long as the server runs."""
        self._pool.open()
        sweeping = asyncio.create_task(self._lobby.keep_swept())
        try:
            yield
        finally:
            sweeping.cancel()
            self._lobby.close()
            await self._bundled.close()
            await self._pool.close()

    async def file(self, request: Request) -> Response:
        return self._pages.respond(request)

    async def games(self, request: Request) -> Response:
        self._bundled.gather()
        return JSONResponse(self._bundled.table(), headers={"cache-control": "no-cache"})

    async def game(self, request: Request) -> Response:
        return JSONResponse(self._bundled.text(_bundled_name(request)))

    async def picture(self, request: Request) -> Response:
        svg = await self._bundled.picture(_bundled_name(request), request.query_params.get("theme"))
        headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=3600"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def operation(self, request: Request) -> Response:
        """Send a request to a worker and stream its answer."""
        name = _operation_name(request)
        try:
            key = name, await request.body()
        except ClientDisconnect:
            return Response(status_code=400)
        known = self._cache.find([key])
        if known is not None:
            return Response(known, media_type=_JSON)
        worker_request = _worker_request(request, *key)
        frames = self._pool.send(worker_request)
        first = await anext(frames)
        if worker_request.name in STREAMS and not (first.ends and first.data):
            return StreamingResponse(_lines(first, frames), media_type=_LINES)
        await frames.aclose()
        if (
            first.status == 200
            and worker_request.name in PURE
            and len(first.data) <= _MAX_CACHED_BYTES
        ):
            self._cache.put(key, first.data)
        return Response(first.data, first.status, media_type=_JSON)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)
    return error_response(error)


def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse(
        refusal("unknown", f"there is no such thing: {error.detail}"), error.status_code
    )


async def _lines(first: Frame, frames: AsyncGenerator[Frame]) -> AsyncIterator[bytes]:
    """Yield the lines of a stream; an error is the last line."""
    try:
        yield first.data
        async for frame in frames:
            yield frame.data
    except RequestError as error:
        yield json.dumps(refusal(error.kind, str(error))).encode() + b"\n"
    finally:
        await frames.aclose()


def _operation_name(request: Request) -> str:
    """Return the operation of a request. Raises RequestError."""
    name: str = request.path_params["name"]
    if name not in NAMES:
        raise RequestError("unknown", f"there is no operation `{name[:40]}`")
    if request.headers.get("content-type", "").partition(";")[0].strip() != _JSON:
        raise RequestError("request", f"expected `content-type: {_JSON}`")
    return name


def _worker_request(request: Request, name: str, body: bytes) -> WorkerRequest:
    """Build the worker request of an HTTP request. Raises RequestError."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestError("request", "expected JSON") from None
    if not isinstance(fields, dict):
        raise RequestError("request", "expected an object of JSON")
    client = f"{request.client.host}:{request.client.port}" if request.client else ""
    is_long = name in LONG or bool(name == "check" and fields.get("games"))
    reads = name in READING and not is_long and len(body) < _BRIEF
    return WorkerRequest(name, body, game_key(fields), client, is_long, reads)


def _bundled_name(request: Request) -> str:
    name: str = request.path_params["name"]
    return resolved_name(name)
