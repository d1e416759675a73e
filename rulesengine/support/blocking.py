"""Blocking calls on worker threads, so that the main thread can handle Ctrl-C.

Python runs signal handlers on the main thread, between two bytecode instructions. Compiled code
executes none, so an interrupt would have no effect until it returns. See decision 021.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Condition, Thread, Timer, current_thread, main_thread
from typing import Generic, TypeVar

T = TypeVar("T")

SHORT = 0.004  # seconds; a shorter call needs no thread, which costs up to 0.0002
_POLL_SECONDS = 0.1  # seconds between polls, where a wait cannot be interrupted


def in_threads(calls: Sequence[Callable[[], T]], stop: Callable[[], None]) -> list[T]:
    """Run each call on a thread and return their results; raise the error of the first failed call.

    An error or interrupt in the waiting thread calls `stop`, which must end the calls, and waits
    for them. A single call runs directly if this is not the main thread. Raises MemoryError if a
    thread cannot be started.
    """
    if len(calls) == 1 and current_thread() is not main_thread():
        return [calls[0]()]
    running = _Calls(calls)
    threads = [Thread(target=running.make, args=(i,)) for i in range(len(calls))]
    with running.ended_by(stop):
        for thread in threads:
            start_thread(thread)
        for thread in threads:
            while thread.is_alive():
                thread.join(_POLL_SECONDS)
    if running.errors:
        raise running.errors.pop(min(running.errors))
    return [running.results[i] for i in range(len(calls))]


def start_timer(seconds: float, call: Callable[[], None]) -> Timer:
    """Start a daemon timer; a time that the system cannot measure, such as infinity, is cut."""
    timer = Timer(min(max(seconds, 0), TIMEOUT_MAX), call)
    timer.daemon = True
    timer.start()
    return timer


class _Calls(Generic[T]):
    """The results and errors of calls on threads, and the number of running calls.

    An interrupt during the start of a thread can leave a thread that its starter does not know.
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
        """Stop the calls and wait for them if the `with` block raises; then raise its error."""
        try:
            yield
        except BaseException:
            self._is_over = True
            stop()
            with self._changed:
                while self._under_way:
                    self._changed.wait(_POLL_SECONDS)
            raise


def start_thread(thread: Thread) -> None:
    """Start a thread. Raises MemoryError if there is no memory for its stack."""
    try:
        thread.start()
    except RuntimeError as error:  # Python reports it as an error of use
        raise MemoryError(str(error)) from None
