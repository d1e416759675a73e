"""Calls made by other threads while the main thread waits: there an interrupt comes through.

Python does what a signal asks for between two of its own instructions, on the main thread. Inside
compiled code there are none, so that Ctrl-C would come to nothing until this has ended.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Thread, current_thread, main_thread
from typing import Generic, TypeVar

T = TypeVar("T")

SHORT = 0.004  # seconds that need no thread, which costs up to 0.0002
_LOOK = 0.1  # seconds; where waiting itself cannot be interrupted, it is so often taken up again


def in_threads(calls: Sequence[Callable[[], T]], stop: Callable[[], None]) -> list[T]:
    """The results of calls, a thread for each; of errors, that of the first call that has failed.

    Whatever ends the waiting calls `stop`, which has to end the calls, and none is under way any
    more then. One call alone is made at once if no interrupt comes to this thread anyway. Raises
    MemoryError where there is no room for a thread.
    """
    if len(calls) == 1 and current_thread() is not main_thread():
        return [calls[0]()]
    made = _Calls(calls)
    threads = [Thread(target=made.make, args=(i,)) for i in range(len(calls))]
    with made.ended_by(stop):
        for thread in threads:
            start_thread(thread)
        for thread in threads:
            while thread.is_alive():
                thread.join(_LOOK)
    if made.errors:
        raise made.errors.pop(min(made.errors))
    return [made.results[i] for i in range(len(calls))]


class _Calls(Generic[T]):
    """Calls, of which some are under way, some have results or errors by now.

    Where an interrupt comes while a thread is started it may run without being known to run.
    """

    def __init__(self, calls: Sequence[Callable[[], T]]) -> None:
        self.results: dict[int, T] = {}
        self.errors: dict[int, BaseException] = {}
        self._calls = calls
        self._changed = Condition()
        self._under_way = 0
        self._is_over = False

    def make(self, number: int) -> None:
        with self._changed:
            if self._is_over:
                return
            self._under_way += 1
        try:
            self.results[number] = self._calls[number]()
        except BaseException as error:
            self.errors[number] = error
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
    try:
        thread.start()
    except RuntimeError as error:  # Python tells of it as of a mistake in its use
        raise MemoryError(str(error)) from None
