"""Compilation of kernels on background threads."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from threading import enumerate as running_threads
from time import monotonic

from rulesengine.support.blocking import start_thread


class CompileThread(Thread):
    """A thread that compiles kernels; a short run waits for it at its end if `is_awaited`."""

    def __init__(self, name: str, make: Callable[[], None], *, is_awaited: bool) -> None:
        super().__init__(target=make, name=name, daemon=True)
        self.is_awaited = is_awaited


def compile_in_background(name: str, make: Callable[[], None], *, is_awaited: bool) -> None:
    """Compile kernels on a thread of their own; without memory for a thread, do nothing."""
    with suppress(MemoryError):
        start_thread(CompileThread(name, make, is_awaited=is_awaited))


def join_awaited(seconds: float) -> None:
    """Wait up to `seconds` for awaited compilations; later runs load their kernels."""
    end = monotonic() + seconds
    for thread in running_threads():
        if isinstance(thread, CompileThread) and thread.is_awaited:
            thread.join(max(0.0, end - monotonic()))
