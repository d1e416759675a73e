"""Compilation in tiers: code without passes at once, better code in the background.

See decision 097.
"""

import os
import subprocess
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Event, Thread
from time import monotonic
from typing import Protocol
from weakref import finalize, ref

from rulesengine.engine.kernel.backends.native.compiler_process import FULL, LIGHT, QUICK
from rulesengine.engine.kernel.backends.native.object_code import (
    CompileError,
    CompileRefusedError,
    cached_object,
    compile_level,
    drop_interim,
    interim_object,
    keep_interim,
    keep_object,
)
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.support.blocking import start_thread

_SMALL = 48 * 1024  # bytes of assembly that nearly always take less than 0.2 s with all passes
_SMALL_SECONDS = 1  # of processor time for these; some texts take long however small they are
_LARGE = 400 * 1024  # bytes of assembly for which a tier between the first and the last pays
# The compilations to do, and a slot for each thread that does them; the caller has a core too.
_QUEUE: "SimpleQueue[Promotion]" = SimpleQueue()
_THREADS = BoundedSemaphore(max(1, (os.cpu_count() or 1) - 1))
_POLL = 0.2


class Replaceable(Protocol):
    """Loaded code that can be replaced by other object code of the same text."""

    def replace(self, data: bytes) -> None: ...


def compile_first(text: str, target: Target, store: Store | None, key: bytes) -> tuple[bytes, bool]:
    """Return the object code to begin with, and True if no better code will follow.

    It is the cached one, that of a small text with all passes, or that without passes. `key` is the
    key of the best code. Raises CompileError.
    """
    code = cached_object(store, key)
    if code is not None:
        return code, True
    if len(text) < _SMALL:
        with suppress(CompileRefusedError):
            data = compile_level(text, target, FULL, store, seconds=_SMALL_SECONDS)
            keep_object(store, key, data)
            return data, True
    interim = interim_object(store, key)
    if interim is not None:
        return interim[0], False
    data = compile_level(text, target, QUICK, store)
    keep_interim(store, key, data, text)
    return data, False


class Promotion:
    """The compilation of better tiers of loaded code in the background; each is put in its place.

    It ends early if the code is no longer in use, or if a compiler fails for a reason that may
    pass. If the limits do not suffice for all passes, the best of the lower tiers is cached as the
    final one. `delay` is the number of seconds before it starts.
    """

    def __init__(
        self,
        code: Replaceable,
        text: str,
        target: Target,
        store: Store | None,
        key: bytes,
        delay: float,
    ) -> None:
        self._code = ref(code)
        self._text, self._target, self._store, self._key = text, target, store, key
        self._start, self._owner = monotonic() + delay, os.getpid()
        self._stopped, self._ended = Event(), Event()
        self._process: subprocess.Popen[bytes] | None = None
        finalize(code, self.stop)

    def stop(self) -> None:
        """End the compilation, now and when the process exits."""
        self._stopped.set()
        if self._process is not None:
            self._process.kill()

    def is_over(self, seconds: float) -> bool:
        """Wait up to a time for the last tier; True if no better code will follow."""
        end = monotonic() + seconds
        while not self.has_ended and monotonic() < end:
            self._ended.wait(min(_POLL, seconds))  # no longer: not all systems can interrupt it
        return self.has_ended

    @property
    def has_ended(self) -> bool:
        """True if no better code will follow; threads do not survive a fork."""
        return self._ended.is_set() or self._owner != os.getpid()

    def run(self) -> None:
        """Compile the better tiers."""
        try:
            if not self._stopped.wait(max(0.0, self._start - monotonic())):
                with suppress(CompileError, MemoryError):
                    self._promote()
        finally:
            self._ended.set()

    def _promote(self) -> None:
        store, key = self._store, self._key
        best = cached_object(store, key)  # by another process in the meantime
        if best is not None:
            self._put(best)
            return
        light = self._compiled(LIGHT) if len(self._text) >= _LARGE else None
        best = self._compiled(FULL) or light or self._compiled(LIGHT)
        if best is None:
            best = compile_first(self._text, self._target, store, key)[0]
        keep_object(store, key, best)
        drop_interim(store, key)

    def _compiled(self, level: int) -> bytes | None:
        """Put object code of a level in place and return it; None if it exceeds the limits.

        Raises CompileError.
        """
        if self._stopped.is_set():
            raise CompileError("the code is no longer in use")
        try:
            data = compile_level(self._text, self._target, level, self._store, watch=self._watch)
        except CompileRefusedError:
            return None
        self._put(data)
        return data

    def _put(self, data: bytes) -> None:
        code = self._code()
        if code is not None:
            code.replace(data)

    def _watch(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        if self._stopped.is_set():
            process.kill()


def promote(
    code: Replaceable,
    text: str,
    target: Target,
    store: Store | None,
    key: bytes,
    *,
    delay: float = 0.0,
) -> Promotion | None:
    """Begin the compilation of better tiers; None if there is no memory for a thread."""
    promotion = Promotion(code, text, target, store, key, delay)
    _QUEUE.put(promotion)
    try:
        _start_threads()
    except MemoryError:
        return None
    return promotion


def _start_threads() -> None:
    """Start a thread for the queue if one is allowed. Raises MemoryError."""
    if _QUEUE.empty() or not _THREADS.acquire(blocking=False):
        return
    try:
        start_thread(Thread(target=_work, name="kernel tiers", daemon=True))
    except MemoryError:
        _THREADS.release()
        raise


def _work() -> None:
    """Run the compilations of the queue, until it is empty."""
    try:
        with suppress(Empty):
            while True:
                _QUEUE.get_nowait().run()
    finally:
        _THREADS.release()
    with suppress(MemoryError):
        _start_threads()  # for one that came as this thread ended
