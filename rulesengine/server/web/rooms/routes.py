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
        open_room, fields = self._room(request), await _json(request)
        open_room.charge(self._lobby.now())
        player, token = open_room.room.take(text_of(fields, "seat"))
        open_room.notify()
        return JSONResponse({"seat": player, "token": token})

    async def watch(self, request: Request) -> Response:
        """Stream the observations of a seat or of a spectator."""
        open_room, fields = self._room(request), await _json(request)
        self._lobby.require_connection(open_room)
        player = open_room.room.player_of(text_of(fields, "token"))
        lines = self._observations(open_room, text_of(fields, "token"), player)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def act(self, request: Request) -> Response:
        """Perform an action of a player, one at a time in each room."""
        action = _ACTIONS.get(request.path_params["action"])
        if action is None:
            raise RequestError("unknown", "there is no such action in a room")
        open_room, fields = self._room(request), await _json(request)
        player = open_room.room.require_player(text_of(fields, "token"))
        open_room.charge(self._lobby.now())
        async with open_room.turn():
            self._flag(open_room)
            await action(self, open_room, player, fields)
            self._set_timer(open_room)
            open_room.notify()
        return JSONResponse({"version": open_room.room.version})

    async def _observations(
        self, open_room: OpenRoom, token: str, player: str | None
    ) -> AsyncIterator[bytes]:
        """Yield the observation of a seat after each change; changes in between are skipped."""
        room, version = open_room.room, -1
        open_room.watchers += 1
        room.add_connection(player)
        open_room.notify()
        try:
            while not open_room.is_closed:
                if room.version != version:
                    version = room.version
                    own = room.player_of(token)
                    yield json.dumps(observation(room, own, self._lobby.now())).encode() + b"\n"
                if not await _changes(open_room):
                    yield b"\n"
        finally:
            open_room.watchers -= 1
            open_room.watched = self._lobby.now()
            room.remove_connection(room.player_of(token) if player else None)
            open_room.notify()

    async def move(self, open_room: OpenRoom, player: str, fields: JsonObject) -> None:
        """Make a move; one that is sent again changes nothing."""
        room, text = open_room.room, text_of(fields, "move")
        ply = number_of(fields, "ply", 0, MAX_PLIES)
        if room.is_repeated(player, ply, text):
            return
        room.require_turn(player, ply)
        if not text:
            raise RequestError("request", "`move`: expected a move")
        if ply >= self._lobby.limits.moves:
            raise RequestError("limit", f"a game has at most {self._lobby.limits.moves} moves here")
        number = room.number
        step, _ = await self._advance(open_room.client, room.game, room.moves, text)
        if number != room.number or ply != len(room.moves) or room.is_over:
            raise RequestError("turn", "the game has changed meanwhile")
        room.advance(step, self._lobby.now())

    async def offer(self, open_room: OpenRoom, player: str, fields: JsonObject) -> None:
        """Offer a draw, an undo or a rematch; the same offer of another player is accepted."""
        kind, open_offer = text_of(fields, "kind"), open_room.room.offer
        if open_offer and open_offer.kind == kind and player not in open_offer.accepted:
            await self.answer(open_room, player, {"accepts": True})
        else:
            open_room.room.propose(player, kind)

    async def answer(self, open_room: OpenRoom, player: str, fields: JsonObject) -> None:
        """Accept or decline an offer; a rematch begins a new game."""
        kind = open_room.room.answer(player, bool(fields.get("accepts")), self._lobby.now())
        if kind == "rematch":
            start, _ = await self._advance(open_room.client, open_room.room.game, (), "")
            open_room.room.begin(start)

    async def resign(self, open_room: OpenRoom, player: str, fields: JsonObject) -> None:
        """End the game by a resignation."""
        open_room.room.resign(player, self._lobby.now())

    def _room(self, request: Request) -> OpenRoom:
        return self._lobby.find(request.path_params["room"])

    def _flag(self, open_room: OpenRoom) -> None:
        """End a game when the running time has lapsed."""
        if open_room.room.flag(self._lobby.now()):
            open_room.notify()

    def _set_timer(self, open_room: OpenRoom) -> None:
        """Check the clock when the running time lapses."""
        if open_room.timer:
            open_room.timer.cancel()
        clock, now = open_room.room.clock, self._lobby.now()
        if clock and clock.running and not open_room.room.is_over:
            left = max(0.0, clock.remaining(clock.running, now))
            loop = asyncio.get_running_loop()
            open_room.timer = loop.call_later(left + 0.01, self._flag, open_room)

    async def _advance(
        self, client: str, game: Mapping[str, object], moves: Any, move: str
    ) -> tuple[Advance, tuple[str, ...]]:
        """Return the position after a move and the players, computed by a worker."""
        texts = [played.text for played in moves]
        seed = secrets.randbits(63)
        body = json.dumps({**game, "moves": texts, "move": move, "seed": seed}).encode()
        worker_request = WorkerRequest("advance", body, game_key(game), client, is_long=False)
        frames = [frame async for frame in self._pool.send(worker_request)]
        table = json.loads(frames[-1].data)
        if frames[-1].status != 200:
            raise RequestError(table["error"]["kind"], table["error"]["message"])
        played = tuple(PlayedMove(one["text"], one["player"]) for one in table["played"])
        return Advance(played, table["mover"], table["outcome"]), tuple(table["players"])


_ACTIONS: Mapping[str, _Action] = MappingProxyType(
    {
        "move": RoomRequests.move,
        "offer": RoomRequests.offer,
        "answer": RoomRequests.answer,
        "resign": RoomRequests.resign,
    }
)


async def _changes(open_room: OpenRoom) -> bool:
    """Wait for a change; False if none comes for a while."""
    try:
        async with asyncio.timeout(_BEAT):
            await open_room.change()
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
