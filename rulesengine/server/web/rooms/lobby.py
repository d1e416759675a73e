"""The rooms of a server, with limits on their number, their age and their connections."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.rooms.room import Room
from rulesengine.support.frozen import record

_SWEEP = 30.0  # seconds between two searches for abandoned rooms


@record
class RoomLimits:
    """Limits of the rooms of a server.

    - `rooms` exist at a time, `of_client` created by one address.
    - `idle` seconds pass until a room without actions is closed, `empty` until one without
      connections is.
    - `moves` are in a game, `spec` bytes in its rules.
    - `watchers` connections to a room are of spectators, and as many of each player; `connections`
      are to all rooms.
    - `rate` actions per second are accepted from each person in a room, and from all without a seat
      together, `burst` at once; `waiting` actions wait for another one of the room.
    """

    rooms: int = 400
    of_client: int = 400
    idle: float = 3600.0
    empty: float = 900.0
    moves: int = 2000
    spec: int = 64 * 1024
    watchers: int = 32
    connections: int = 800
    rate: float = 5.0
    burst: float = 20.0
    waiting: int = 4


class OpenRoom:
    """A room in the lobby: its state, a signal of changes, and its use of the limits."""

    def __init__(self, room: Room, name: str, limits: RoomLimits, now: float) -> None:
        self.room = room
        self.client = f"room {name}"  # in the queues of the workers
        self.lock = asyncio.Lock()
        self.is_closed = False
        self.watchers = self.waiting = 0
        self.timer: asyncio.TimerHandle | None = None
        self.computing: asyncio.Task[None] | None = None
        self._limits = limits
        self._allowances: dict[str, tuple[float, float]] = {}  # by token, with their times
        self.used = self.watched = now
        self._changed = asyncio.Event()

    def notify(self) -> None:
        """Wake all watchers."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    @property
    def next_change(self) -> asyncio.Event:
        """Return the event of the next change."""
        return self._changed

    def close(self) -> None:
        self.is_closed = True
        if self.timer:
            self.timer.cancel()
        if self.computing:
            self.computing.cancel()
        self.notify()

    def charge(self, now: float, token: str = "") -> None:
        """Count an action of the holder of a token, or of one without a seat.

        Others do not notice it. Raises RequestError if there are too many.
        """
        limits = self._limits
        allowance, since = self._allowances.get(token, (limits.burst, now))
        refilled = min(limits.burst, allowance + (now - since) * limits.rate)
        if refilled < 1:
            self._allowances[token] = refilled, now
            raise RequestError("busy", "too many actions in this room: try again later")
        self._allowances[token] = refilled - 1, now
        self.used = now

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Allow one action at a time in the room. Raises RequestError if too many wait."""
        if self.waiting >= self._limits.waiting:
            raise RequestError("busy", "too many actions in this room: try again later")
        self.waiting += 1
        try:
            async with self.lock:
                yield
        finally:
            self.waiting -= 1


class Lobby:
    """The open rooms by their ids."""

    def __init__(
        self, limits: RoomLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits or RoomLimits()
        self.now = clock
        self._rooms: dict[str, OpenRoom] = {}
        self._creators: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def open(self, room: Room, client: str) -> str:
        """Add a room and return its id. Raises RequestError."""
        self.require_space(client)
        name = secrets.token_urlsafe(9)
        self._rooms[name] = OpenRoom(room, name, self.limits, self.now())
        self._creators[name] = client
        return name

    def require_space(self, client: str) -> None:
        """Raise RequestError if no room can be added for a client."""
        self.sweep()
        own = sum(creator == client for creator in self._creators.values())
        if len(self._rooms) >= self.limits.rooms or own >= self.limits.of_client:
            raise RequestError("busy", "there are too many rooms: try again later")

    def find(self, name: str) -> OpenRoom:
        """Return an open room. Raises RequestError."""
        room = self._rooms.get(name)
        if room is None:
            raise RequestError("unknown", "this room is closed: open a new one")
        return room

    def require_connection(self, room: OpenRoom, token: str = "") -> None:
        """Raise RequestError if the holder of a token, or all rooms, have too many connections.

        Spectators of a room count together, and keep out no player.
        """
        everyone = sum(one.watchers for one in self._rooms.values())
        found, seats = room.room, room.room.seats_of(token)
        used = max((found.present.get(name, 0) for name in seats), default=found.spectators)
        if used >= self.limits.watchers or everyone >= self.limits.connections:
            raise RequestError("busy", "too many people watch: try again later")

    def sweep(self) -> None:
        """Close rooms that have no connection or no action for too long."""
        now, limits = self.now(), self.limits
        for name, room in list(self._rooms.items()):
            is_empty = not room.watchers and now - room.watched > limits.empty
            if is_empty or now - room.used > limits.idle:
                del self._rooms[name], self._creators[name]
                room.close()

    async def keep_swept(self) -> None:
        """Sweep regularly, until cancelled."""
        while True:
            await asyncio.sleep(_SWEEP)
            self.sweep()

    def close(self) -> None:
        """Close all rooms."""
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()
        self._creators.clear()
