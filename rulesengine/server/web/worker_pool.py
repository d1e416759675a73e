"""Scheduling of requests on workers: choice of worker, time limits, reuse.

A request starts in the quick lane. If it takes longer than most, its worker continues in the slow
lane with lower priority, or the request is rejected. The next request for the same spec starts in
the slow lane. An idle worker that has the spec in its cache is taken from either lane, since
another would load the game and its kernels again. See decision 048.
"""

import asyncio
import os
import time
from asyncio import Task
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from types import MappingProxyType

from rulesengine.errors import UsageError
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.lru import LruCache
from rulesengine.server.web.queues import QueueLimits, RequestQueue
from rulesengine.server.web.request_fields import known_names
from rulesengine.server.web.worker_handle import ForkServer, Frame, Worker
from rulesengine.server.web.worker_request import ClientCosts, WorkerRequest
from rulesengine.support.frozen import record

_POLL_SECONDS = 0.05  # seconds between two polls of a worker
_REMEMBERED = 4_096  # specs
_UNTRUSTED_NICENESS = 10  # niceness of workers of untrusted requests
_SLOW_NICENESS, _SLOW_UNTRUSTED_NICENESS = 5, 19  # niceness in the slow lane, trusted and untrusted
# The niceness of the slow lane, by that of the quick lane.
_SLOWER = MappingProxyType({0: _SLOW_NICENESS, _UNTRUSTED_NICENESS: _SLOW_UNTRUSTED_NICENESS})
_RESERVED = 2  # places for trusted requests
_DELAY, _LONGEST = 20.0, 5.0  # seconds of delay per CPU second of a rejected request, and at most
_LONG = 1.0  # CPU seconds: a spec that takes longer starts in the slow lane
_LATE = "this takes more time or memory than a request may take"
_ENDED_MESSAGE = "the process that was at work has ended: try again"
_FULL = "too many long requests: try again later"


@record
class Limits:
    """The limits of a request.

    CPU seconds in the quick lane for trusted and for untrusted requests, and in total; seconds of
    wall time; bytes in use, and bytes that a worker may hold when it is reused.
    """

    quick: float = 0.5
    quick_untrusted: float = 0.25
    cpu: float = 12.0
    wall: float = 30.0
    memory: int = 512 * 1024**2
    idle_memory: int = 192 * 1024**2


class _Work:
    """A running request; `refused` is the reason for its end, `cost` its total CPU time."""

    def __init__(
        self, request: WorkerRequest, worker: Worker, is_trusted: bool, is_quick: bool
    ) -> None:
        self.request, self.worker = request, worker
        self.is_trusted, self.is_quick = is_trusted, is_quick
        self.started, self.before = time.monotonic(), worker.seconds
        self.watch: asyncio.TimerHandle
        self.cost = 0.0
        self.refused = RequestError("failed", _ENDED_MESSAGE)
        self.is_done = self.is_ended = False

    @property
    def cpu_seconds(self) -> float:
        """Return the CPU seconds used; wall time if the system does not report them."""
        seconds = self.worker.seconds
        return seconds - self.before if seconds else self.waited

    @property
    def waited(self) -> float:
        """Return the seconds of wall time."""
        return time.monotonic() - self.started


class Pool:
    """A pool of warm workers with queues of waiting requests."""

    def __init__(self, limits: Limits | None = None) -> None:
        processors = os.cpu_count() or 1
        self._processors = processors
        quick, slow = processors + _RESERVED, max(2, processors // 2)
        self._limits = limits or Limits()
        self._fork_server = ForkServer()
        self._opening: Task[None] | None = None
        self._clients = ClientCosts()
        self._quick = RequestQueue(QueueLimits(quick, processors, 256, 8, 10.0), self._clients)
        self._slow = RequestQueue(QueueLimits(slow, slow, 32, 2, 20.0), self._clients)
        # The limits of idle workers, by niceness.
        self._most_idle = {
            0: quick,
            _UNTRUSTED_NICENESS: processors,
            _SLOW_NICENESS: slow,
            _SLOW_UNTRUSTED_NICENESS: slow,
        }
        self._idle: dict[int, list[Worker]] = {nice: [] for nice in self._most_idle}
        self._good = LruCache[bytes, bool](_REMEMBERED)
        self._bad = LruCache[bytes, bool](_REMEMBERED)
        self._bundled = frozenset(name.encode() for name in known_names())

    def open(self) -> None:
        """Start the fork server and its first workers in the background."""
        self._opening = asyncio.create_task(self._open())

    async def _open(self) -> None:
        await self._fork_server.open()
        self._idle[0] += [await self._fork_server.fork(0) for _ in range(self._processors)]

    async def close(self) -> None:
        """End all processes, including those without an answer yet."""
        if self._opening:
            self._opening.cancel()
            await asyncio.wait([self._opening])
        await self._fork_server.close()

    async def send(self, request: WorkerRequest) -> AsyncGenerator[Frame]:
        """Yield the frames of an answer. Raises RequestError."""
        is_trusted = self._is_trusted(request)
        is_quick = not request.is_long and not self._bad.find([request.spec])
        lane = self._lane(is_quick)
        await lane.enter(request, is_trusted)
        try:
            worker = await self._worker(request, _niceness(is_trusted, is_quick=is_quick))
        except BaseException as error:
            lane.leave(is_trusted)
            if isinstance(error, EOFError | OSError | UsageError):
                raise RequestError("failed", _ENDED_MESSAGE) from None
            raise
        work = _Work(request, worker, is_trusted, is_quick)
        self._watch(work)
        try:
            async with aclosing(worker.send(request.name, request.body)) as frames:
                async for frame in frames:
                    work.is_done = frame.ends
                    if not work.is_done:
                        yield frame
        except EOFError:
            pass
        finally:
            self._leave(work)
        if work.is_ended:
            await asyncio.sleep(min(_DELAY * work.cost, _LONGEST))
        if not work.is_done:
            raise work.refused
        yield frame

    def _is_trusted(self, request: WorkerRequest) -> bool:
        """True if the request is probably cheap, by its spec, its client or recent newcomers."""
        spec = request.spec
        is_known = spec in self._bundled or bool(self._good.find([spec]))
        return is_known or self._clients.is_modest(request)

    def _lane(self, is_quick: bool) -> RequestQueue:
        return self._quick if is_quick else self._slow

    async def _worker(self, request: WorkerRequest, nice: int) -> Worker:
        """Return an idle worker, preferably one with the game in its cache, or a new one."""
        if self._opening:
            # a request for a worker restarts the fork server
            with suppress(EOFError, OSError, UsageError):
                await asyncio.shield(self._opening)
        idle = [*self._idle_workers(_SLOWER.get(nice, nice)), *self._idle_workers(nice)]
        found = max(reversed(idle), key=lambda worker: _familiarity(worker, request), default=None)
        if found and (found.nice == nice or any(_familiarity(found, request))):
            self._idle[found.nice].remove(found)
            return found
        return await self._fork_server.fork(nice)

    def _idle_workers(self, nice: int) -> list[Worker]:
        """Return the idle workers of a niceness, after removing those that have ended."""
        idle = self._idle[nice]
        for ended in [worker for worker in idle if worker.has_gone]:
            idle.remove(ended)
            self._fork_server.end(ended)
        return idle

    def _watch(self, work: _Work) -> None:
        """Poll a worker until it is done, or ended because it exceeds a limit."""
        work.watch = asyncio.get_running_loop().call_later(_POLL_SECONDS, self._check_limits, work)

    def _check_limits(self, work: _Work) -> None:
        limits, cpu_seconds = self._limits, work.cpu_seconds
        work.cost = cpu_seconds
        late = cpu_seconds > limits.cpu or work.waited > limits.wall
        if late or work.worker.memory > limits.memory:
            self._end(work, RequestError("limit", _LATE))
        elif work.is_quick and cpu_seconds > (
            limits.quick if work.is_trusted else limits.quick_untrusted
        ):
            self._demote(work)
        if not work.is_ended:
            self._watch(work)

    def _demote(self, work: _Work) -> None:
        """Move a long request to the slow lane, or reject it if that is full."""
        if not self._slow.take(work.is_trusted):
            self._end(work, RequestError("busy", _FULL))
            return
        self._quick.leave(work.is_trusted)
        work.is_quick = False
        work.worker.nice = _niceness(work.is_trusted, is_quick=False)
        self._fork_server.make_nice(work.worker, work.worker.nice)

    def _note(self, work: _Work) -> None:
        """Record the cost of a request for the classification of later ones."""
        request, cpu_seconds = work.request, work.cost
        self._clients.record_cost(request, cpu_seconds)
        if request.is_long or request.name == "play":
            return  # a search says nothing about the cost of the spec
        self._good.put(request.spec, work.is_done and cpu_seconds < self._limits.quick)
        if cpu_seconds > _LONG and request.spec not in self._bundled:
            self._bad.put(request.spec, True)

    def _end(self, work: _Work, reason: RequestError) -> None:
        work.refused, work.is_ended = reason, True
        self._fork_server.end(work.worker)

    def _leave(self, work: _Work) -> None:
        """Release the place of a request; the worker becomes idle if it can be reused."""
        work.watch.cancel()
        if not work.is_ended:
            work.cost = work.cpu_seconds
        worker, idle = work.worker, self._idle[work.worker.nice]
        self._note(work)
        fits = len(idle) < self._most_idle[worker.nice] and worker.memory < self._limits.idle_memory
        if work.is_done and not work.is_ended and fits:
            worker.specs.put(work.request.spec, True)
            worker.clients.put((work.request.client, work.request.spec), True)
            idle.append(worker)
        else:
            self._fork_server.end(worker)
        self._lane(work.is_quick).leave(work.is_trusted)


def _familiarity(worker: Worker, request: WorkerRequest) -> tuple[bool, bool]:
    """Return two flags: a worker has served the client with the spec; it has cached the spec."""
    client = worker.clients.find([(request.client, request.spec)])
    return bool(client), bool(worker.specs.find([request.spec]))


def _niceness(is_trusted: bool, *, is_quick: bool) -> int:
    """Return the niceness of a worker."""
    if is_trusted:
        return 0 if is_quick else _SLOW_NICENESS
    return _UNTRUSTED_NICENESS if is_quick else _SLOW_UNTRUSTED_NICENESS
