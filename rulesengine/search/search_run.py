"""A running search: the memory of its driver, the engine that executes it, and its interruption."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import STOP, Memory, poll
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.search.result import Budget, Value
from rulesengine.engine.drivers.search.rollouts import play_rollouts
from rulesengine.engine.evaluation import evaluation_of
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.errors import Stopped
from rulesengine.job import Job
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.noisy_choice import noisy_choice
from rulesengine.state import State
from rulesengine.support.blocking import in_threads, start_timer
from rulesengine.support.frozen import record

if TYPE_CHECKING:
    from rulesengine.engine.kernel.kernels import Kernels

T = TypeVar("T")
_clock = perf_counter
Functions = SearchFunctions[State, Steps]
Answer = tuple[Any, ...] | None

_INTERPRETER_SECONDS = 0.1  # seconds of a search by the interpreter before it waits for kernels
_SHORT_SECONDS = 1.0  # seconds; a search that needs no more, by its nodes so far, does not wait
_SHARE, _MOST_PATIENCE = 0.6, 3.0  # of the time limit, and seconds
_ERROR = 2.0  # the usual bound of the estimated time to compile, in actual times
_POLL_SECONDS = 0.005  # seconds between two polls
_SLOW = (
    "legal",
    "likely",
    "apply",
    "decide",
    "estimate",
    "by_rules",
    "urgent",
)  # the expensive calls of the interpreter


def _call_until_stopped(call: Callable[[], Answer]) -> Answer:
    """Call and discard the result."""
    with suppress(Stopped):
        call()
    return None


def _with_weights(game: Functions, weights: LearnedWeights) -> Functions:
    """Return functions of a search that estimates positions by weights."""
    if not weights.corrects:
        return replace(game, estimate=weights.estimate, exchange=weights.estimate)
    rules, exchange, factor = game.estimate, game.exchange, weights.factor
    return replace(
        game,
        estimate=lambda state, player: (
            factor * rules(state, player) + weights.correction(state, player)
        ),
        exchange=lambda state, player: factor * exchange(state, player),
    )


class DriverRun:
    """A driver with its own memory, executed by the engine that suits the amount of work.

    With `learned` weights it estimates positions by them. If it `solves`, positions equivalent
    under symmetry are treated as one.
    """

    part = ""  # of the kernels: the name of the part with this driver
    solves = False

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        budget: Budget,
        words: int,
        learned: LearnedWeights | None = None,
    ) -> None:
        self.state = state
        self.budget = budget
        self.program = dispatcher.machine.program
        self.sides = len(self.program.rules.players)
        self.own = Memory(words)
        self.learned = learned
        self._dispatcher = dispatcher
        self._functions: Functions | None = None
        self._job = Job()
        self._is_over = self._is_spared = self._waits = False
        self._started_at = _clock()
        # The most seconds to wait for kernels; 0 if they are there before the search begins.
        self._patience = min(_MOST_PATIENCE, _SHARE * (budget.seconds or 0.0))

    @property
    def nodes(self) -> int:
        """Return the amount of work done: positions or playouts."""
        return int.from_bytes(self.own.bytes[8:16], "little")

    @property
    def engine(self) -> str:
        """Return the name of the engine that would run the next iteration."""
        kernels = self._kernels()
        return kernels.backend.name if kernels else "interpreter"

    def work(self) -> int:
        """Estimate the plies of the next iteration; the engine is selected by them."""
        raise NotImplementedError

    def _plies_done(self) -> float:
        """Return the plies of the work done, as `work` estimates them."""
        return float(self.nodes)

    @contextmanager
    def timed(self, job: Job) -> Iterator[None]:
        """Enforce the time limit and the job's interruption within the context.

        It may be entered more than once; the time always counts from the creation of the driver.
        """
        self._job, limit = job, self.budget.seconds
        spent = _clock() - self._started_at
        clock = start_timer(limit - spent, self._end) if limit is not None else None
        try:
            with job.attach(self.own.bytes):
                yield
        finally:
            if clock:
                clock.cancel()

    @property
    def goes_on(self) -> bool:
        """True if there is time left."""
        return not self._is_over

    @property
    def is_swift(self) -> bool:
        """True if native code is in use, so that a short iteration need not be interruptible."""
        kernels = self._kernels()
        return kernels is not None and kernels.backend.has_threads

    def resumes_compiled(self) -> bool:
        """True if an iteration was only interrupted because compiled kernels became available."""
        if not self._waits or self._is_over:
            return False
        self._waits, self.own.numbers[STOP] = False, 0
        return True

    def run_driver(
        self, entry: str, args: Sequence[Any], plain: Callable[[Functions], int], short: bool
    ) -> int | None:
        """Run the driver, by kernels or in the interpreter; None if it was interrupted.

        `args` follow the position in a call of a kernel. A `short` call needs no thread, and the
        time limit does not interrupt it in native code. On a busy machine the process may get no
        CPU time within the limit.
        """
        try:
            kernels = self._kernels()
            with self._dispatcher.selector.measured(self.part, kernels, self._plies_done):
                result = self._by(kernels, entry, args, short) if kernels else None
                self._is_spared = False
                return plain(self._interpreted()) if result is None else result[0]
        except Stopped:
            if not (self._is_over or self._waits):
                raise
            return None

    def _by(self, kernels: "Kernels", entry: str, args: Sequence[Any], short: bool) -> Answer:
        part = kernels.part(self.part)
        tables = (self.learned.memory.bytes,) if self.learned else ()

        def call_entry(more: Sequence[Any]) -> Answer:
            # On the calling thread, because the history of the state is passed to the kernel there.
            return part.call(entry, (*kernels.words(self.state, part), *more, *tables))

        call = partial(call_entry, args)
        self._is_spared = short and kernels.backend.has_threads
        if self._is_spared and self._is_over:
            self.own.numbers[STOP] = 0
            self._job.raise_if_stopped()
        if short or not kernels.backend.has_threads:
            return call()
        calls: list[Callable[[], Answer]] = [partial(self._first, call)]
        calls += (
            partial(_call_until_stopped, partial(call_entry, more)) for more in self.helper_calls()
        )
        return in_threads(calls, self.give_up)[0]

    def _first(self, call: Callable[[], Answer]) -> Answer:
        """Run the main call, and stop the helpers at its end."""
        try:
            return call()
        finally:
            self.stop_helpers()

    def helper_calls(self) -> Sequence[tuple[Any, ...]]:
        """Return the arguments of concurrent helper calls, each for a thread of its own."""
        return ()

    def stop_helpers(self) -> None:
        """Stop the helper calls, after the main call has ended."""

    def _kernels(self) -> "Kernels | None":
        """Return the kernels for the search; under a time limit it does not wait for their
        compilation.
        """
        selector = self._dispatcher.selector
        if self.budget.seconds is None:
            return selector.for_work(self.part, self.work())
        return selector.in_background(self.part, self._interrupt_interpreter)

    def _interpreted(self) -> Functions:
        if self._functions is None:
            activity = self.learned is None or not self.learned.replaces_activity
            evaluation = evaluation_of(self._dispatcher.machine, activity=activity)
            game = self._dispatcher.interpreted.search_functions(evaluation, symmetry=self.solves)
            if self.learned:
                game = _with_weights(game, self.learned)
            if self.part == "guided":
                game = replace(game, has_patterns=lambda state: True)
            polled = replace(game, **{name: self._polled(getattr(game, name)) for name in _SLOW})
            self._functions = replace(polled, rollouts=partial(play_rollouts, polled))
        return self._functions

    def _polled(self, call: Callable[..., T]) -> Callable[..., T]:
        """Wrap a call to poll for interrupts, because it takes long on large boards."""

        def polled(*args: Any) -> T:
            if self._patience:
                self._await_kernels()
            poll(self.own)
            return call(*args)

        return polled

    def _await_kernels(self) -> None:
        """Wait once for kernels that are being compiled, unless this search ends before them.

        Kernels search a hundred times as fast as the interpreter, which slows their compilation
        down by the interpreter lock. See decision 124.
        """
        now, target = _clock(), self.budget.nodes or self.budget.playouts
        spent, done = now - self._started_at, self.nodes
        if spent < _INTERPRETER_SECONDS or (
            target and spent * (target - done) <= _SHORT_SECONDS * done
        ):
            return
        patience, self._patience = self._patience, 0.0
        if self._dispatcher.selector.compile_seconds(self.part) > _ERROR * patience:
            return
        end = now + patience
        while not self.own.numbers[STOP] and _clock() < end:
            if self._dispatcher.selector.is_settled(self.part):
                break
            sleep(_POLL_SECONDS)

    def _interrupt_interpreter(self) -> None:
        """Interrupt the interpreter when the kernels are compiled."""
        self._waits = True
        self._stop()

    def _end(self) -> None:
        self._is_over = True
        if not self._is_spared:
            self._stop()

    def give_up(self) -> None:
        """Stop the search for good, without continuing by kernels."""
        self._is_over = True
        self._stop()

    def _stop(self) -> None:
        self.own.numbers[STOP] = 1


@record
class RankedMove:
    """The number of one of the best moves, its value, its line and the depth of both."""

    number: int
    value: Value
    line: tuple[int, ...]
    depth: int


class MoveSearch(DriverRun, ABC):
    """A search from a position with legal moves; moves are identified by their numbers.

    `count` is the number of moves. After each iteration `order` has all moves, the best first, and
    `line` the principal variation.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        count: int,
        budget: Budget,
        words: int,
        learned: LearnedWeights | None = None,
    ) -> None:
        super().__init__(dispatcher, state, budget, words, learned)
        self.count = count
        self.depth = 0
        self.whole = False
        self.order = list(range(count))
        self.line: tuple[int, ...] = ()
        self.noise = 0.0
        self.wanted = 1  # moves that `ranked` returns
        self._noise_seed = 0

    def restrict_root(self, numbers: Collection[int]) -> None:
        """Choose among some of the moves, given by their numbers; `order` has these alone."""
        self.order = [number for number in self.order if number in numbers]

    def request_noise(self, noise: float, seed: int) -> None:
        """Choose by values with noise, which the seed draws; 0 is none. See `noisy_choice`."""
        self.noise, self._noise_seed = noise, seed

    @abstractmethod
    def noise_values(self) -> Sequence[int | None]:
        """Return the values of the moves for a choice with noise; None if one is unknown.

        Certain results are at least `CERTAIN` or at most -`CERTAIN`.
        """

    @abstractmethod
    def value_of(self, number: int) -> Value:
        """Return the value of a move."""

    @abstractmethod
    def ranked(self) -> Sequence[RankedMove]:
        """Return the chosen move and the best others: `wanted` ones, or those known so far."""

    @abstractmethod
    def rounds(self, each: Callable[[], None] | None) -> None:
        """Iterate as long as `goes_on`."""

    def run(self, job: Job, each: Callable[[], None] | None = None) -> None:
        """Search until the budget is used up; `each` is called after each iteration.

        A job stops it, which raises Stopped; the results so far remain.
        """
        with self.timed(job):
            self.rounds(each)
        if self.noise:
            self._choose_with_noise()

    def _choose_with_noise(self) -> None:
        """Move the choice by values with noise to the front of the order."""
        values, numbers = self.noise_values(), sorted(self.order)
        chosen = noisy_choice([values[n] for n in numbers], self.noise, self._noise_seed)
        if chosen is not None and numbers[chosen] != self.order[0]:
            number = numbers[chosen]
            self.order.sort(key=lambda other: other != number)
            self.line = (number,)
