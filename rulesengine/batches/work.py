"""Drivers of a batch at work: by kernels in threads, a game that fails there by the interpreter."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise
from threading import current_thread, main_thread
from time import perf_counter

from rulesengine import drivers
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.interpreter.moving import Steps
from rulesengine.kernel.backends.protocol import Compiled
from rulesengine.memory import STOP, Memory
from rulesengine.record import record
from rulesengine.state import State
from rulesengine.waiting import SHORT

Functions = drivers.Stepped[State, Steps]
Driver = Callable[..., int]

_LOOK = 0.1  # seconds; where waiting itself cannot be interrupted, it is so often taken up again


@record
class Failure:
    """A game that the rules have failed in."""

    game: int
    error: EvaluationError | LimitError


class Work:
    """Calls of drivers for so many games, shared out to threads.

    `part` gives the kernels that there are by now, `marks` are those of the plan.
    """

    def __init__(
        self,
        functions: Functions,
        part: Callable[[], Compiled | None],
        marks: Sequence[int],
        plan: Memory,
    ) -> None:
        self._functions, self._part = functions, part
        self._marks, self._plan = marks, plan
        self._pool: ThreadPoolExecutor | None = None
        # Drivers whose last call was short: such a one needs no other thread.
        self._short: set[Driver] = set()

    def games(
        self, driver: Driver, games: int, *memories: Memory | int, is_long: bool = False
    ) -> list[Failure]:
        """What a driver does for all games; those in which it has failed.

        Whatever ends the waiting stops the work. A call `is_long` if it may be longer than the
        last one of its driver.
        """
        part = self._part()
        bounds = [games * i // len(self._marks) for i in range(len(self._marks) + 1)]
        calls = [
            partial(self._range, part, driver, first, end, mark, memories)
            for (first, end), mark in zip(pairwise(bounds), self._marks, strict=True)
        ]
        begun = perf_counter()
        is_short = part is None or (driver in self._short and not is_long)
        found = self._all(calls, is_short)
        (self._short.discard if perf_counter() - begun > SHORT else self._short.add)(driver)
        return found

    def _all(self, calls: Sequence[Callable[[], list[Failure]]], is_short: bool) -> list[Failure]:
        here = is_short or current_thread() is not main_thread()
        if len(calls) == 1 and here:
            return [failure for call in calls for failure in call()]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(calls))
        futures = [self._pool.submit(call) for call in calls[int(here) :]]
        try:
            own = calls[0]() if here else []
            while wait(futures, timeout=_LOOK).not_done:
                pass
        except BaseException:
            self._plan.numbers[STOP] = 1
            wait(futures)
            self._plan.numbers[STOP] = 0
            raise
        return [*own, *(failure for future in futures for failure in future.result())]

    def _range(
        self,
        part: Compiled | None,
        driver: Driver,
        first: int,
        end: int,
        mark: int,
        memories: Sequence[Memory | int],
    ) -> list[Failure]:
        """Games by their numbers: by the kernel, and those in which it fails without it."""
        failures: list[Failure] = []
        given = [m.bytes if isinstance(m, Memory) else m for m in memories]
        while first < end:
            failed = first
            if part:
                self._plan.numbers[mark] = first
                if part.call(driver.__name__, (first, end, mark, *given)) is not None:
                    return failures
                failed = self._plan.numbers[mark]
            try:
                driver(self._functions, failed, failed + 1, mark, *memories)
            except (EvaluationError, LimitError) as error:
                failures.append(Failure(failed, error))
            first = failed + 1
        return failures
