"""Progress and cancellation of a long call."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from rulesengine.errors import Stopped, UsageError

if TYPE_CHECKING:
    from mmap import mmap

    WritableBuffer = bytearray | mmap | memoryview

# Offsets in a control block: the byte that cancels a call, and the word that counts its progress.
STOP, DONE = 0, 8
_WORD = 8
_BLOCK = 128  # bytes, so that no two threads write to the same cache line


class Job:
    """A handle that reports the progress of long calls and cancels them, from any thread.

    Pass it as `job=` to one or more calls. `done` is the sum of their progress. After `stop` these
    calls raise `Stopped`.
    """

    __slots__ = ("_advanced", "_blocks", "_lock", "_stopped")

    def __init__(self) -> None:
        # by identity: two control blocks may have equal contents
        self._blocks: dict[int, WritableBuffer] = {}
        self._advanced = 0
        self._lock = Lock()
        self._stopped = False

    @property
    def done(self) -> int:
        """Return the progress of all calls so far.

        The unit is one random game for playouts, one searched position for searches, and one
        position whose moves were generated for `perft`. Kernels do not count positions before the
        last two moves of a `perft`.
        """
        words = (block[DONE : DONE + _WORD] for block in tuple(self._blocks.values()))
        return self._advanced + sum(int.from_bytes(word, "little") for word in words)

    def stop(self) -> None:
        """Cancel all calls that use this job, running or later ones; their partial results are
        lost.
        """
        self._stopped = True
        for block in tuple(self._blocks.values()):
            block[STOP] = 1

    def control_block(self) -> bytearray:
        """Return memory shared with one kernel call, which polls one word and counts in another."""
        block = bytearray(_BLOCK)
        self._blocks[id(block)] = block
        if self._stopped:  # tested last: a concurrent `stop` has already seen the block
            block[STOP] = 1
        return block

    @contextmanager
    def attach(self, block: "WritableBuffer") -> Iterator[None]:
        """Use memory of the caller as a control block for the duration of a `with` statement.

        The memory has the layout of a control block. It need not outlive the statement.
        """
        self._blocks[id(block)] = block
        if self._stopped:
            block[STOP] = 1
        try:
            yield
        finally:
            del self._blocks[id(block)]
            self.advance(int.from_bytes(block[DONE : DONE + _WORD], "little"))

    def raise_if_stopped(self) -> None:
        """Raise Stopped if the job has been stopped."""
        if self._stopped:
            raise Stopped

    def advance(self, count: int) -> None:
        """Add progress of work that runs outside kernels."""
        with self._lock:
            self._advanced += count


def job_of(job: Job | None) -> Job:
    """Return the job, or a new one instead of None. Raises UsageError for anything else."""
    if job is not None and not isinstance(job, Job):
        raise UsageError(f"expected a job, found {job!r:.40}")
    return job or Job()
