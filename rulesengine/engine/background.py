"""Threads that make kernels beside the work."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from threading import enumerate as running_threads
from time import monotonic

from rulesengine.support.blocking import start_thread


class Making(Thread):
    """One that makes kernels; `is_awaited` tells whether a short run should let it end."""

    def __init__(self, name: str, make: Callable[[], None], *, is_awaited: bool) -> None:
        super().__init__(target=make, name=name, daemon=True)
        self.is_awaited = is_awaited


def make_beside(name: str, make: Callable[[], None], *, is_awaited: bool) -> None:
    """Let a thread make kernels; without room for one the work goes on as it is."""
    with suppress(MemoryError):
        start_thread(Making(name, make, is_awaited=is_awaited))


def let_end(seconds: float) -> None:
    """Wait so long for kernels that later runs will have, if they have cost so much without."""
    end = monotonic() + seconds
    for thread in running_threads():
        if isinstance(thread, Making) and thread.is_awaited:
            thread.join(max(0.0, end - monotonic()))
