"""A job with a timeout inside another job."""

from collections.abc import Callable
from typing import TypeVar

from rulesengine.errors import Stopped
from rulesengine.job import Job
from rulesengine.support.blocking import start_timer

T = TypeVar("T")


class _NestedJob(Job):
    """A job that also stops with an outer job, and that advances the outer job."""

    __slots__ = ("_outer",)

    def __init__(self, outer: Job) -> None:
        super().__init__()
        self._outer = outer

    def raise_if_stopped(self) -> None:
        self._outer.raise_if_stopped()
        super().raise_if_stopped()

    def advance(self, count: int) -> None:
        self._outer.advance(count)


def within(job: Job, seconds: float | None, call: Callable[[Job], T]) -> T | None:
    """Return the result of a call with a nested job; None after a timeout.

    Raises Stopped if the outer job is stopped.
    """
    nested = _NestedJob(job)
    timer = start_timer(seconds, nested.stop) if seconds is not None else None
    try:
        return call(nested)
    except Stopped:
        job.raise_if_stopped()
        return None
    finally:
        if timer:
            timer.cancel()
