"""Run the kernel of perft on a GPU: lanes, states of a frontier, a sum of weighted counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulesengine.engine.kernel.backends.cuda.count_lanes import (
    COUNT_HEAD,
    COUNT_KERNEL,
    COUNT_TOTAL,
    CountKernel,
)
from rulesengine.engine.kernel.backends.cuda.device import JOB, THREADS, WORD, Device, watched
from rulesengine.engine.kernel.backends.cuda.driver import DeviceMemoryError
from rulesengine.engine.kernel.backends.cuda.lane_text import FAILED
from rulesengine.job import DONE, Job


@dataclass(frozen=True, slots=True)
class Depth:
    """The depth of a count and its options, as `drivers.perft` has them."""

    plies: int
    keep: bool
    free: bool
    bulk: bool


class CountRun:
    """Counts below many states on a GPU, on the thread that calls `total`."""

    def __init__(self, device: Device, kernel: CountKernel, ptx: bytes) -> None:
        self.device, self.kernel, self.ptx = device, kernel, ptx

    def total(self, rows: Sequence[bytes], depth: Depth, job: Job) -> tuple[int, list[int]]:
        """Return the sum of the counts below states, and the numbers of states that failed.

        A row is the words of a state and its weight. If memory is too little, the states are
        divided. Raises DeviceError and Stopped.
        """
        try:
            return self._counted(rows, depth, job)
        except DeviceMemoryError:
            middle = len(rows) // 2
            if not middle:
                raise
        count, failed = self.total(rows[:middle], depth, job)
        more, others = self.total(rows[middle:], depth, job)
        return count + more, [*failed, *(middle + number for number in others)]

    def _counted(self, rows: Sequence[bytes], depth: Depth, job: Job) -> tuple[int, list[int]]:
        """Return the results of `total` by one launch."""
        device, driver, context = self.device, self.device.driver, self.kernel.context
        with (
            device.function(self.ptx, COUNT_KERNEL, job, recurses=True) as function,
            device.stream() as stream,
        ):
            blocks = min(device.most_blocks(function, context), -(-len(rows) // THREADS))
            data, size = b"".join(rows), blocks * THREADS * context
            with (
                device.memory(size) as contexts,
                device.memory(len(data)) as states,
                device.memory(WORD * (COUNT_HEAD + len(rows))) as results,
                device.mapped(JOB) as (host, polled),
                watched(job, host) as memory,
            ):
                driver.clear(contexts, size, stream)
                driver.clear(results, WORD * (COUNT_HEAD + len(rows)), stream)
                driver.upload(states, data, stream)
                options = depth.plies, depth.keep, depth.free, depth.bulk
                words = contexts, states, len(rows), *map(int, options), results, polled
                driver.launch(function, blocks, THREADS, words, stream)
                driver.wait(stream)
                job.raise_if_stopped()
                memory[DONE : DONE + WORD] = len(rows).to_bytes(WORD, "little")
                head = device.words(results, 0, COUNT_HEAD, stream)
                failed = device.words(results, COUNT_HEAD, head[FAILED], stream)
        return head[COUNT_TOTAL], failed
