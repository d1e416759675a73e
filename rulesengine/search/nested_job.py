"""Calls under a time limit of their own, within a longer job."""

from collections.abc import Callable
from typing import TypeVar

from rulesengine.errors import Stopped
from rulesengine.job import Job
from rulesengine.support.blocking import start_timer

T = TypeVar("T")


class _Within(Job):
    """A nested job: it ends by itself or with the outer job, and counts for that one."""

    __slots__ = ("_outer",)

    def __init__(self, outer: Job) -> None:
        super().__init__()
        self._outer = outer

    def poll(self) -> None:
        self._outer.poll()
        super().poll()

    def add(self, count: int) -> None:
        self._outer.add(count)


def within(job: Job, seconds: float | None, call: Callable[[Job], T]) -> T | None:
    """Return the result of a call with a nested job; None if the time runs out.

    Raises Stopped if the outer job is stopped.
    """
    own = _Within(job)
    clock = start_timer(seconds, own.stop) if seconds is not None else None
    try:
        return call(own)
    except Stopped:
        job.poll()
        return None
    finally:
        if clock:
            clock.cancel()
