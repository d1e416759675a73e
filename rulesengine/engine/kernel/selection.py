"""Selection of an engine: the given one or, with `auto`, the fastest that pays off for the work.

See decision 023.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import inf
from time import thread_time
from typing import TYPE_CHECKING

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.registry import BACKENDS, backend_by_name, working
from rulesengine.engine.kernel.compiled_parts import CompiledParts
from rulesengine.errors import UsageError

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.protocol import Backend, StampedStore
    from rulesengine.engine.kernel.cost_history import CostHistory
    from rulesengine.engine.kernel.engine_trials import EngineTrials
    from rulesengine.engine.kernel.game_sample import GameSample
    from rulesengine.engine.kernel.kernels import Fasts, Kernels

Engine = str  # one of `ENGINES`
INTERPRETER = "interpreter"
ENGINES: tuple[Engine, ...] = ("auto", INTERPRETER, *(b.name for b in reversed(BACKENDS)))

_FEW_PLIES = 20  # plies that need no kernel, and no sample
_SAMPLED_SHARE = 10  # a sample has at most one in so many of the plies of the work
_MOST_SAMPLED = 200  # plies of a sample
_SHORTEST_PLY = 2e-5  # seconds of the interpreter, in the simplest games
TYPICAL_PLIES = 100  # the assumed length of a game without a sample
_RESELECTION_GROWTH = (
    1.25  # growth of the time spent, until the engine of single calls is chosen again
)


def unknown_engine(name: str) -> str:
    """Return the error message for an unknown engine."""
    from rulesengine.support.diagnostic import did_you_mean

    hint = did_you_mean(name, ENGINES) or f"use {', '.join(ENGINES[:-1])} or {ENGINES[-1]}"
    return f"no engine `{name[:40]}`: {hint}"


def _sampled(machine: Interpreter, most: int = _MOST_SAMPLED) -> "GameSample":
    from rulesengine.engine.kernel.game_sample import sample_game

    return sample_game(machine, most, TYPICAL_PLIES)


class Selector:
    """The kernels of one program, compiled when they pay off.

    With `auto` it selects the engine with the least estimated cost for the remaining work
    (`engine_costs`). `problems` has the reasons why some kernels cannot be compiled. Back ends are
    ordered from the fastest code to the slowest; `fasts` is the parameter of `Kernels`.
    """

    def __init__(
        self,
        machine: Interpreter,
        engine: Engine,
        store: "StampedStore | None",
        backends: "Sequence[Backend]" = BACKENDS,
        fasts: "Fasts | None" = None,
    ) -> None:
        requested = backend_by_name(engine, backends)
        problem = requested.problem() if requested else None
        if problem:
            raise UsageError(f"no engine `{engine}` here: {problem}")
        self.machine = machine
        self.engine = engine
        self.parts = CompiledParts(machine, store, backends, fasts)
        self._store = store
        self._backends = tuple(backends)
        self._fastest_load = min(backend.load_seconds for backend in backends)
        self._seconds = self._recorded = 0.0
        self._next_record = self._fastest_load if store else inf
        # The interpreter's seconds for the work done so far: of single calls, and of other parts.
        self._called = 0.0
        self._worked: dict[str, float] = {}
        self._call_rate = 1.0  # of the engine of single calls
        self._next_choice: dict[str, float] = {}
        self._expected: dict[str, float] = {}
        self._sample: "GameSample | None" = None
        self._leading = ""  # the part that gets its kernels before other calls
        self._led, self._leading_rate = 0.0, 1.0

    @property
    def problems(self) -> dict[str, str]:
        """Return the reasons why some kernels cannot be compiled, by engine and part."""
        return self.parts.problems

    def expect(self, plies: Mapping[str, float]) -> None:
        """Record the plies of the coming work by part; `auto` compiles before it if that pays.

        Single calls then wait for the compiler at first.
        """
        self._expected = {**self._expected, **plies}
        for part in plies:
            self._next_choice.pop(part, None)

    def for_leading(self, part: str) -> "Kernels | None":
        """Return the kernels for a part that may replace other single calls, as `for_call`.

        They are chosen before those of other calls. The part gets the fastest ones or none: slower
        ones would be compiled in addition. See decision 101.
        """
        self._leading = part
        kernels = self.for_call(part)
        if kernels and self._leading_rate == 1.0:
            self._called = 0.0  # it replaces the calls so far
        self._leading_rate = (kernels.backend.call_rate if kernels else 0.0) or 1.0
        return kernels

    def for_work(self, part: str, plies: float) -> "Kernels | None":
        """Return the kernels for work of `plies` plies on a part; None for the interpreter."""
        if self.engine != "auto":
            return self.parts.first(part, self._requested)
        if self._usable and f"{self._usable[0].name} {part}" in self.parts.ready:
            return self.parts.kernels(self._usable[0].name)
        spent = self._worked.get(part, 0.0)
        return self._compiled_first(self._cheapest(part, plies, spent, is_call=False), part)

    @contextmanager
    def measured(
        self, part: str, kernels: "Kernels | None", plies: Callable[[], float] | None = None
    ) -> Iterator[None]:
        """Measure work on a part, which the given kernels or the interpreter do in this thread.

        `plies` returns the plies done, for a measurement of the speed of the kernels.
        """
        since, before = self.clock(), plies() if plies else 0.0
        try:
            yield
        finally:
            rate = kernels.backend.rate if kernels else 1.0
            if self.engine == "auto" and rate > 0:
                seconds = thread_time() - since
                self._worked[part] = self._worked.get(part, 0.0) + seconds / rate
                if kernels and plies and part in self._expected:
                    self._trials.add(f"{kernels.backend.name} {part}", seconds, plies() - before)

    def plies_of_game(self, games: float) -> int:
        """Return the estimated plies of a game; there is a sample only if there are many games."""
        if self.engine == "auto" and games >= _SAMPLED_SHARE and self._sample is None:
            self._sample = _sampled(self.machine)
        return self._sample.plies if self._sample else TYPICAL_PLIES

    def for_call(self, part: str) -> "Kernels | None":
        """Return the kernels for a single call, by the total time of such calls so far.

        Only announced work waits for a compiler.
        """
        if self.engine != "auto":
            return self.parts.first(part, self._requested)
        if self._spent(part) >= self._next_choice.get(part, self._least_spent(part)):
            self._choose_for_calls(part)
        for backend in self._usable:
            if f"{backend.name} {part}" in self.parts.ready:
                self._call_rate = backend.call_rate or 1.0
                return self.parts.kernels(backend.name)
        return None

    def _spent(self, part: str) -> float:
        """Return the interpreter's seconds for the single calls done so far."""
        return self._led if part == self._leading else self._called

    def _least_spent(self, part: str) -> float:
        return 0.0 if part in self._expected else self._fastest_load

    def _choose_for_calls(self, part: str) -> None:
        """Load or compile the cheapest kernels, in the background unless work was announced."""
        if self._must_wait(part):
            return
        is_first = part not in self._next_choice
        spent, is_leading = self._spent(part), part == self._leading
        self._next_choice[part] = max(spent, self._fastest_load) * _RESELECTION_GROWTH
        ledger = self._ledger
        earlier = ledger.earlier if ledger and ledger.may_try else 0.0
        names = self._cheapest(part, 0, spent + earlier, is_call=True)
        if (is_first and part in self._expected) or is_leading:
            self._compiled_first(names, part)
        elif names[0] != INTERPRETER and not self.parts.is_ready(names[0], part):
            chosen = backend_by_name(names[0], self._usable)
            assert chosen is not None
            self._start_compile(f"{chosen.name} {part}", part, (chosen,))

    def _must_wait(self, part: str) -> bool:
        """True if the kernels of the leading part are not chosen yet."""
        if not self._leading or part == self._leading:
            return False
        fastest = self._usable[:1]
        keys = [f"{backend.name} {self._leading}" for backend in fastest]
        return not any(key in self.parts.ready or key in self.problems for key in keys)

    def _cheapest(self, part: str, plies: float, spent: float, *, is_call: bool) -> Sequence[str]:
        """Return the engines that can run a part, the cheapest for the remaining work first."""
        from rulesengine.engine.kernel.engine_costs import (
            EngineCost,
            cheapest_first,
            remaining_seconds,
        )

        known = max(plies, self._expected.get(part, 0.0))
        if self._sample is None and self._is_long(part, known):
            return [backend.name for backend in self._usable] + [INTERPRETER]
        costs = [EngineCost(INTERPRETER, 0.0, 1.0)]
        for backend in self._usable:
            key = f"{backend.name} {part}"
            is_late = part == self._leading and backend is not self._usable[0]
            if key not in self.problems and not (is_late and self._is_absent(backend, part)):
                rate = backend.call_rate if is_call else self._rate(backend, key)
                costs.append(EngineCost(backend.name, self._start_seconds(backend, part), rate))
        seconds = remaining_seconds(self._seconds_of(known), spent)
        names = cheapest_first(costs, seconds)
        if part in self._expected and not is_call and plies < known:
            tried = self._trials.candidate(part, costs, names[0], seconds)
            return [tried, *names] if tried else names
        return names

    def _is_long(self, part: str, plies: float) -> bool:
        """True if plies of any game would take longer than to load the fastest kernels."""
        backend = next(iter(self._usable), None)
        if backend is None or plies * _SHORTEST_PLY < backend.load_seconds:
            return False
        key = f"{backend.name} {part}"
        return key in self.parts.ready or (
            key not in self.problems and self.parts.is_cached(backend.name, part)
        )

    def _is_absent(self, backend: "Backend", part: str) -> bool:
        """True if a part must be compiled by a back end, and the fastest one can do so."""
        fastest = f"{self._usable[0].name} {part}"
        return fastest not in self.problems and not self.parts.is_ready(backend.name, part)

    def _rate(self, backend: "Backend", key: str) -> float:
        """Return the rate of a back end for a part, as measured on announced work if possible."""
        ply = self._sample.seconds if self._sample else 0.0
        return self._trials.rate(key, backend.rate, ply) if ply else backend.rate

    def _seconds_of(self, plies: float) -> float:
        """Return the interpreter's estimated seconds for a number of plies."""
        if plies <= _FEW_PLIES:
            return 0.0
        if self._sample is None:
            self._sample = _sampled(self.machine, int(min(plies / _SAMPLED_SHARE, _MOST_SAMPLED)))
        return plies * self._sample.seconds

    def _start_seconds(self, backend: "Backend", part: str) -> float:
        """Return the estimated seconds until a back end can run a part."""
        if f"{backend.name} {part}" in self.parts.ready:
            return 0.0
        if self.parts.is_cached(backend.name, part):
            return backend.load_seconds
        return self.parts.costs.estimate(backend, part)

    def _compiled_first(self, names: Sequence[str], part: str) -> "Kernels | None":
        """Compile a part by the first engine that can; None if that is the interpreter."""
        for name in names:
            if name == INTERPRETER:
                return None
            if self.parts.compiled(name, part) is not None:
                return self.parts.kernels(name)
        return None

    def recall(self, part: str) -> None:
        """Load the cached code of a part, by the back end that loads fastest, however short the
        run.
        """
        working = self._usable if self.engine == "auto" else ()
        soonest = min(working, key=lambda backend: backend.load_seconds, default=None)
        if soonest:
            self.parts.is_ready(soonest.name, part)

    def in_background(self, part: str, then: Callable[[], None]) -> "Kernels | None":
        """Return the fastest compiled kernels of a part; `auto` compiles in the background.

        The fastest back end goes first, since its first tier is compiled as soon as slower code
        would be. The result is None until then, and `then` is called whenever faster kernels are
        ready. Only announced work waits for a compiler.
        """
        if self.engine != "auto":
            return self.parts.first(part, self._requested)
        if part in self._expected and part not in self._next_choice:
            self._next_choice[part] = inf
            kernels = self._compiled_first(self._cheapest(part, 0, 0.0, is_call=False), part)
            if kernels and kernels.backend is self._usable[0]:
                self.parts.started.add(part)
                self.parts.finished.add(part)
        self.parts.callbacks[part] = then
        self._start_compile(part, part, self._usable)
        ready = (b.name for b in self._usable if f"{b.name} {part}" in self.parts.ready)
        name = next(ready, None)
        return self.parts.kernels(name) if name else None

    def compile_seconds(self, part: str) -> float:
        """Return the estimated seconds until the fastest back end can run a part."""
        return self._start_seconds(self._usable[0], part) if self._usable else 0.0

    def is_settled(self, part: str) -> bool:
        """True if `in_background` will always return the same for a part."""
        return self.engine != "auto" or part in self.parts.finished

    def finish_compiling(self, seconds: float) -> None:
        """Wait at the end of a run for the code that its timed search did not wait for.

        Later runs load that code. `seconds` is the time of the search. The wait is at most the time
        of all such runs so far; after a wait in vain the next one follows when that has doubled.
        See decision 200.
        """
        from rulesengine.engine.background import is_compiling, join_all

        working = self._usable if self.engine == "auto" and is_compiling() else ()
        ledger = self.parts.kernels(working[0].name).search_ledger if working else None
        if ledger:
            ledger.add(seconds)
            if ledger.may_try:
                ledger.begin()
                join_all(ledger.total)

    def best(self, part: str) -> Engine:
        """Compile a part if necessary; return the name of the fastest engine that supports it.

        This waits for the last tier of its code.
        """
        kernels = self.parts.first(part, self._usable if self.engine == "auto" else self._requested)
        if kernels is None:
            return "interpreter"
        kernels.part(part).wait_until_final(inf)
        return kernels.backend.name

    def clock(self) -> float:
        """Return the CPU time of this thread; 0 unless time affects the selection."""
        return thread_time() if self.engine == "auto" else 0.0

    def record_time(self, since: float, *, is_leading: bool = False) -> None:
        """Count a single call since a value of `clock`, or the work of the leading part."""
        if self.engine == "auto":
            seconds = thread_time() - since
            self._seconds += seconds
            if is_leading:
                self._led += seconds / self._leading_rate
            else:
                self._called += seconds / self._call_rate
            if self._seconds >= self._next_record:
                self._record_cost()

    def _record_cost(self) -> None:
        """Add the cost of single calls to the store for later runs; again when it has doubled."""
        if self._ledger:
            self._ledger.add(self._seconds - self._recorded)
        self._recorded, self._next_record = self._seconds, 2 * self._seconds

    @cached_property
    def _ledger(self) -> "CostHistory | None":
        """Return the cost history of the back end that takes longest to compile."""
        working = self._usable
        return self.parts.kernels(working[0].name).ledger if working else None

    @cached_property
    def _trials(self) -> "EngineTrials":
        from rulesengine.engine.kernel.engine_trials import EngineTrials

        return EngineTrials()

    @cached_property
    def _usable(self) -> "tuple[Backend, ...]":
        return working(self._backends)

    @cached_property
    def _requested(self) -> "tuple[Backend, ...]":
        """Return the requested back end, followed by all slower ones."""
        names = [backend.name for backend in self._backends]
        return self._backends[names.index(self.engine) :] if self.engine in names else ()

    def _start_compile(self, key: str, part: str, backends: "Sequence[Backend]") -> None:
        """Compile a part in the background, once for each key, by the first back end that can."""
        if key in self.parts.started:
            return
        is_awaited = False
        if self._ledger and tuple(backends) == self._usable[:1]:
            is_awaited = self._ledger.may_try
            self._ledger.begin()
        self.parts.start(key, part, backends, is_awaited=is_awaited)
