"""A search as it runs: the memory of its driver, the engine that serves, and what ends it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from threading import Timer
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.core import Judged
from rulesengine.engine.drivers.memory import STOP, Memory, poll
from rulesengine.engine.drivers.search.evaluation import evaluation_of
from rulesengine.engine.drivers.search.result import Budget, Value
from rulesengine.engine.interpreter.move_generation import Steps
from rulesengine.errors import Stopped
from rulesengine.job import Job
from rulesengine.search.learned_weights import Learned
from rulesengine.state import State
from rulesengine.support.blocking import in_threads

if TYPE_CHECKING:
    from rulesengine.engine.kernel.kernels import Kernels

T = TypeVar("T")
Functions = Judged[State, Steps]
Answer = tuple[Any, ...] | None

_SLOW = (
    "legal",
    "apply",
    "decide",
    "estimate",
    "urgent",
)  # what of the interpreter's calls takes long


def _aside(call: Callable[[], Answer]) -> Answer:
    """A call whose result nobody needs."""
    with suppress(Stopped):
        call()
    return None


class Served:
    """A driver with memory of its own, asked of positions by the engine that pays for it.

    If tables are given, it estimates by what they have `learned`. Where it `solves`, positions
    that are alike up to symmetry are one.
    """

    part = ""  # of the kernels
    solves = False

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        budget: Budget,
        words: int,
        learned: Learned | None = None,
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
        self._begun = perf_counter()

    @property
    def nodes(self) -> int:
        """How much has been done: positions or random games."""
        return int.from_bytes(self.own.bytes[8:16], "little")

    @property
    def engine(self) -> str:
        """The name of the engine that would begin a round now."""
        kernels = self._kernels()
        return kernels.backend.name if kernels else "interpreter"

    def work(self) -> int:
        """About how many steps the next round takes, to tell whether kernels pay."""
        raise NotImplementedError

    @contextmanager
    def timed(self, job: Job) -> Iterator[None]:
        """While the budget lasts: its time ends what is asked, and so does a job.

        It may be so more than once, in the same time, which begins where the driver is made.
        """
        self._job, limit = job, self.budget.seconds
        spent = perf_counter() - self._begun
        clock = Timer(max(limit - spent, 0), self._end) if limit is not None else None
        if clock:
            clock.daemon = True
            clock.start()
        try:
            with job.watched(self.own.bytes):
                yield
        finally:
            if clock:
                clock.cancel()

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return not self._is_over

    @property
    def is_swift(self) -> bool:
        """Whether fast code serves, so that what is short may be done without time."""
        kernels = self._kernels()
        return kernels is not None and kernels.backend.has_threads

    def begins_anew(self) -> bool:
        """Whether a round was ended only because kernels are there now, which go on with it."""
        if not self._waits or self._is_over:
            return False
        self._waits, self.own.numbers[STOP] = False, 0
        return True

    def asked(
        self, entry: str, args: Sequence[Any], plain: Callable[[Functions], int], short: bool
    ) -> int | None:
        """What the driver gives, by kernels or as it stands; None if it was ended meanwhile.

        Kernels take these arguments behind the position. A call that is `short` needs no thread,
        and the clock does not end it where code runs fast: a processor that has much else to do may
        give no turn to this process in all its time.
        """
        try:
            kernels = self._kernels()
            found = self._by(kernels, entry, args, short) if kernels else None
            self._is_spared = False
            return plain(self._interpreted()) if found is None else found[0]
        except Stopped:
            if not (self._is_over or self._waits):
                raise
            return None

    def _by(self, kernels: "Kernels", entry: str, args: Sequence[Any], short: bool) -> Answer:
        part = kernels.part(self.part)
        tables = (self.learned.memory.bytes,) if self.learned else ()

        def asked(more: Sequence[Any]) -> Answer:
            # In the thread that calls: there the line of play is told that a state has behind it.
            return part.call(entry, (*kernels.words(self.state, part), *more, *tables))

        call = partial(asked, args)
        self._is_spared = short and kernels.backend.has_threads
        if self._is_spared and self._is_over:
            self.own.numbers[STOP] = 0
            self._job.poll()
        if short or not kernels.backend.has_threads:
            return call()
        calls: list[Callable[[], Answer]] = [partial(self._first, call)]
        calls += (partial(_aside, partial(asked, more)) for more in self.beside())
        return in_threads(calls, self.give_up)[0]

    def _first(self, call: Callable[[], Answer]) -> Answer:
        """The call that counts, which ends those beside it."""
        try:
            return call()
        finally:
            self.end_beside()

    def beside(self) -> Sequence[tuple[Any, ...]]:
        """The arguments of calls that go on beside the one that counts, in threads of their own."""
        return ()

    def end_beside(self) -> None:
        """End the calls beside: that one has ended."""

    def _kernels(self) -> "Kernels | None":
        """The kernels that search: nobody waits for them where time is what counts."""
        selector = self._dispatcher.selector
        if self.budget.seconds is None:
            return selector.for_work(self.part, self.work())
        return selector.beside(self.part, self._made)

    def _interpreted(self) -> Functions:
        if self._functions is None:
            evaluation = evaluation_of(self.program.rules)
            game = self._dispatcher.interpreted.judged(evaluation, symmetry=self.solves)
            if self.learned:
                game = replace(game, estimate=self.learned.estimate)
            asked = {name: self._polled(getattr(game, name)) for name in _SLOW}
            self._functions = replace(game, **asked)
        return self._functions

    def _polled(self, call: Callable[..., T]) -> Callable[..., T]:
        """A call that ends where the search does: on large boards each takes its time."""

        def polled(*args: Any) -> T:
            poll(self.own)
            return call(*args)

        return polled

    def _made(self) -> None:
        """The kernels are there: end the round that goes on without them."""
        self._waits = True
        self._stop()

    def _end(self) -> None:
        self._is_over = True
        if not self._is_spared:
            self._stop()

    def give_up(self) -> None:
        """End what is asked for good: no kernels go on with it."""
        self._is_over = True
        self._stop()

    def _stop(self) -> None:
        self.own.numbers[STOP] = 1


class Running(Served, ABC):
    """A search from a position that has legal moves, `count` of them, which are told by numbers.

    After each round `order` has all of them, the best first, `line` how both sides go on.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        state: State,
        count: int,
        budget: Budget,
        words: int,
        learned: Learned | None = None,
    ) -> None:
        super().__init__(dispatcher, state, budget, words, learned)
        self.count = count
        self.depth = 0
        self.whole = False
        self.order = list(range(count))
        self.line: tuple[int, ...] = ()

    @abstractmethod
    def told(self, number: int) -> Value:
        """What a move is worth, for people."""

    @abstractmethod
    def rounds(self, each: Callable[[], None] | None) -> None:
        """Search round after round, as long as `goes_on`."""

    def run(self, job: Job, each: Callable[[], None] | None = None) -> None:
        """Search until the budget is used up; `each` is called after each round.

        A job stops it, which raises Stopped; what has been found by then stays.
        """
        with self.timed(job):
            self.rounds(each)
