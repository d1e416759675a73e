"""A priority queue of requests with a limit on concurrent ones. See decision 065."""

import asyncio
import time
from asyncio import Future
from bisect import insort
from collections.abc import Callable
from itertools import count

from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.worker_request import ClientCosts, WorkerRequest
from rulesengine.support.frozen import record

_LATER = 20.0  # seconds of delay for each second of CPU time that a client's request takes
_TRUSTED, _READING, _UNTRUSTED = range(3)  # priorities, the highest first
_BUSY = "too many requests: try again later"


@record
class QueueLimits:
    """Limits of a lane.

    `places` requests run concurrently, at most `strangers` of them untrusted. At most `waiting`
    requests wait, `of_client` for each client, and at most `patience` seconds.
    """

    places: int
    strangers: int
    waiting: int
    of_client: int
    patience: float


class RequestQueue:
    """A priority queue of requests: trusted ones first, then short text operations, then others.

    Requests of equal priority are served first come, first served. The arrival time of a request is
    delayed in proportion to its client's CPU cost, so expensive clients neither delay others nor
    starve.
    """

    def __init__(
        self, room: QueueLimits, clients: ClientCosts, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._room, self._clients, self._clock = room, clients, clock
        self._numbers = count()
        self._busy = self._strangers = 0
        self._waiting: list[tuple[tuple[int, float, int], WorkerRequest, Future[None]]] = []

    async def enter(self, request: WorkerRequest, is_trusted: bool) -> None:
        """Wait for a place, which the caller must give back by `leave`. Raises RequestError."""
        if self.take(is_trusted):
            return
        same = sum(waits.client == request.client for _, waits, _ in self._waiting)
        if len(self._waiting) >= self._room.waiting or same >= self._room.of_client:
            raise RequestError("busy", _BUSY)
        place = asyncio.get_running_loop().create_future()
        come = self._clock() + _LATER * self._clients.cost(request.client)
        rank = _TRUSTED if is_trusted else _READING if request.reads else _UNTRUSTED
        order = (rank, come, next(self._numbers))
        entry = (order, request, place)
        insort(self._waiting, entry, key=lambda waits: waits[0])
        try:
            async with asyncio.timeout(self._room.patience):
                await place
        except TimeoutError:
            if place.cancelled():  # otherwise the place was granted just now
                raise RequestError("busy", _BUSY) from None
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # granted during the cancellation
                self.leave(is_trusted)
            raise
        finally:
            if entry in self._waiting:
                self._waiting.remove(entry)

    def take(self, is_trusted: bool) -> bool:
        """Take a place if one is free; True on success."""
        if self._busy >= self._room.places:
            return False
        if not is_trusted and self._strangers >= self._room.strangers:
            return False
        self._busy += 1
        self._strangers += not is_trusted
        return True

    def leave(self, is_trusted: bool) -> None:
        """Release a place and grant it to the next waiting request."""
        self._busy -= 1
        self._strangers -= not is_trusted
        for entry in tuple(self._waiting):
            (rank, _, _), _, place = entry
            if not place.done() and self.take(rank == _TRUSTED):
                self._waiting.remove(entry)
                place.set_result(None)
