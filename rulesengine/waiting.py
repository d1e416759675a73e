"""Calls made by other threads while the main thread waits: there an interrupt comes through.

Python does what a signal asks for between two of its own instructions, on the main thread. Inside
compiled code there are none, so that Ctrl-C would come to nothing until this has ended.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Condition, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, TypeVar

from rulesengine.errors import Stopped

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

T = TypeVar("T")

SHORT = 0.004  # seconds that need no thread, which costs 0.0003
_LOOK = 0.1  # seconds; where waiting itself cannot be interrupted, it is so often taken up again


def in_threads(calls: Sequence[Callable[[], T]], stop: Callable[[], None]) -> list[T]:
    """The results of calls, a thread for each; the error of the first one that has failed.

    Whatever ends the waiting calls `stop`, which has to end the calls, and none is under way any
    more then. One call alone is made at once if no interrupt comes to this thread anyway. Raises
    MemoryError where there is no room for a thread.
    """
    if len(calls) == 1 and current_thread() is not main_thread():
        return [calls[0]()]
    from concurrent.futures import ThreadPoolExecutor, wait  # here: they take 10 ms to load

    made = _Calls()
    with ThreadPoolExecutor(len(calls)) as pool, made.ended_by(stop):
        futures = [_submitted(pool, partial(made.make, call)) for call in calls]
        while wait(futures, timeout=_LOOK).not_done:
            pass
    return [future.result() for future in futures]


class _Calls:
    """How many calls are under way.

    A pool does not know of a thread if an interrupt comes while it is started, and would leave it.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._under_way = 0
        self._is_over = False

    def make(self, call: Callable[[], T]) -> T:
        with self._changed:
            if self._is_over:
                raise Stopped
            self._under_way += 1
        try:
            return call()
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    @contextmanager
    def ended_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """What goes wrong meanwhile comes out when the calls have been stopped and have ended."""
        try:
            yield
        except BaseException:
            self._is_over = True
            stop()
            with self._changed:
                while self._under_way:
                    self._changed.wait(_LOOK)
            raise


def start_thread(thread: Thread) -> None:
    """Start a thread. Raises MemoryError where there is no room for its stack."""
    with _no_room_is_no_memory():
        thread.start()


def _submitted(pool: "ThreadPoolExecutor", call: Callable[[], T]) -> "Future[T]":
    with _no_room_is_no_memory():
        return pool.submit(call)


@contextmanager
def _no_room_is_no_memory() -> Iterator[None]:
    """Python tells of a thread that cannot be started as of a mistake in its use."""
    try:
        yield
    except RuntimeError as error:
        raise MemoryError(str(error)) from None
