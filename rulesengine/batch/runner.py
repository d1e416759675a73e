"""Runs the drivers of a batch by kernels in threads, with the interpreter as fallback."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import inf
from threading import current_thread, main_thread
from time import perf_counter

from rulesengine.batch.ab_timing import AlternativeTiming
from rulesengine.batch.bound_steps import BoundStep
from rulesengine.batch.failures import Driver, Failure, Restore
from rulesengine.batch.kernel_arguments import Argument, kernel_arguments
from rulesengine.batch.spinning_workers import SpinningWorkers
from rulesengine.batch.work_sharing import Helpers, Shares
from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers import protocol
from rulesengine.engine.drivers.batch.memories import GameRange, StepMemories
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.engine.kernel.backends.protocol import CompiledModule
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.state import State
from rulesengine.support.blocking import SHORT
from rulesengine.support.processes import cores

Functions = protocol.BatchFunctions[State, Steps]

_SHARES = 4  # shares per thread for long work, to balance the load
# Shorter work (seconds) is not shared: waking a thread takes 0.0001 to 0.0002 seconds.
_LEAST = 0.0005
_LEAST_SPINNING = 0.00005  # the same for steps by spinning helpers


def shares_of(games: int, threads: int) -> int:
    """Return the maximum number of shares of the games."""
    return min(games, _SHARES * threads) if threads > 1 else 1


class BatchKernels:
    """The kernels of a batch that are compiled so far."""

    def __init__(self, dispatcher: Dispatcher, splits: bool) -> None:
        self.part: Callable[[], CompiledModule | None] = partial(dispatcher.batch, splits)
        # True if they release the GIL.
        self.is_parallel: Callable[[], bool] = partial(dispatcher.batch_is_parallel, splits)
        # True if `part` no longer changes.
        self.is_settled: Callable[[], bool] = partial(dispatcher.is_batch_settled, splits)


class Work:
    """Calls of drivers for all games, distributed over threads.

    `marks` are the offsets of `Plan.mark`, one per share.
    """

    def __init__(
        self,
        functions: Functions,
        kernels: BatchKernels,
        threads: int,
        marks: Sequence[int],
        plan: Memory,
    ) -> None:
        self._functions, self._kernels, self._part = functions, kernels, kernels.part
        self._threads, self._marks, self._plan = threads, marks, plan
        # A shorter step (in seconds) is one kernel call in this thread, unless helpers spin.
        self._least_shared = SHORT if threads == 1 else _LEAST
        self._helpers = Helpers[list[Failure]]()
        self._spinning, self._trying = (
            SpinningWorkers(self._range, threads, marks, plan),
            AlternativeTiming(),
        )
        # Seconds of the last call by driver, summed over threads; of spinning workers the leader's.
        self._seconds: dict[Driver, float] = {}

    def step(self, step: BoundStep, games: int, restore: Restore) -> list[Failure]:
        """Step all games as `games` does, by a bound call if it is short."""
        call = step.call if step.is_settled else self._bound(step, games)
        seconds = self._seconds.get(step_games, inf)
        in_crew = self._threads > 1 and self._is_for_spinning(step_games, seconds)
        if call is None or in_crew or seconds >= self._least_shared:
            return self.games(step_games, games, step.memories, restore=restore)
        mark, start_time = self._marks[0], perf_counter()
        self._plan.numbers[mark] = 0
        failures = [] if call() else self._rest(step, games, restore)
        self._seconds[step_games] = perf_counter() - start_time
        return failures

    def _bound(self, step: BoundStep, games: int) -> Callable[[], bool] | None:
        """Bind a step to the kernels compiled so far; return its call."""
        is_settled = self._kernels.is_settled()
        step.bind(self._part(), games, self._marks[0])
        step.is_settled = is_settled
        return step.call

    def _rest(self, step: BoundStep, games: int, restore: Restore) -> list[Failure]:
        """Step the games from that in which the kernel has failed."""
        mark, args = self._marks[0], [step.memories]
        failed = self._plan.numbers[mark]
        restore(failed, mark)
        failures = self._interpreted(step_games, args, failed, mark)
        return failures + self._range(step.part, step_games, args, restore, failed + 1, games, mark)

    def games(
        self,
        driver: Driver,
        games: int,
        *args: Argument,
        is_long: bool = False,
        restore: Restore | None = None,
    ) -> list[Failure]:
        """Call a driver for all games; return the failures by game number.

        An exception while waiting stops the work. Set `is_long` if a call may take longer than the
        last one of its driver. `restore` resets a game that a kernel left half done before the
        interpreter retries it.
        """
        part, start_time = self._part(), perf_counter()
        call = partial(self._range, part, driver, args, restore)
        seconds = inf if is_long else self._seconds.get(driver, inf)
        in_this_thread = part is None or seconds < SHORT or current_thread() is not main_thread()
        uses_spinning = (
            in_this_thread and part is not None and self._is_for_spinning(driver, seconds)
        )
        if uses_spinning and part and self._trying.selected and isinstance(args[0], StepMemories):
            failures, count = self._spinning.step(part, games, args[0], restore), 1
        elif uses_spinning or (
            in_this_thread and (part is None or self._threads == 1 or seconds < _LEAST)
        ):
            failures, count = call(0, games, self._marks[0]), 1
        else:
            marks = self._marks[: self._threads] if seconds < SHORT else self._marks
            bounds = pairwise(games * i // len(marks) for i in range(len(marks) + 1))
            shares = [partial(call, *ends, mark) for ends, mark in zip(bounds, marks, strict=True)]
            failures, count = self._shared(shares, in_this_thread), self._threads
        took = perf_counter() - start_time
        self._seconds[driver] = took * count
        if uses_spinning:
            self._trying.record(took)
        return failures

    def _is_for_spinning(self, driver: Driver, seconds: float) -> bool:
        """True if helpers may spin in the kernel for such work, each on a core of its own."""
        is_step = driver is step_games and _LEAST_SPINNING <= seconds < SHORT
        return is_step and 1 < self._threads <= cores() and self._kernels.is_parallel()

    def game(self, driver: Driver, number: int, *args: Argument) -> list[Failure]:
        """Call a driver for one game."""
        own = (number, number + 1, self._marks[0])
        return self._range(self._part(), driver, args, None, *own)

    def alone(self, driver: Driver, games: int, *args: Argument) -> list[Failure]:
        """Call a driver for all games in this thread."""
        return self._range(self._part(), driver, args, None, 0, games, self._marks[0])

    def _shared(
        self, calls: Sequence[Callable[[], list[Failure]]], in_this_thread: bool
    ) -> list[Failure]:
        """Distribute calls over helpers (and this thread); return their failures."""
        if self._helpers.are_gone:
            self._helpers = Helpers()
        shares = Shares(calls)
        try:
            self._helpers.submit(shares, self._threads - int(in_this_thread))
            if in_this_thread:
                shares.work()
            failures = shares.results()
        except BaseException:
            self._plan.numbers[STOP] = 1
            shares.end()
            self._plan.numbers[STOP] = 0
            raise
        return sorted((one for some in failures for one in some), key=lambda one: one.game)

    def _range(
        self,
        part: CompiledModule | None,
        driver: Driver,
        args: Sequence[Argument],
        restore: Restore | None,
        first: int,
        end: int,
        mark: int,
    ) -> list[Failure]:
        """Call a driver for a range of games, with the interpreter where the kernel fails."""
        failures: list[Failure] = []
        arguments = kernel_arguments(args)
        while first < end:
            failed = first
            if part:
                self._plan.numbers[mark] = first
                if part.call(driver.__name__, (first, end, mark, *arguments)) is not None:
                    return failures
                failed = self._plan.numbers[mark]
                if restore:
                    restore(failed, mark)
            failures += self._interpreted(driver, args, failed, mark)
            first = failed + 1
        return failures

    def _interpreted(
        self, driver: Driver, args: Sequence[Argument], game: int, mark: int
    ) -> list[Failure]:
        """Call a driver for one game with the interpreter."""
        try:
            driver(self._functions, GameRange(game, game + 1, mark), *args)
        except (EvaluationError, LimitError) as error:
            return [Failure(game, error)]
        return []
