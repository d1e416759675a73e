"""Compilation of kernels on background threads, and messages about compilations.

The messages are log records of the logger `rulesengine.compile`. See decision 096.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from threading import enumerate as running_threads
from time import monotonic
from typing import TYPE_CHECKING

from rulesengine.support.blocking import start_thread

if TYPE_CHECKING:
    from logging import LogRecord

_LOGGER = "rulesengine.compile"
_POLL_SECONDS = 0.1  # between interrupts of a wait
# Called with a kernel at the start of its compilation, and with its seconds at the end.
Listener = Callable[[str, float | None], None]


class CompileThread(Thread):
    """A thread that compiles kernels; a short run waits for it at its end if `is_awaited`."""

    def __init__(self, name: str, make: Callable[[], None], *, is_awaited: bool) -> None:
        super().__init__(target=make, name=name, daemon=True)
        self.is_awaited = is_awaited

    def run(self) -> None:
        """Compile, and let threads alternate often meanwhile.

        Each import of a module releases the interpreter lock some times. With the usual interval,
        a busy thread would then keep the lock for 5 ms each time, in total for more than a second.
        """
        with _ALTERNATION:
            super().run()


class _Alternation:
    """A short switch interval of CPython's threads while it is entered, by any thread."""

    def __init__(self) -> None:
        self._lock, self._count, self._usual = Lock(), 0, 0.0

    def __enter__(self) -> None:
        with self._lock:
            self._count += 1
            if self._count == 1:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(min(_INTERVAL, self._usual))

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            self._count -= 1
            if self._count == 0:
                sys.setswitchinterval(self._usual)


_INTERVAL = 0.0005  # seconds
_ALTERNATION = _Alternation()


def compile_in_background(name: str, make: Callable[[], None], *, is_awaited: bool) -> None:
    """Compile kernels on a thread of their own; without memory for a thread, do nothing."""
    with suppress(MemoryError):
        start_thread(CompileThread(name, make, is_awaited=is_awaited))


def is_compiling() -> bool:
    """True if kernels are being compiled in the background."""
    return any(isinstance(thread, CompileThread) for thread in running_threads())


def join_all(seconds: float) -> None:
    """Wait up to `seconds` for all compilations in the background; later runs load their kernels.

    An interrupt ends the wait.
    """
    end = monotonic() + seconds
    for thread in running_threads():
        while isinstance(thread, CompileThread) and thread.is_alive() and monotonic() < end:
            thread.join(min(_POLL_SECONDS, max(0.0, end - monotonic())))


def join_awaited(seconds: float) -> None:
    """Wait up to `seconds` for awaited compilations; later runs load their kernels."""
    end = monotonic() + seconds
    for thread in running_threads():
        if isinstance(thread, CompileThread) and thread.is_awaited:
            thread.join(max(0.0, end - monotonic()))


@contextmanager
def reported(kernel: str) -> Iterator[None]:
    """Log the start and the end of a compilation, if the process uses `logging`."""
    logging = sys.modules.get("logging")
    if logging is None:
        yield
        return
    log, start_time = logging.getLogger(_LOGGER), monotonic()
    log.info("compiling %s", kernel, extra={"kernel": kernel, "seconds": None})
    try:
        yield
    finally:
        seconds = monotonic() - start_time
        log.info(
            "compiled %s in %.1f s", kernel, seconds, extra={"kernel": kernel, "seconds": seconds}
        )


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a listener at the start and the end of each compilation, for the duration of a block."""
    import logging

    class Handler(logging.Handler):
        def emit(self, record: "LogRecord") -> None:
            listener(*(getattr(record, name) for name in ("kernel", "seconds")))

    log, handler = logging.getLogger(_LOGGER), Handler()
    level = log.level
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
