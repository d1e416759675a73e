"""Progress and cancellation of a long call."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from rulesengine.errors import Stopped, UsageError

if TYPE_CHECKING:
    from mmap import mmap

    Lane = bytearray | mmap | memoryview  # memory that can be written

# Offsets in a lane: the byte that cancels a call, and the word that counts its progress.
STOP, DONE = 0, 8
_WORD = 8
_LANE = 128  # bytes, so that no two threads write to the same cache line


class Job:
    """A handle that reports the progress of long calls and cancels them, from any thread.

    Pass it as `job=` to one or more calls. `done` is the sum of their progress. After `stop` these
    calls raise `Stopped`.
    """

    __slots__ = ("_adding", "_counted", "_lanes", "_stopped")

    def __init__(self) -> None:
        # by identity: the lanes of two calls may have equal contents
        self._lanes: dict[int, Lane] = {}
        self._counted = 0
        self._adding = Lock()
        self._stopped = False

    @property
    def done(self) -> int:
        """Return the progress of all calls so far.

        The unit is one random game for playouts, one searched position for searches, and one
        position whose moves were generated for `perft`. Kernels do not count positions before the
        last two moves of a `perft`.
        """
        words = (lane[DONE : DONE + _WORD] for lane in tuple(self._lanes.values()))
        return self._counted + sum(int.from_bytes(word, "little") for word in words)

    def stop(self) -> None:
        """Cancel all calls that use this job, running or later ones; their partial results are
        lost.
        """
        self._stopped = True
        for lane in tuple(self._lanes.values()):
            lane[STOP] = 1

    def lane(self) -> bytearray:
        """Return the shared memory of one call: its kernel polls one word and counts in another."""
        lane = bytearray(_LANE)
        self._lanes[id(lane)] = lane
        if self._stopped:  # tested last: a concurrent `stop` has already seen the lane
            lane[STOP] = 1
        return lane

    @contextmanager
    def watched(self, lane: "Lane") -> Iterator[None]:
        """Count and cancel through memory of the caller for the duration of a `with` block.

        The memory has the layout of a lane. It need not outlive the block.
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
        """Add progress of work that runs outside kernels."""
        with self._adding:
            self._counted += count


def job_of(job: Job | None) -> Job:
    """Return the job, or a new one instead of None. Raises UsageError for anything else."""
    if job is not None and not isinstance(job, Job):
        raise UsageError(f"expected a job, found {job!r:.40}")
    return job or Job()
