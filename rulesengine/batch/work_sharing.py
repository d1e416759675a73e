"""Shares of one piece of work, done by threads that stay: whoever is free takes the next one.

A step of a batch may take less time than to start a thread, or on a busy machine to wake one. So
helpers wait from step to step, who asks takes shares too, and a helper that wakes late finds none
left and holds nobody up. This is self-scheduling, with chunks of one size: Polychronopoulos and
Kuck, "Guided Self-Scheduling", IEEE Transactions on Computers C-36, 1987.
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

_LOOK = 0.1  # seconds; where waiting itself cannot be interrupted, it is so often taken up again
_SOON = 0.001  # seconds until one looks again whether helpers have left


class Shares(Generic[T]):
    """Calls, of which each thread that comes takes one after the other.

    All that threads tell one another are lists that grow and a deque that shrinks: an interrupt
    between two of their instructions leaves nothing to be released.
    """

    def __init__(self, calls: Sequence[Callable[[], T]]) -> None:
        self._left, self._count = deque(calls), len(calls)
        self._found: list[T] = []
        self._errors: list[BaseException] = []
        self._came: list[None] = []
        self._went: list[None] = []
        self._bell: SimpleQueue[None] = SimpleQueue()

    def work(self) -> None:
        """Make calls until none is left."""
        while call := self._next():
            self._found.append(call())

    def help(self) -> None:
        """The same in a helper, whose error is kept for who waits."""
        self._came.append(None)
        try:
            self.work()
        except BaseException as error:
            self._errors.append(error)
        finally:
            self._went.append(None)
            self._bell.put(None)

    def results(self) -> list[T]:
        """What the calls have given, in the order of their ends; waits for all of them.

        Raises what a helper has met with.
        """
        while len(self._found) < self._count and not self._errors:
            with suppress(Empty):
                self._bell.get(timeout=_LOOK)
        for error in self._errors:
            raise error
        return self._found

    def end(self) -> None:
        """Make no further call, and wait until those that helpers make have ended."""
        self._left.clear()
        while len(self._went) < len(self._came):
            sleep(_SOON)

    def _next(self) -> Callable[[], T] | None:
        try:
            return self._left.popleft()
        except IndexError:
            return None


class Helpers(Generic[T]):
    """Threads that wait for shares to help with, for as long as somebody holds this."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[Shares[T] | None] = SimpleQueue()
        self._threads: list[Thread] = []

    @property
    def are_gone(self) -> bool:
        """Whether this is in a child of the process that had them."""
        return not all(thread.is_alive() for thread in self._threads)

    def ask(self, shares: Shares[T], count: int) -> None:
        """Ask so many helpers. Raises MemoryError where there is no room for a thread."""
        if count and not self._threads:
            # Not before: an interrupt that comes while this runs is lost.
            weakref.finalize(self, _dismiss, self._asked, self._threads)
        while len(self._threads) < count:
            thread = Thread(target=_help, args=(self._asked,), daemon=True)
            start_thread(thread)
            self._threads.append(thread)
        for _ in range(count):
            self._asked.put(shares)


def _help(asked: "SimpleQueue[Shares[T] | None]") -> None:
    for shares in iter(asked.get, None):
        shares.help()


def _dismiss(asked: "SimpleQueue[Shares[T] | None]", threads: Sequence[Thread]) -> None:
    for _ in threads:
        asked.put(None)
