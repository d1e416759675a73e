"""A long call as others see it: how much of it is done, and a way to stop it."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from rulesengine.errors import Stopped

if TYPE_CHECKING:
    from mmap import mmap

    Lane = bytearray | mmap  # memory that can be written

# Where in a lane the word stands that stops, and the one that counts.
STOP, DONE = 0, 8
_WORD = 8
_LANE = 128  # bytes, so that no two threads write to one line of a cache


class Job:
    """What a long call shares with those who wait for it, in any thread.

    `done` counts what all calls have done that were given the job: random games, or the positions
    whose moves `perft` has looked at, of which kernels leave out those before the last two moves.
    Once `stop` has been called they raise `Stopped`.
    """

    __slots__ = ("_adding", "_counted", "_lanes", "_stopped")

    def __init__(self) -> None:
        self._lanes: dict[int, Lane] = {}  # by who they are: those of two calls may hold the same
        self._counted = 0
        self._adding = Lock()
        self._stopped = False

    @property
    def done(self) -> int:
        """How much is done so far."""
        words = (lane[DONE : DONE + _WORD] for lane in tuple(self._lanes.values()))
        return self._counted + sum(int.from_bytes(word, "little") for word in words)

    def stop(self) -> None:
        """End the calls that are given this job, now or later; their work is lost."""
        self._stopped = True
        for lane in tuple(self._lanes.values()):
            lane[STOP] = 1

    def lane(self) -> bytearray:
        """Memory of one call's own: the words that its kernel polls, and counts in."""
        lane = bytearray(_LANE)
        self._lanes[id(lane)] = lane
        if self._stopped:  # looked at last: who stops meanwhile has seen the lane
            lane[STOP] = 1
        return lane

    @contextmanager
    def watched(self, lane: "Lane") -> Iterator[None]:
        """Let memory that begins as a lane does be one of this job's, for as long as a call takes.

        Other memory may be counted in and stopped so, which need not outlive the call.
        """
        self._lanes[id(lane)] = lane
        if self._stopped:
            lane[STOP] = 1
        try:
            yield
        finally:
            del self._lanes[id(lane)]
            self.add(int.from_bytes(lane[DONE : DONE + _WORD], "little"))

    def poll(self) -> None:
        """Raise Stopped if the job has been stopped."""
        if self._stopped:
            raise Stopped

    def add(self, count: int) -> None:
        """Count what is done outside kernels."""
        with self._adding:
            self._counted += count
