"""Requests about rooms: open, take a seat, watch, view, move, offer, answer, resign."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from rulesengine.play import RANDOM
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.request_fields import (
    JsonObject,
    game_key,
    number_of,
    table_of,
    text_of,
)
from rulesengine.server.web.rooms.lobby import Lobby, OpenRoom
from rulesengine.server.web.rooms.room import Advance, PlayedMove, Room, observation
from rulesengine.server.web.worker_pool import Pool
from rulesengine.server.web.worker_request import WorkerRequest
from rulesengine.support.limits import MAX_PLIES

Table = dict[str, object]
_GAME = ("spec", "parameters", "with", "start")
_PAUSE = 1.0  # seconds between two attempts of a computer player
_MOST_FAILURES = 5  # of a computer player in one position, while the workers are not busy
_FAILED = "the server has failed at this: try again"
_BEAT = 15.0  # seconds until an unchanged room sends an empty line, which reveals dead connections
_Action = Callable[["RoomRequests", OpenRoom, str, JsonObject], Awaitable[None]]


class RoomRequests:
    """The request handlers of rooms; rules are computed by the workers of a pool."""

    def __init__(self, lobby: Lobby, pool: Pool) -> None:
        self._lobby, self._pool = lobby, pool

    async def create(self, request: Request) -> Response:
        """Open a room and give its creator a seat, or with `shared` all that are free.

        Computer players, by seat, take theirs before.
        """
        fields = await _json(request)
        client = request.client.host if request.client else ""
        self._lobby.require_space(client)
        game = {key: fields[key] for key in _GAME if fields.get(key)}
        if len(json.dumps(game)) > self._lobby.limits.spec:
            raise RequestError("size", "the rules of this game are too long for a room")
        pace, seat = text_of(fields, "clock"), text_of(fields, "seat")
        computers = _computers(fields)
        start, players = await self._advance(f"lobby {client}", game, (), "", computers)
        if not {*computers} < {*players}:
            raise RequestError("request", "`computers`: expected some of the players, not all")
        room = Room(game, players, pace, computers)
        room.begin(start)
        player, token = room.take(seat)
        if fields.get("shared"):
            room.take_rest(token)
        name = self._lobby.open(room, client)
        self._start_computers(self._lobby.find(name))
        return JSONResponse({"room": name, "seat": player, "token": token})

    async def seat(self, request: Request) -> Response:
        """Assign a free seat to a client."""
        open_room, fields = self._room(request), await _json(request)
        open_room.charge(self._lobby.now())
        player, token = open_room.room.take(text_of(fields, "seat"))
        self._start_computers(open_room)
        open_room.notify()
        return JSONResponse({"seat": player, "token": token})

    async def watch(self, request: Request) -> Response:
        """Stream the observations of a seat or of a spectator."""
        open_room, fields = self._room(request), await _json(request)
        token = text_of(fields, "token")
        self._lobby.require_connection(open_room, token)
        lines = self._observations(open_room, token)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def view(self, request: Request) -> Response:
        """Return the position as a player of the token, or a spectator, sees it."""
        open_room, fields = self._room(request), await _json(request)
        room, viewer = open_room.room, text_of(fields, "viewer")
        seats = room.seats_of(text_of(fields, "token"))
        if viewer not in (seats or ("",)):
            raise RequestError("seat", "this seat is not yours: take a free one, or watch")
        if not room.hides:
            raise RequestError("turn", "everything is seen: `watch` has the moves")
        moves, theme = [move.text for move in room.moves], text_of(fields, "theme")
        body = {**room.game, "moves": moves, "viewer": viewer, "theme": theme}
        try:
            return JSONResponse(await self._request("view", body, f"{open_room.client} {viewer}"))
        except RequestError as error:
            if error.kind == "busy":
                raise
            raise RequestError("turn", "this position cannot be shown now: try again") from None

    async def act(self, request: Request) -> Response:
        """Perform an action of a player, one at a time in each room."""
        action = _ACTIONS.get(request.path_params["action"])
        if action is None:
            raise RequestError("unknown", "there is no such action in a room")
        open_room, fields = self._room(request), await _json(request)
        token = text_of(fields, "token")
        player = open_room.room.require_player(token)
        open_room.charge(self._lobby.now(), token)
        async with open_room.turn():
            self._flag(open_room)
            await action(self, open_room, player, fields)
            self._set_timer(open_room)
            self._start_computers(open_room)
            open_room.notify()
        hides = bool(open_room.room.knowledge)
        return JSONResponse({} if hides else {"version": open_room.room.version})

    async def _observations(self, open_room: OpenRoom, token: str) -> AsyncIterator[bytes]:
        """Yield the observation of a token after each change; changes in between are skipped.

        A change that the holder does not notice has no line, and the clock is part of no change.
        """
        room, last, due = open_room.room, "", 0.0
        open_room.watchers += 1
        room.add_connection(token)
        open_room.notify()
        time = asyncio.get_running_loop().time
        try:
            while not open_room.is_closed:
                changed = open_room.next_change
                seen = observation(room, token, self._lobby.now())
                line = json.dumps({**seen, "clock": None}) if room.hides else str(room.version)
                if line != last or time() >= due:
                    yield (json.dumps(seen).encode() if line != last else b"") + b"\n"
                    last, due = line, time() + _BEAT
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(due):
                        await changed.wait()
        finally:
            open_room.watchers -= 1
            open_room.watched = self._lobby.now()
            room.remove_connection(token)
            open_room.notify()

    async def move(self, open_room: OpenRoom, player: str, fields: JsonObject) -> None:
        """Make a move; one that is sent again changes nothing."""
        room, text = open_room.room, text_of(fields, "move")
        ply, knowledge = number_of(fields, "ply", 0, MAX_PLIES), text_of(fields, "knowledge")
        seen = knowledge if room.knowledge else ply
        if room.is_repeated(player, seen, text):
            return
        room.require_turn(player, seen)
        if not text:
            raise RequestError("request", "`move`: expected a move")
        await self._make(open_room, text)
        room.note_sent(player, knowledge, text)

    async def _make(self, open_room: OpenRoom, text: str) -> None:
        """Make a move of the player to move. Raises RequestError."""
        room, number = open_room.room, open_room.room.number
        ply, most = len(room.moves), self._lobby.limits.moves
        if ply >= most:
            raise RequestError("limit", f"a game has at most {most} moves here")
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
            if open_room.room.is_agreed:
                await self.answer(open_room, player, {"accepts": True})

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

    def _start_computers(self, open_room: OpenRoom) -> None:
        """Start the moves of computer players in the background, until a person is to move."""
        if open_room.computing is None and open_room.room.computer_to_move:
            open_room.computing = asyncio.create_task(self._let_computers_move(open_room))

    async def _let_computers_move(self, open_room: OpenRoom) -> None:
        """Make the moves of computer players. One that fails makes a random move.

        One that finds the workers busy waits for a place among the long requests.
        """
        room, failures, is_crowded = open_room.room, 0, False
        try:
            while not open_room.is_closed and (player := room.computer_to_move):
                try:
                    text = RANDOM if failures else player
                    await self._let_move(open_room, text, is_long=is_crowded)
                    failures, is_crowded = 0, False
                except RequestError as error:
                    is_crowded = error.kind == "busy"  # a place will be free later
                    failures += not is_crowded
                    if failures > _MOST_FAILURES:
                        return
                    await asyncio.sleep(_PAUSE)
        finally:
            open_room.computing = None

    async def _let_move(self, open_room: OpenRoom, player: str, *, is_long: bool) -> None:
        """Make a move of a computer player, unless the position changes. Raises RequestError."""
        room = open_room.room
        number, texts = room.number, [move.text for move in room.moves]
        body = {**room.game, "moves": texts, "player": player, "seed": secrets.randbits(63)}
        table = await self._request("play", body, open_room.client, is_long=is_long)
        async with open_room.lock:
            if (number, len(texts)) == (room.number, len(room.moves)) and not room.is_over:
                if "substitute" in table:  # the next search would fail in the same way
                    room.substitute(room.mover, table["substitute"])
                await self._make(open_room, table["move"])
                self._set_timer(open_room)
        open_room.notify()

    async def _advance(
        self,
        client: str,
        game: Mapping[str, object],
        moves: Any,
        move: str,
        computers: Mapping[str, str] = MappingProxyType({}),
    ) -> tuple[Advance, tuple[str, ...]]:
        """Return the position after a move and the players, computed by a worker."""
        texts = [played.text for played in moves]
        body = {**game, "moves": texts, "move": move, "seed": secrets.randbits(63)}
        body["computers"] = [*computers.values()]
        table = await self._request("advance", body, client)
        played = tuple(PlayedMove(one["text"], one["player"]) for one in table["played"])
        step = Advance(played, table["mover"], table["outcome"], table["knowledge"])
        return step, tuple(table["players"])

    async def _request(
        self, name: str, body: Mapping[str, object], client: str, *, is_long: bool = False
    ) -> dict[str, Any]:
        """Return the response of a worker. Raises RequestError."""
        request = WorkerRequest(name, json.dumps(body).encode(), game_key(body), client, is_long)
        frames = [frame async for frame in self._pool.send(request)]
        table: dict[str, Any] = json.loads(frames[-1].data)
        if frames[-1].status != 200:
            kind, message = table["error"]["kind"], table["error"]["message"]
            # The text of an unexpected error may have parts of the position.
            raise RequestError(kind, _FAILED if kind == "failed" else message)
        return table


_ACTIONS: Mapping[str, _Action] = MappingProxyType(
    {
        "move": RoomRequests.move,
        "offer": RoomRequests.offer,
        "answer": RoomRequests.answer,
        "resign": RoomRequests.resign,
    }
)


def _computers(fields: JsonObject) -> dict[str, str]:
    """Return the computer players of a request by seat. Raises RequestError."""
    table = table_of(fields, "computers")
    return {player: text_of(table, player) for player in table}


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
