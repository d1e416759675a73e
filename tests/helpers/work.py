"""Work counted instead of timed, so that a test says the same on every machine."""

import cProfile
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


class Hangs(BaseException):
    """What was to take a moment has been given up; no code that is tested catches this."""


@dataclass
class Work:
    """The calls of functions, those of Python's own included, once their block is left."""

    calls: int = 0


@contextmanager
def counted() -> Iterator[Work]:
    """Count what a block does; it takes two to three times as long as without."""
    work, profile = Work(), cProfile.Profile(subcalls=False)
    profile.enable()
    try:
        yield work
    finally:
        profile.disable()
        work.calls = sum(entry.callcount for entry in profile.getstats())


@contextmanager
def patience(seconds: float = 60.0) -> Iterator[None]:
    """Raise Hangs in a block that has taken so much processor time of ours."""
    before = signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise Hangs
