"""Answer the operations of `serve` inside Pyodide, which has one thread. See decision 155.

A thread runs its call when it is started. A timer calls its function from a signal handler, which
Python runs between two instructions; the page raises the signal.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

Alarm = Callable[[float], object]  # raises the signal after so many seconds; never if negative


class _Timers:
    """The running timers, and the alarm of the page for the next one."""

    def __init__(self) -> None:
        self.alarm: Alarm = lambda seconds: None
        self._due: dict[Timer, float] = {}

    def start(self, timer: "Timer", seconds: float) -> None:
        self._due[timer] = time.monotonic() + seconds
        self._set_alarm()

    def cancel(self, timer: "Timer") -> None:
        self._due.pop(timer, None)
        self._set_alarm()

    def ring(self, *_: object) -> None:
        """Call the functions of the timers that are due."""
        now = time.monotonic()
        for timer in [timer for timer, at in self._due.items() if at <= now]:
            del self._due[timer]
            timer.function()
        self._set_alarm()

    def _set_alarm(self) -> None:
        first = min(self._due.values(), default=None)
        self.alarm(-1.0 if first is None else max(first - time.monotonic(), 0.0))


_TIMERS = _Timers()


class Timer:
    """A timer with the interface of `threading.Timer`."""

    daemon = True

    def __init__(self, interval: float, function: Callable[[], object]) -> None:
        self.interval, self.function = interval, function

    def start(self) -> None:
        """Begin to wait."""
        _TIMERS.start(self, self.interval)

    def cancel(self) -> None:
        """Cancel the call."""
        _TIMERS.cancel(self)


def _adapt() -> None:
    """Replace what Pyodide lacks, before the package is imported."""
    os.environ["RULESENGINE_CACHE"] = ""  # the file system ends with the page
    with suppress(AttributeError):
        del time.thread_time
    time.thread_time = time.process_time
    threading.Thread.start = threading.Thread.run  # type: ignore[method-assign]
    threading.Timer = Timer  # type: ignore[assignment, misc]
    signal.signal(signal.SIGINT, _TIMERS.ring)


def start(alarm: Alarm) -> Callable[[str, str, Callable[[str, bool], None]], None]:
    """Return a function that handles requests; `emit` gets lines of JSON, True for the last one."""
    _adapt()
    from rulesengine.server.web.game_cache import GameCache
    from rulesengine.server.web.operations import Dispatcher

    _TIMERS.alarm = alarm
    dispatcher = Dispatcher(GameCache(compiles_early=False))

    def dispatch(name: str, body: str, emit: Callable[[str, bool], None]) -> None:
        dispatcher.dispatch(name, body.encode(), lambda data, _, ends: emit(data.decode(), ends))

    return dispatch
