"""Work counted instead of timed, so a test has the same result on every machine."""

import cProfile
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


class Hangs(BaseException):
    """A step that should be fast has been aborted; no tested code catches this."""


@dataclass
class Work:
    """The number of function calls, Python's own included, after the end of the block."""

    calls: int = 0


@contextmanager
def counted() -> Iterator[Work]:
    """Count the work of a block; the profiler makes it two to three times slower."""
    work, profile = Work(), cProfile.Profile(subcalls=False)
    profile.enable()
    try:
        yield work
    finally:
        profile.disable()
        work.calls = sum(entry.callcount for entry in profile.getstats())


@contextmanager
def patience(seconds: float = 60.0) -> Iterator[None]:
    """Raise Hangs in a block that uses more processor time of this process."""
    before = signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise Hangs
