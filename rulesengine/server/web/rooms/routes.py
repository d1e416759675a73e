"""Requests about rooms: open, take a seat, watch, move, offer, answer, resign."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.request_fields import JsonObject, game_key, number_of, text_of
from rulesengine.server.web.rooms.lobby import Lobby, OpenRoom
from rulesengine.server.web.rooms.room import Advance, PlayedMove, Room, observation
from rulesengine.server.web.worker_pool import Pool
from rulesengine.server.web.worker_request import WorkerRequest
from rulesengine.support.limits import MAX_PLIES

Table = dict[str, object]
_GAME = ("spec", "parameters", "with", "start")
_BEAT = 15.0  # seconds until an unchanged room sends an empty line, which reveals dead connections
_Action = Callable[["RoomRequests", OpenRoom, str, JsonObject], Awaitable[None]]


class RoomRequests:
    """The request handlers of rooms; rules are computed by the workers of a pool."""

    def __init__(self, lobby: Lobby, pool: Pool) -> None:
        self._lobby, self._pool = lobby, pool

    async def create(self, request: Request) -> Response:
        """Open a room and give its creator a seat."""
        fields = await _json(request)
        client = request.client.host if request.client else ""
        self._lobby.require_space(client)
        game = {key: fields[key] for key in _GAME if fields.get(key)}
        if len(json.dumps(game)) > self._lobby.limits.spec:
            raise RequestError("size", "the rules of this game are too long for a room")
        pace, seat = text_of(fields, "clock"), text_of(fields, "seat")
        start, players = await self._advance(f"lobby {client}", game, (), "")
        room = Room(game, players, pace)
        room.begin(start)
        player, token = room.take(seat)
        name = self._lobby.open(room, client)
        return JSONResponse({"room": name, "seat": player, "token": token})

    async def seat(self, request: Request) -> Response:
        """Assign a free seat to a client."""
        found, fields = self._room(request), await _json(request)
        found.charge(self._lobby.now())
        player, token = found.room.take(text_of(fields, "seat"))
        found.notify()
        return JSONResponse({"seat": player, "token": token})

    async def watch(self, request: Request) -> Response:
        """Stream the observations of a seat or of a spectator."""
        found, fields = self._room(request), await _json(request)
        self._lobby.require_connection(found)
        player = found.room.player_of(text_of(fields, "token"))
        lines = self._observations(found, text_of(fields, "token"), player)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def act(self, request: Request) -> Response:
        """Perform an action of a player, one at a time in each room."""
        action = _ACTIONS.get(request.path_params["action"])
        if action is None:
            raise RequestError("unknown", "there is no such action in a room")
        found, fields = self._room(request), await _json(request)
        player = found.room.require_player(text_of(fields, "token"))
        found.charge(self._lobby.now())
        async with found.turn():
            self._flag(found)
            await action(self, found, player, fields)
            self._set_timer(found)
            found.notify()
        return JSONResponse({"version": found.room.version})

    async def _observations(
        self, found: OpenRoom, token: str, player: str | None
    ) -> AsyncIterator[bytes]:
        """Yield what a seat may know after each change; changes in between are skipped."""
        room, seen = found.room, -1
        found.watchers += 1
        room.arrive(player)
        found.notify()
        try:
            while not found.is_closed:
                if room.version != seen:
                    seen = room.version
                    own = room.player_of(token)
                    yield json.dumps(observation(room, own, self._lobby.now())).encode() + b"\n"
                if not await _changes(found):
                    yield b"\n"
        finally:
            found.watchers -= 1
            found.watched = self._lobby.now()
            room.depart(room.player_of(token) if player else None)
            found.notify()

    async def move(self, found: OpenRoom, player: str, fields: JsonObject) -> None:
        """Make a move; one that is sent again changes nothing."""
        room, text = found.room, text_of(fields, "move")
        ply = number_of(fields, "ply", 0, MAX_PLIES)
        if room.is_repeated(player, ply, text):
            return
        room.require_turn(player, ply)
        if not text:
            raise RequestError("request", "`move`: expected a move")
        if ply >= self._lobby.limits.moves:
            raise RequestError("limit", f"a game has at most {self._lobby.limits.moves} moves here")
        number = room.number
        step, _ = await self._advance(found.client, room.game, room.moves, text)
        if number != room.number or ply != len(room.moves) or room.is_over:
            raise RequestError("turn", "the game has changed meanwhile")
        room.advance(step, self._lobby.now())

    async def offer(self, found: OpenRoom, player: str, fields: JsonObject) -> None:
        """Offer a draw, an undo or a rematch; the same offer of another player is accepted."""
        kind, open_offer = text_of(fields, "kind"), found.room.offer
        if open_offer and open_offer.kind == kind and player not in open_offer.accepted:
            await self.answer(found, player, {"accepts": True})
        else:
            found.room.propose(player, kind)

    async def answer(self, found: OpenRoom, player: str, fields: JsonObject) -> None:
        """Accept or decline an offer; a rematch begins a new game."""
        kind = found.room.answer(player, bool(fields.get("accepts")), self._lobby.now())
        if kind == "rematch":
            start, _ = await self._advance(found.client, found.room.game, (), "")
            found.room.begin(start)

    async def resign(self, found: OpenRoom, player: str, fields: JsonObject) -> None:
        """End the game by a resignation."""
        found.room.resign(player, self._lobby.now())

    def _room(self, request: Request) -> OpenRoom:
        return self._lobby.find(request.path_params["room"])

    def _flag(self, found: OpenRoom) -> None:
        """End a game whose running time has lapsed."""
        if found.room.flag(self._lobby.now()):
            found.notify()

    def _set_timer(self, found: OpenRoom) -> None:
        """Check the clock when the running time lapses."""
        if found.timer:
            found.timer.cancel()
        clock, now = found.room.clock, self._lobby.now()
        if clock and clock.running and not found.room.is_over:
            left = max(0.0, clock.remaining(clock.running, now))
            loop = asyncio.get_running_loop()
            found.timer = loop.call_later(left + 0.01, self._flag, found)

    async def _advance(
        self, client: str, game: Mapping[str, object], moves: Any, move: str
    ) -> tuple[Advance, tuple[str, ...]]:
        """Return the position after a move and the players, computed by a worker."""
        texts = [played.text for played in moves]
        seed = secrets.randbits(63)
        body = json.dumps({**game, "moves": texts, "move": move, "seed": seed}).encode()
        worker_request = WorkerRequest("advance", body, game_key(game), client, is_long=False)
        frames = [frame async for frame in self._pool.send(worker_request)]
        found = json.loads(frames[-1].data)
        if frames[-1].status != 200:
            raise RequestError(found["error"]["kind"], found["error"]["message"])
        played = tuple(PlayedMove(one["text"], one["player"]) for one in found["played"])
        return Advance(played, found["mover"], found["outcome"]), tuple(found["players"])


_ACTIONS: Mapping[str, _Action] = MappingProxyType(
    {
        "move": RoomRequests.move,
        "offer": RoomRequests.offer,
        "answer": RoomRequests.answer,
        "resign": RoomRequests.resign,
    }
)


async def _changes(found: OpenRoom) -> bool:
    """Wait for a change; False if none comes for a while."""
    try:
        async with asyncio.timeout(_BEAT):
            await found.change()
    except TimeoutError:
        return False
    return True


async def _json(request: Request) -> dict[str, Any]:
    """Return the body of a request. Raises RequestError."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RequestError("request", "expected `content-type: application/json`")
    try:
        fields = json.loads(await request.body())
    except (ValueError, RecursionError, ClientDisconnect):
        raise RequestError("request", "expected JSON") from None
    if not isinstance(fields, dict):
        raise RequestError("request", "expected an object of JSON")
    return fields
