"""Run the kernel of playouts on a GPU: lanes, chunks of games, totals."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rulesengine.engine.kernel.backends.cuda.device import JOB, THREADS, WORD, Device, watched
from rulesengine.engine.kernel.backends.cuda.driver import DeviceMemoryError
from rulesengine.engine.kernel.backends.cuda.lane_text import FAILED
from rulesengine.engine.kernel.backends.cuda.ptx import KERNEL, TOTALS, LaneKernel
from rulesengine.job import DONE, Job

_CHUNKS = 1 << 20  # of a launch; each may fail, and then has a word in the results
_CHUNK = 16  # games of a chunk at most; lanes of a warp wait for the longest chunk
_SHARES = 4  # chunks of a lane, so that lanes end at nearly the same time
_ALIGN = 64


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch: its first game, the number of games, the games of a chunk, the blocks."""

    first: int
    games: int
    chunk: int
    blocks: int

    @property
    def chunks(self) -> int:
        return -(-self.games // self.chunk)


@dataclass(frozen=True, slots=True)
class LaneTotals:
    """The totals of a run, and the ranges of games that its lanes could not play."""

    totals: list[int]
    failed: list[range]


class LaneRun:
    """Playouts from one state on a GPU, on the thread that calls `totals`."""

    def __init__(self, device: Device, kernel: LaneKernel, ptx: bytes) -> None:
        self.device, self.kernel, self.ptx = device, kernel, ptx
        self._context = -(-kernel.context // _ALIGN) * _ALIGN
        self._head = TOTALS + kernel.totals

    def totals(self, state: bytes, games: range, seed: int, job: Job) -> LaneTotals:
        """Return the totals of a range of games. Raises DeviceError and Stopped.

        If memory turns out to be too little, fewer lanes play.
        """
        recurses, device = self.kernel.recurses, self.device
        with device.function(self.ptx, KERNEL, job, recurses=recurses) as function:
            blocks = device.most_blocks(function, self._context)
            while True:
                try:
                    return self._played(function, blocks, state, games, seed, job)
                except DeviceMemoryError:
                    if blocks == 1:
                        raise
                    blocks //= 2

    def _played(
        self, function: Any, blocks: int, state: bytes, games: range, seed: int, job: Job
    ) -> LaneTotals:
        device, driver = self.device, self.device.driver
        totals = LaneTotals([0] * self.kernel.totals, [])
        launches = list(self._launches(blocks, games))
        lanes = THREADS * max((launch.blocks for launch in launches), default=0)
        most = max((launch.chunks for launch in launches), default=0)
        with (
            device.stream() as stream,
            device.memory(lanes * self._context) as contexts,
            device.memory(len(state)) as start,
            device.memory(WORD * (self._head + most)) as results,
            device.mapped(JOB) as (host, polled),
        ):
            driver.clear(contexts, lanes * self._context, stream)
            driver.upload(start, state, stream)
            for launch in launches:
                places = contexts, self._context, start, launch.first, launch.games, launch.chunk
                words = *places, seed, results, polled
                with watched(job, host) as memory:
                    driver.clear(results, WORD * (self._head + launch.chunks), stream)
                    driver.launch(function, launch.blocks, THREADS, words, stream)
                    driver.wait(stream)
                    job.raise_if_stopped()
                    memory[DONE : DONE + WORD] = launch.games.to_bytes(WORD, "little")
                self._add(totals, launch, results, stream)
        return totals

    @staticmethod
    def _launches(blocks: int, games: range) -> Iterator[Launch]:
        """Yield launches for all games."""
        chunk = max(1, min(_CHUNK, len(games) // (_SHARES * blocks * THREADS)))
        for first, end in pairwise([*range(games.start, games.stop, chunk * _CHUNKS), games.stop]):
            few = -(-(end - first) // (chunk * THREADS))
            yield Launch(first, end - first, chunk, min(blocks, few))

    def _add(self, totals: LaneTotals, launch: Launch, results: int, stream: Any) -> None:
        """Add the results of a launch."""
        words = self.device.words(results, 0, self._head, stream)
        for place, total in enumerate(words[TOTALS:]):
            totals.totals[place] += total
        end = launch.first + launch.games
        for number in self.device.words(results, self._head, words[FAILED], stream):
            first = launch.first + number * launch.chunk
            totals.failed.append(range(first, min(first + launch.chunk, end)))
