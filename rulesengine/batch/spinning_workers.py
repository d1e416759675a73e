"""Spinning workers: threads that stay in the kernel between consecutive steps of a batch.

See decision 073.
"""

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import sleep

from rulesengine.batch.failures import Driver, Failure, Restore
from rulesengine.batch.kernel_arguments import kernel_arguments
from rulesengine.batch.work_sharing import Helpers, Shares
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch import spinning
from rulesengine.engine.drivers.batch.memories import StepMemories
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.kernel.backends.protocol import CompiledModule
from rulesengine.errors import Stopped

# The signature of `Work._range`: a driver, a range of games, and the mark of the thread.
Range = Callable[
    [CompiledModule, Driver, Sequence[StepMemories], Restore | None, int, int, int], list[Failure]
]

_CHUNKS = 8  # chunks per thread, since one may be descheduled; each costs about 0.1 microseconds
_SERVING = 1 << 17  # polls before an idle helper leaves the kernel: about 0.5 ms
_LEADING = 1 << 14  # polls for the helpers' chunks before the leader sleeps
_POLL_SECONDS = 0.0001  # seconds between polls while sleeping
_NONE = -1  # the mark of a thread without a game in progress


class KernelMemories:
    """The kernel and the memories that helpers are using, with the bound calls for them."""

    def __init__(
        self, part: CompiledModule, memories: StepMemories, mark: int, chunks: int
    ) -> None:
        self.part, self.memories = part, memories
        self._arguments = kernel_arguments([memories])
        # Indexed by: records are swapped, chunks are still to be offered.
        self.leads = [
            [self._bound(mark, offered, is_back) for offered in (0, chunks)] for is_back in (0, 1)
        ]

    def is_of(self, part: CompiledModule, memories: StepMemories) -> bool:
        """True if a step uses this kernel and these memories, in either direction."""
        own = self.memories
        if memories.was is own.now:
            own = replace(own, was=own.now, now=own.was)
        names = StepMemories.__match_args__
        return part is self.part and all(getattr(own, n) is getattr(memories, n) for n in names)

    def serve(self, mark: int) -> bool:
        """Run in the kernel until it is idle for a while; return False if the kernel failed."""
        name = spinning.serve.__name__
        return self.part.call(name, (_SERVING, mark, *self._arguments)) is not None

    def report_chunk(self) -> None:
        """Report that a chunk is done."""
        self.part.call(spinning.count_chunk.__name__, (self._arguments[0],))

    def _bound(self, mark: int, offered: int, is_back: int) -> Callable[[], bool]:
        arguments = (offered, is_back, _LEADING, mark, *self._arguments)
        return self.part.bound(spinning.lead.__name__, arguments)


class HelperPool:
    """The helper threads, and the numbers of those that are in the kernel."""

    def __init__(self, plan: Memory) -> None:
        self.helpers = Helpers[None]()
        self.serving: list[int] = []
        self._plan = plan

    def stop_helpers(self) -> None:
        """Make all helpers leave the kernel, and wait until they have."""
        self._plan.numbers[at.OFFERED] = 0
        self._plan.numbers[STOP] = 1
        while self.serving and not self.helpers.are_gone:
            sleep(_POLL_SECONDS)
        self._plan.numbers[STOP] = 0

    def restart(self) -> None:
        """Replace the helpers after a fork, which does not copy threads."""
        if self.helpers.are_gone:
            self.helpers, self.serving = Helpers(), []


class SpinningWorkers:
    """Steps by a team of threads; `range_` handles the chunks in which the kernel fails."""

    def __init__(self, range_: Range, threads: int, marks: Sequence[int], plan: Memory) -> None:
        self._range, self._threads, self._marks, self._plan = range_, threads, marks, plan
        self._pool, self._ends = HelperPool(plan), False
        self._memories: KernelMemories | None = None
        self._failures: list[Failure] = []
        self._step: tuple[StepMemories, Restore | None] | None = None

    def step(
        self, part: CompiledModule, games: int, memories: StepMemories, restore: Restore | None
    ) -> list[Failure]:
        """Take a step in all games; return the failures by game number.

        An exception while waiting stops the helpers.
        """
        kernel_memories, chunks = self._memories, min(games, _CHUNKS * self._threads)
        if kernel_memories is None or not kernel_memories.is_of(part, memories):
            self.stop_helpers()
            self._memories = kernel_memories = KernelMemories(
                part, memories, self._marks[0], chunks
            )
        self._failures, self._step = [], (memories, restore)
        try:
            self._start_helpers(kernel_memories)
            self._lead(kernel_memories, games, chunks)
        except BaseException:
            self.stop_helpers()
            raise
        return sorted(self._failures, key=lambda one: one.game)

    def stop_helpers(self) -> None:
        """Make all helpers leave the kernel, and wait until they have."""
        self._pool.stop_helpers()

    def _start_helpers(self, kernel_memories: KernelMemories) -> None:
        """Make helpers that are not in the kernel enter it."""
        pool = self._pool
        pool.restart()
        absent = [k for k in range(1, self._threads) if k not in pool.serving]
        if absent:
            if not self._ends:
                # At exit helpers leave before their memory is released.
                weakref.finalize(self, pool.stop_helpers)
                self._ends = True
            pool.serving += absent
            calls = [partial(self._serve, kernel_memories, k) for k in absent]
            try:
                pool.helpers.submit(Shares(calls), self._threads - 1)
            except BaseException:
                pool.serving = []  # no work is submitted before all threads have started
                raise

    def _lead(self, kernel_memories: KernelMemories, games: int, chunks: int) -> None:
        numbers, mark = self._plan.numbers, self._marks[0]
        assert self._step
        again, lead = kernel_memories.leads[self._step[0].was is not kernel_memories.memories.was]
        numbers[mark] = _NONE
        has_ended = lead()
        if not has_ended and numbers[mark] == _NONE:
            # The kernel could not allocate memory: no chunk has been offered.
            self._failures += self._step_range(kernel_memories, 0, games, mark)
            return
        while True:
            if not has_ended:
                self._finish(kernel_memories, mark)
            if numbers[at.DONE] >= chunks:
                return
            if has_ended:
                sleep(_POLL_SECONDS)
            has_ended = again()

    def _serve(self, kernel_memories: KernelMemories, number: int) -> None:
        mark = self._marks[number]
        try:
            self._plan.numbers[mark] = _NONE
            while not kernel_memories.serve(mark) and self._plan.numbers[mark] != _NONE:
                self._finish(kernel_memories, mark)
        except Stopped:
            pass
        finally:
            self._pool.serving.remove(number)

    def _finish(self, kernel_memories: KernelMemories, mark: int) -> None:
        """Finish a chunk from the game in which the kernel failed."""
        games, chunks = (self._plan.numbers[place] for place in (at.GAMES, at.CHUNKS))
        assert self._step
        failed, restore = self._plan.numbers[mark], self._step[1]
        chunk = ((failed + 1) * chunks - 1) // games
        if restore:
            restore(failed, mark)
        self._failures += self._step_range(
            kernel_memories, failed, games * (chunk + 1) // chunks, mark
        )
        kernel_memories.report_chunk()

    def _step_range(
        self, kernel_memories: KernelMemories, first: int, end: int, mark: int
    ) -> list[Failure]:
        """Step a range of games; return the failures."""
        assert self._step
        memories, restore = self._step
        return self._range(kernel_memories.part, step_games, [memories], restore, first, end, mark)
