"""Perft and playouts by kernels: long calls that an interrupt or a job can cancel.

Where a kernel fails, the interpreter repeats the work, as for single calls.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from time import perf_counter

from rulesengine.engine.drivers import perft, playouts, protocol
from rulesengine.engine.kernel.kernels import Kernels, Steps
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.errors import RulesError
from rulesengine.job import Job
from rulesengine.state import State
from rulesengine.support.blocking import in_threads

Functions = protocol.Functions[State, Steps]
Totals = list[int]

_clock = perf_counter
_DEEPEST = 200  # maximum recursion depth of a kernel, in plies
_SHORT = 0.02  # maximum seconds until an interrupt is handled
_THREAD = 0.0002  # seconds to start a thread
_CHEAP_SHARE = 0.01  # fraction of the time of a count
_MAX_PLIES = 40  # plies: a count that doubles with each ply never ends at this depth
_WHOLE = 2  # plies that are not worth a division into several calls
_SHARE = 0.2  # seconds of a call, while better code is compiled
_SAMPLE = 8  # playouts used to estimate the time of the others


class PerftRun:
    """The count of `drivers.perft` by a kernel; without `bulk` the last moves are made too."""

    def __init__(
        self,
        kernels: Kernels,
        functions: Functions,
        job: Job,
        *,
        keep: bool,
        free: bool,
        bulk: bool,
    ) -> None:
        self.kernels = kernels
        self.functions = functions
        self.job = job
        self._part = kernels.part("perft")
        self._keep, self._free, self._bulk = keep, free, bulk

    def below(self, state: State, depth: int) -> int:
        """Return the count from a state, on a worker thread unless it is short.

        Shallower counts estimate the time, and detect games that end earlier. A count is short if
        it would be so even with the number of cells as branching factor.
        """
        if not self.kernels.backend.has_threads:
            return self._count(state, depth)
        cells, job_block = self.kernels.machine.program.topology.cells, Job().control_block()
        before, call = 1, 0.0
        for shallower in range(1, depth):
            start_time = _clock()
            leaves = self._by_kernel(job_block, state, shallower)
            took = _clock() - start_time
            if leaves == 0:  # no game lasts this long
                self.job.raise_if_stopped()
                return 0
            left = depth - shallower
            if _estimate(took, cells, left) <= _SHORT:
                break
            call = call or took  # the time of a count to one ply bounds the overhead of a call
            if (
                leaves is None
                or took * cells > _SHORT
                or _is_long(max(took - call, 0.0), leaves / before, left)
            ):
                divided = not self._part.is_final and depth > _WHOLE
                count = partial(self._count, state, depth, divided=divided)
                return in_threads([count], self.job.stop)[0]
            before = leaves
        return self._count(state, depth)

    def _count(self, state: State, depth: int, *, divided: bool = False) -> int:
        """Return the count; if `divided`, better code may replace the kernel's after each move."""
        count = partial(self._by_kernel, self.job.control_block())
        total = None if divided else count(state, depth)
        if total is not None:
            return total
        keep, free = self._keep, self._free
        return perft.perft(self.functions, state, depth, keep=keep, free=free, below=count)

    def _by_kernel(self, job_block: bytearray, state: State, depth: int) -> int | None:
        """Return the count of the kernel; None if it fails or does not support
        the state or depth.
        """
        if depth > _DEEPEST:
            return None
        try:
            words = self.kernels.words(state, self._part)
        except Unsupported:
            return None
        options = map(int, (self._keep, self._free, self._bulk))
        result = self._part.call("perft", (*words, depth, *options, job_block))
        return None if result is None else int(result[0])


def _is_long(took: float, growth: float, left: int) -> bool:
    """True if a thread costs less than further shallow counts, unless the next one is cheap.

    Shallow counts detect games shorter than the depth, so cheap ones are run anyway.
    """
    is_cheap = _estimate(took, growth, 1) < _CHEAP_SHARE * _estimate(took, growth, left)
    return not is_cheap and _estimate(took, growth, left - 1) > _THREAD


def _estimate(took: float, growth: float, plies: int) -> float:
    """Estimate the seconds of a count `plies` deeper, if each ply multiplies
    the time by `growth`.
    """
    return took * growth ** min(plies, _MAX_PLIES)


class PlayoutRun:
    """Playouts of one seed from one state, by a kernel; totals are sums of tallies."""

    def __init__(
        self, kernels: Kernels, functions: Functions, start: State, seed: int, job: Job
    ) -> None:
        self.kernels = kernels
        self.functions = functions
        self.start = start
        self.seed = seed
        self.job = job
        self._part = kernels.part("playouts")
        self._sides = len(kernels.machine.program.rules.players)

    def totals(self, games: range, threads: int) -> Totals:
        """Return the totals of a range of playouts, shared among threads where these help."""
        start, end, number = games.start, games.stop, len(games)
        if not self.kernels.backend.has_threads:
            return self.totals_of(start, end)
        if threads > 1:
            return self._in_threads([start + number * i // threads for i in range(threads + 1)])
        few, start_time = min(number, _SAMPLE), _clock()
        first = self.totals_of(start, start + few)
        is_long = (_clock() - start_time) * (number - few) > _SHORT * few
        share = self._in_threads([start + few, end]) if is_long else None
        return _sum([first, share or self.totals_of(start + few, end)])

    def _in_threads(self, bounds: Sequence[int]) -> Totals:
        calls = [partial(self.totals_of, first, end) for first, end in pairwise(bounds)]
        return _sum(in_threads(calls, self.job.stop))

    def totals_of(self, first: int, end: int) -> Totals:
        """Return the totals of playouts `first` to `end` - 1."""
        totals, job_block, seed = (
            [0] * (self._sides + 4),
            self.job.control_block(),
            self.seed & 2**64 - 1,
        )
        try:
            words = self.kernels.words(self.start, self._part)
        except Unsupported:
            return _sum([totals, *map(self._by_interpreter, range(first, end))])
        share = _SAMPLE
        while first < end:
            number = end - first if self._part.is_final else min(share, end - first)
            start_time = _clock()
            result = self._part.call("playouts", (*words, first, number, seed, job_block))
            if result is not None:
                totals, first = _sum([totals, result]), first + number
                share *= 2 if _clock() - start_time < _SHARE else 1
                continue
            # The playout at the mark failed: repeat those before it, and run it by the interpreter.
            failed = self._failed_in(first, first + number)
            totals = _sum([totals, self.totals_of(first, failed), self._by_interpreter(failed)])
            first = failed + 1
        return totals

    def _failed_in(self, first: int, end: int) -> int:
        """Return the playout that failed: the first one if the call has set no mark."""
        try:
            mark = self._part.mark
        except RulesError:  # there is no memory for a context
            return first
        return mark if first <= mark < end else first

    def _by_interpreter(self, number: int) -> Totals:
        totals = playouts.tally(self.functions, self.start, self.seed, number, self._sides)
        self.job.advance(1)
        return totals


def _sum(parts: Sequence[Sequence[int]]) -> Totals:
    return [sum(column) for column in zip(*parts, strict=True)]
