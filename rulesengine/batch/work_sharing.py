"""Self-scheduling of work over persistent threads: each idle thread takes the next share.

A step of a batch may be shorter than starting a thread or, on a busy machine, waking one. So
helpers persist from step to step and the caller works too. A helper that wakes late finds no shares
left and delays no other thread. Chunks have a fixed size; see Polychronopoulos and Kuck, "Guided
Self-Scheduling", IEEE Transactions on Computers C-36, 1987.
"""

import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import Generic, TypeVar

from rulesengine.support.blocking import start_thread

T = TypeVar("T")

_WAIT_SECONDS = 0.1  # seconds per wait; needed where a wait cannot be interrupted
_POLL_SECONDS = 0.001  # seconds between checks for helpers that have left


class Shares(Generic[T]):
    """Calls that threads take one by one.

    Threads communicate only through lists that grow and a deque that shrinks, so an interrupt at
    any point leaves no lock to release.
    """

    def __init__(self, calls: Sequence[Callable[[], T]]) -> None:
        self._pending, self._count = deque(calls), len(calls)
        self._results: list[T] = []
        self._errors: list[BaseException] = []
        self._came: list[None] = []
        self._went: list[None] = []
        self._bell: SimpleQueue[None] = SimpleQueue()

    def work(self) -> None:
        """Make calls until none is left."""
        while call := self._next():
            self._results.append(call())

    def help(self) -> None:
        """Make calls as a helper; its exception is passed to the waiting thread."""
        self._came.append(None)
        try:
            self.work()
        except BaseException as error:
            self._errors.append(error)
        finally:
            self._went.append(None)
            self._bell.put(None)

    def results(self) -> list[T]:
        """Wait for all calls and return their results in order of completion.

        Raises the exception of a helper.
        """
        while len(self._results) < self._count and not self._errors:
            with suppress(Empty):
                self._bell.get(timeout=_WAIT_SECONDS)
        for error in self._errors:
            raise error
        return self._results

    def end(self) -> None:
        """Cancel pending calls, and wait for those in progress."""
        self._pending.clear()
        while len(self._went) < len(self._came):
            sleep(_POLL_SECONDS)

    def _next(self) -> Callable[[], T] | None:
        try:
            return self._pending.popleft()
        except IndexError:
            return None


class Helpers(Generic[T]):
    """A pool of helper threads, which lives as long as this object is referenced."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Shares[T] | None] = SimpleQueue()
        self._threads: list[Thread] = []

    @property
    def are_gone(self) -> bool:
        """True if a thread is gone, as in a forked child."""
        return not all(thread.is_alive() for thread in self._threads)

    def submit(self, shares: Shares[T], count: int) -> None:
        """Submit shares to `count` helpers. Raises MemoryError if a thread cannot start."""
        if count and not self._threads:
            # Not in `__init__`: an interrupt during the callback would be lost.
            weakref.finalize(self, _dismiss, self._queue, self._threads)
        while len(self._threads) < count:
            thread = Thread(target=_help, args=(self._queue,), daemon=True)
            start_thread(thread)
            self._threads.append(thread)
        for _ in range(count):
            self._queue.put(shares)


def _help(queue: "SimpleQueue[Shares[T] | None]") -> None:
    for shares in iter(queue.get, None):
        shares.help()


def _dismiss(queue: "SimpleQueue[Shares[T] | None]", threads: Sequence[Thread]) -> None:
    for _ in threads:
        queue.put(None)
