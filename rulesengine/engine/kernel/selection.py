"""Which engine does the work: as asked for, or, with `auto`, the one that pays for this much."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from threading import RLock
from time import thread_time
from typing import TYPE_CHECKING

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.registry import BACKENDS, named, working
from rulesengine.errors import RulesError, UsageError

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.protocol import Backend, Compiled, StampedStore
    from rulesengine.engine.kernel.cost_history import Ledger
    from rulesengine.engine.kernel.kernels import Fasts, Kernels

Engine = str  # one of these
ENGINES: tuple[Engine, ...] = ("auto", "interpreter", *(b.name for b in reversed(BACKENDS)))


def unknown_engine(name: str) -> str:
    """What to say of an engine that is not there."""
    from rulesengine.support.diagnostic import did_you_mean

    hint = did_you_mean(name, ENGINES) or f"use {', '.join(ENGINES[:-1])} or {ENGINES[-1]}"
    return f"no engine `{name[:40]}`: {hint}"


class Selector:
    """The kernels of one program, made as they pay. `problems` tells why some cannot be.

    Of several back ends the first is the fastest; `fasts` is what `Kernels` take.
    """

    def __init__(
        self,
        machine: Interpreter,
        engine: Engine,
        store: "StampedStore | None",
        backends: "Sequence[Backend]" = BACKENDS,
        fasts: "Fasts | None" = None,
    ) -> None:
        asked = named(engine, backends)
        problem = asked.problem() if asked else None
        if problem:
            raise UsageError(f"no engine `{engine}` here: {problem}")
        self.machine = machine
        self.engine = engine
        self.problems: dict[str, str] = {}
        self._store = store
        self._fasts = fasts
        self._backends = tuple(backends)
        self._soonest = min(backend.kept_seconds for backend in backends)
        self._kernels: dict[str, "Kernels"] = {}
        self._spent = self._entered = 0.0
        self._next_entry = self._soonest if store else inf
        self._making = RLock()
        self._is_kept: dict[str, bool] = {}
        self._begun: set[str] = set()
        self._made: set[str] = set()
        self._settled: set[str] = set()
        self._recalled: set[str] = set()
        # What to do when a part is there, for who goes on without it meanwhile.
        self._then: dict[str, Callable[[], None]] = {}

    def kernels(self, name: Engine) -> "Kernels":
        """The kernels of a back end."""
        if name not in self._kernels:
            from rulesengine.engine.kernel.kernels import Kernels

            backend = next(b for b in self._backends if b.name == name)
            self._kernels[name] = Kernels(self.machine, backend, self._store, self._fasts)
        return self._kernels[name]

    def for_work(self, part: str, steps: int) -> "Kernels | None":
        """The kernels for so many steps of a part; None for the interpreter.

        Those that are there pay for any work, those that an earlier run has kept pay sooner.
        """
        if self.engine != "auto":
            return self._first(part, self._asked)
        return self._first(part, [b for b in self._working if self._pays_for(steps, b, part)])

    def _pays_for(self, steps: int, backend: "Backend", part: str) -> bool:
        if steps >= backend.steps or f"{backend.name} {part}" in self._made:
            return True
        loads = steps * backend.seconds >= backend.steps * backend.kept_seconds
        return loads and self._keeps(backend.name, part)

    def for_call(self, part: str) -> "Kernels | None":
        """The kernels for a single call, by the time that such calls have taken so far."""
        if self.engine != "auto":
            return self._first(part, self._asked)
        if self._spent < self._soonest and not self._recalled:
            return None
        paying = [backend for backend in self._working if self._pays(backend, part)]
        there = next((b for b in paying if self._is_there(b.name, part)), None)
        faster = paying[: paying.index(there)] if there else paying
        if faster:  # what is made soonest comes first, so that it does not wait for the others
            self._begin(f"{faster[-1].name} {part}", part, faster[-1:])
        return self._kernels[there.name] if there else None

    def _pays(self, backend: "Backend", part: str) -> bool:
        """Whether a back end pays for single calls by now: code that was kept pays sooner.

        What cannot be made pays for nothing.
        """
        key = f"{backend.name} {part}"
        if key in self._recalled:
            return True
        if self._spent < backend.kept_seconds or key in self.problems:
            return False
        return (
            self._spent >= backend.seconds or self._keeps(backend.name, part) or self._paid(backend)
        )

    def _paid(self, backend: "Backend") -> bool:
        """Whether it would have paid if this run had been one with those before it."""
        ledger = self._ledger
        return bool(ledger and ledger.may_try and ledger.earlier + self._spent >= backend.seconds)

    def _keeps(self, name: Engine, part: str) -> bool:
        """Whether an earlier run has kept a part; what this run keeps is no news."""
        key = f"{name} {part}"
        if key not in self._is_kept:
            self._is_kept[key] = self.kernels(name).is_kept(part)
        return self._is_kept[key]

    def recall(self, part: str) -> None:
        """Load what an earlier run has kept of a part and loads soonest, however early it is."""
        working = self._working if self.engine == "auto" else ()
        soonest = min(working, key=lambda backend: backend.kept_seconds, default=None)
        if soonest and self._is_there(soonest.name, part):
            self._recalled.add(f"{soonest.name} {part}")

    def beside(self, part: str, then: Callable[[], None]) -> "Kernels | None":
        """The fastest kernels of a part that are there; under `auto` they are made beside the work.

        Those come first that are made soonest. Until then it is None, and `then` is called
        whenever there are faster ones.
        """
        if self.engine != "auto":
            return self._first(part, self._asked)
        self._then[part] = then
        self._begin(part, part, tuple(reversed(self._working)))
        made = (b.name for b in self._working if f"{b.name} {part}" in self._made)
        name = next(made, None)
        return self._kernels[name] if name else None

    def is_settled(self, part: str) -> bool:
        """Whether `beside` gives for a part what it always will."""
        return self.engine != "auto" or part in self._settled

    def best(self, part: str) -> Engine:
        """The fastest engine that does a part here; its kernels are made now."""
        kernels = self._first(part, self._working if self.engine == "auto" else self._asked)
        return kernels.backend.name if kernels else "interpreter"

    def clock(self) -> float:
        """Now, if time counts for the choice of an engine."""
        return thread_time() if self.engine == "auto" else 0.0

    def took(self, since: float) -> None:
        if self.engine == "auto":
            self._spent += thread_time() - since
            if self._spent >= self._next_entry:
                self._enter()

    def _enter(self) -> None:
        """Tell later runs what single calls have cost; again when that has doubled."""
        if self._ledger:
            self._ledger.add(self._spent - self._entered)
        self._entered, self._next_entry = self._spent, 2 * self._spent

    @cached_property
    def _ledger(self) -> "Ledger | None":
        """What earlier runs have spent without the code that takes longest to make."""
        working = self._working
        return self.kernels(working[0].name).ledger if working else None

    @cached_property
    def _working(self) -> "tuple[Backend, ...]":
        return working(self._backends)

    @cached_property
    def _asked(self) -> "tuple[Backend, ...]":
        """The back end that is asked for, and then all slower ones."""
        names = [backend.name for backend in self._backends]
        return self._backends[names.index(self.engine) :] if self.engine in names else ()

    def _first(self, part: str, backends: "Sequence[Backend]") -> "Kernels | None":
        for backend in backends:
            if self.compiled(backend.name, part) is not None:
                return self._kernels[backend.name]
        return None

    def _is_there(self, name: Engine, part: str) -> bool:
        """Whether a part is there by now; what was kept is loaded when it is first asked for."""
        key = f"{name} {part}"
        if key not in self._begun and self._keeps(name, part) and self._is_recalled(name, part):
            self._begun.add(key)
            self._made.add(key)
        return key in self._made

    def _is_recalled(self, name: Engine, part: str) -> bool:
        """Whether a part that was kept could be loaded here and now.

        A thread of its own would read each file when it gets the interpreter's lock, and that
        takes longer than to load. Whoever makes a part meanwhile is not waited for.
        """
        if not self._making.acquire(blocking=False):
            return False
        try:
            return self.kernels(name).is_recalled(part)
        except MemoryError:
            return False
        finally:
            self._making.release()

    def _begin(self, key: str, part: str, backends: "Sequence[Backend]") -> None:
        """Let a thread make a part by some back ends, unless that was begun under this name."""
        if key in self._begun:
            return
        self._begun.add(key)
        from rulesengine.engine.background import make_beside

        name, is_awaited = f"{key} kernel", False
        if self._ledger and backends[0] is self._working[0]:
            is_awaited = self._ledger.may_try
            self._ledger.begin()
        make_beside(name, lambda: self._make(key, part, backends), is_awaited=is_awaited)

    def _make(self, key: str, part: str, backends: "Sequence[Backend]") -> None:
        for backend in backends:
            if self.compiled(backend.name, part) is not None and part in self._then:
                self._then[part]()
        self._settled.add(key)

    def compiled(self, name: Engine, part: str) -> "Compiled | None":
        """A part of a back end, None (and a problem) if it cannot be."""
        from rulesengine.engine.kernel.unsupported import Unsupported

        key = f"{name} {part}"
        with self._making:
            if key in self.problems:
                return None
            try:
                found = self.kernels(name).part(part)
                self._made.add(key)
                return found
            except (Unsupported, RulesError) as problem:
                self.problems[key] = str(problem)
            except MemoryError:
                self.problems[key] = "no memory to make it in"
            return None
