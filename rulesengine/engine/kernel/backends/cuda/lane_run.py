"""Run the kernel of playouts on a GPU: lanes, chunks of games, totals."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rulesengine.engine.kernel.backends.cuda.device import STACK, Device
from rulesengine.engine.kernel.backends.cuda.driver import DeviceError
from rulesengine.engine.kernel.backends.cuda.ptx import FAILED, KERNEL, TOTALS, LaneKernel
from rulesengine.job import DONE, Job

THREADS = 128  # lanes of a block
_CHUNKS = 1 << 20  # of a launch; each may fail, and then has a word in the results
_CHUNK = 16  # games of a chunk at most; lanes of a warp wait for the longest chunk
_SHARES = 4  # chunks of a lane, so that lanes end at nearly the same time
_WORD = 8
_ALIGN = 64
_JOB = 128  # bytes of the memory of a job


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

    def totals(self, state: bytes, games: int, seed: int, job: Job) -> LaneTotals:
        """Return the totals of games 0 to `games` - 1. Raises DeviceError and Stopped."""
        device, driver = self.device, self.device.driver
        module = device.module(self.ptx, job)
        try:
            if self.kernel.recurses:
                driver.raise_stack(STACK)
            function = driver.function(module, KERNEL)
            return self._played(function, state, games, seed, job)
        finally:
            driver.unload(module)

    def _played(self, function: Any, state: bytes, games: int, seed: int, job: Job) -> LaneTotals:
        device, found = self.device, LaneTotals([0] * self.kernel.totals, [])
        launches = list(self._launches(function, games))
        lanes = THREADS * max((launch.blocks for launch in launches), default=0)
        most = max((launch.chunks for launch in launches), default=0)
        size = _WORD * (TOTALS + self.kernel.totals + most)
        with (
            device.stream() as stream,
            device.memory(lanes * self._context) as contexts,
            device.memory(len(state)) as start,
            device.memory(size) as results,
            device.mapped(_JOB) as (host, polled),
        ):
            device.driver.clear(contexts, lanes * self._context, stream)
            device.driver.upload(start, state, stream)
            for launch in launches:
                places = contexts, self._context, start, launch.first, launch.games, launch.chunk
                words = *places, seed, results, polled
                with watched(job, host) as memory:
                    words_used = _WORD * (TOTALS + self.kernel.totals + launch.chunks)
                    device.driver.clear(results, words_used, stream)
                    device.driver.launch(function, launch.blocks, THREADS, words, stream)
                    device.driver.wait(stream)
                    job.poll()
                    memory[DONE : DONE + _WORD] = launch.games.to_bytes(_WORD, "little")
                self._add(found, launch, results, stream)
        return found

    def _launches(self, function: Any, games: int) -> Iterator[Launch]:
        """Yield launches for all games. Raises DeviceError if one block has no memory."""
        device = self.device
        room = device.driver.free_memory() // 2 // (THREADS * self._context)
        if not room:
            size = THREADS * self._context
            raise DeviceError(f"the GPU has too little free memory: a block needs {size} bytes")
        blocks = device.facts.processors * max(1, device.driver.blocks_of(function, THREADS))
        blocks = min(blocks, room)
        chunk = max(1, min(_CHUNK, games // (_SHARES * blocks * THREADS)))
        for first in range(0, games, chunk * _CHUNKS):
            number = min(chunk * _CHUNKS, games - first)
            few = -(-number // (chunk * THREADS))
            yield Launch(first, number, chunk, min(blocks, few))

    def _add(self, found: LaneTotals, launch: Launch, results: int, stream: Any) -> None:
        """Add the results of a launch."""
        head = TOTALS + self.kernel.totals
        words = self._words(results, 0, head, stream)
        for place, total in enumerate(words[TOTALS:]):
            found.totals[place] += total
        end = launch.first + launch.games
        for number in self._words(results, head, words[FAILED], stream):
            first = launch.first + number * launch.chunk
            found.failed.append(range(first, min(first + launch.chunk, end)))

    def _words(self, address: int, first: int, count: int, stream: Any) -> list[int]:
        if not count:
            return []
        place, size = address + first * _WORD, count * _WORD
        data = self.device.driver.download(place, size, stream)
        return list(memoryview(data).cast("Q"))


@contextmanager
def watched(job: Job, address: int) -> Iterator[memoryview]:
    """Let a job count and cancel through memory of the host, for the duration of a block."""
    memory = memoryview((ctypes.c_uint8 * _JOB).from_address(address)).cast("B")
    memory[:] = bytes(_JOB)
    with job.watched(memory):
        yield memory
