"""Playouts, perft and batches of one program on a GPU. Experimental."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from time import perf_counter

from rulesengine.engine.drivers import perft, protocol
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.engine.kernel.backends.cuda.batch_lanes import batch_kernels
from rulesengine.engine.kernel.backends.cuda.batch_run import BatchRun
from rulesengine.engine.kernel.backends.cuda.count_lanes import CountKernel, count_kernel
from rulesengine.engine.kernel.backends.cuda.count_run import CountRun, Depth
from rulesengine.engine.kernel.backends.cuda.cuda_driver import cuda_driver
from rulesengine.engine.kernel.backends.cuda.device import (
    AUTO,
    CUDA,
    Device,
    Preparation,
    device_number,
)
from rulesengine.engine.kernel.backends.cuda.driver import DeviceError, Driver, LostContextError
from rulesengine.engine.kernel.backends.cuda.lane_run import LaneRun
from rulesengine.engine.kernel.backends.cuda.ptx import LaneKernel, lane_kernel, ptx_of
from rulesengine.engine.kernel.backends.native.object_code import CompileError
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.kernels import has_swap, plane_numbers, values_of
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.state import State
from rulesengine.support.blocking import in_threads
from rulesengine.support.limits import MAX_FREE_PASSES

Totals = list[int]
Functions = protocol.Functions[State, Steps]
_WORD = 64
_MASK = 2**_WORD - 1
_LANE_PLIES = 5  # plies that a lane counts at most
_FEW_PLIES = 2  # plies for which a GPU does not pay
_FRONTIER = 20_000  # states that suffice to occupy a GPU
_SHARE = 8  # games of the first share of the CPU while code is compiled
_PERIOD = 0.1  # seconds of later shares
_MOST = 200_000  # states that the CPU makes at most, to leave few plies for each


class DeviceRuns:
    """The playouts, counts and batches of a program on the GPU of a name.

    `open_driver` returns the driver, by default that of this machine. Raises DeviceError without
    such a GPU.
    """

    def __init__(
        self,
        machine: Interpreter,
        name: str,
        store: Store | None = None,
        open_driver: Callable[[], Driver] | None = None,
    ) -> None:
        number = device_number(CUDA if name == AUTO else name)
        if number is None:
            raise DeviceError(f"no device `{name[:40]}`: use cpu, auto, cuda or cuda:NUMBER")
        self.machine, self._store, self.problem = machine, store, ""
        self.is_lost = False
        self.device = Device((open_driver or cuda_driver)(), number, store)

    def shared_totals(
        self,
        start: State,
        games: int,
        seed: int,
        job: Job,
        play: Callable[[range], Totals],
    ) -> Totals:
        """Return the totals as `totals` does; the CPU plays while the GPU's code is compiled.

        `play` plays a range of games on the CPU. If the GPU fails, `play` does the rest, `problem`
        has the reason, and `is_lost` is true if the context has ended.
        """
        self.problem = ""
        if self.machine.outcome(start) is not None:
            return play(range(games))
        parts, first, share = [], 0, _SHARE
        try:
            state = self._start_words(start)
            code = self._prepared_lanes
            while first < games and not code.is_over:
                start_time, end = perf_counter(), min(first + share, games)
                parts.append(play(range(first, end)))
                first, share = end, share * (2 if perf_counter() - start_time < _PERIOD else 1)
            if first < games:
                code.check()
                parts.append(self._lane_totals(state, range(first, games), seed, job, play))
        except DeviceError as problem:
            self.problem, self.is_lost = str(problem), isinstance(problem, LostContextError)
            parts.append(play(range(first, games)))
        return _sum(parts)

    def totals(
        self,
        start: State,
        games: int,
        seed: int,
        job: Job,
        repeat: Callable[[range], Totals],
    ) -> Totals:
        """Return the totals of playouts 0 to `games` - 1 from a state.

        `repeat` plays a range of games on the CPU: those that lanes could not play, or all from a
        state that is over. Raises DeviceError and Stopped.
        """
        if self.machine.outcome(start) is not None:
            return repeat(range(games))
        return self._lane_totals(self._start_words(start), range(games), seed, job, repeat)

    def _start_words(self, start: State) -> bytes:
        kernel = self._lanes
        return state_bytes(self.machine.program, start, kernel.params, kernel.set_words)

    def _lane_totals(
        self, state: bytes, games: range, seed: int, job: Job, repeat: Callable[[range], Totals]
    ) -> Totals:
        """Return the totals of a range of playouts; `repeat` plays those that lanes cannot."""
        run = LaneRun(self.device, self._lanes, self._ptx(self._lanes.text))
        (totals,) = in_threads([partial(run.totals, state, games, seed & _MASK, job)], job.stop)
        return _sum([totals.totals, *map(repeat, totals.failed)])

    @cached_property
    def _prepared_lanes(self) -> "Preparation":
        """Start the compiler and the assembler for playouts in the background, once."""
        text = self._lanes.text
        return Preparation(lambda: self.device.machine_code(self._ptx(text), Job()))

    def perft(self, functions: Functions, start: State, depth: Depth, job: Job) -> int:
        """Return the perft count from a state; `functions` are those of the CPU.

        The CPU makes the first moves, up to states that the lanes count from. Equal states are
        counted once. It repeats the counts that lanes could not make. Raises DeviceError and
        Stopped.
        """
        kernel = self._counts
        frontier, total = self._frontier(functions, start, depth)
        for plies, states in frontier.items():
            below = Depth(plies, depth.keep, depth.free, depth.bulk)
            rows = [self._row(state, weight, kernel) for state, weight in states.items()]
            run = CountRun(self.device, kernel, self._ptx(kernel.text))
            ((count, failed),) = in_threads([partial(run.total, rows, below, job)], job.stop)
            total += count
            known = list(states.items())
            for number in failed:
                state, weight = known[number]
                again = perft.perft(functions, state, plies, keep=depth.keep, free=depth.free)
                total += weight * again
        return total

    def prepare_count(self) -> bool:
        """Start the compiler for counts in the background; return True once it has ended.

        Raises its DeviceError.
        """
        code = self._prepared_counts
        if code.is_over:
            code.check()
        return code.is_over

    @cached_property
    def _prepared_counts(self) -> "Preparation":
        text = self._counts.text
        return Preparation(lambda: self.device.machine_code(self._ptx(text), Job()))

    def batch(self, games: int, *, splits: bool) -> BatchRun:
        """Return the kernels of a batch on the GPU. Raises DeviceError."""
        kernels = batch_kernels(self._module("halves" if splits else "batch"))
        return BatchRun(self.device, kernels, self._ptx(kernels.text), games)

    def _frontier(
        self, functions: Functions, start: State, depth: Depth
    ) -> tuple[dict[int, Counter[State]], int]:
        """Return the states to count from by the plies that are left, and the count without them.

        States with the most plies left are replaced by those after their moves, until the states
        occupy the GPU and need few plies.
        """
        frontier, total = {depth.plies: Counter([start])}, 0
        for _ in range(depth.plies + MAX_FREE_PASSES):
            plies, states = max(frontier), sum(map(len, frontier.values()))
            enough = _FRONTIER if plies <= _LANE_PLIES else _MOST
            if plies <= _FEW_PLIES or states >= enough:
                break
            for state, weight in frontier.pop(plies).items():
                total += weight * self._expand(functions, state, weight, plies, depth, frontier)
            if not frontier:
                break
        return frontier, total

    def _expand(
        self,
        functions: Functions,
        state: State,
        weight: int,
        plies: int,
        depth: Depth,
        states: dict[int, Counter[State]],
    ) -> int:
        """Add the states after the moves of a state; return the count if there are none."""

        def below(after: State, left: int) -> int:
            states.setdefault(left, Counter())[after] += weight
            return 0

        keep, free = depth.keep, depth.free
        return perft.perft(functions, state, plies, keep=keep, free=free, below=below)

    def _row(self, state: State, weight: int, kernel: CountKernel) -> bytes:
        words = state_bytes(self.machine.program, state, kernel.params, kernel.set_words)
        return words + weight.to_bytes(8, "little")

    @cached_property
    def _lanes(self) -> LaneKernel:
        return lane_kernel(self._module("lanes"))

    @cached_property
    def _counts(self) -> CountKernel:
        if self.machine.program.keeps_history:
            raise DeviceError("a GPU does not count where rules look back")
        return count_kernel(self._module("perft"))

    def _module(self, part: str) -> Module:
        """Return the code of a part. Raises DeviceError."""
        try:
            return emitted(self.machine, part)
        except Unsupported as problem:
            raise DeviceError(f"the rules have no code for a GPU: {problem}") from None

    def _ptx(self, text: str) -> bytes:
        try:
            return ptx_of(text, self._store).encode()
        except CompileError as problem:
            raise DeviceError(f"no code for a GPU: {problem}") from None


def _sum(parts: Sequence[Totals]) -> Totals:
    return [sum(column) for column in zip(*parts, strict=True)]


def state_bytes(program: Program, state: State, params: str, set_words: int) -> bytes:
    """Return a state in the order of the parameters of a kernel. Raises DeviceError."""
    try:
        swaps = has_swap(program)
        values = list(values_of(program, state, plane_numbers(program), swaps=swaps))
    except Unsupported as problem:
        raise DeviceError(f"a GPU does not play from this state: {problem}") from None
    if program.keeps_history:
        if state.history:
            raise DeviceError("a GPU plays rules that look back from a first position only")
        values.append(0)
    sizes = [8 * set_words if type == "m" else 8 for type in params]
    pairs = zip(values, sizes, strict=True)
    return b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value, size in pairs)
