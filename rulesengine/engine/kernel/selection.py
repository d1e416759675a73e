"""Selection of an engine: the given one or, with `auto`, the fastest that pays off for the work.

See decision 023.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from threading import RLock
from time import thread_time
from typing import TYPE_CHECKING

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.registry import BACKENDS, backend_by_name, working
from rulesengine.errors import RulesError, UsageError

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.protocol import Backend, CompiledModule, StampedStore
    from rulesengine.engine.kernel.cost_history import CostHistory
    from rulesengine.engine.kernel.kernels import Fasts, Kernels

Engine = str  # one of `ENGINES`
ENGINES: tuple[Engine, ...] = ("auto", "interpreter", *(b.name for b in reversed(BACKENDS)))


def unknown_engine(name: str) -> str:
    """Return the error message for an unknown engine."""
    from rulesengine.support.diagnostic import did_you_mean

    hint = did_you_mean(name, ENGINES) or f"use {', '.join(ENGINES[:-1])} or {ENGINES[-1]}"
    return f"no engine `{name[:40]}`: {hint}"


class Selector:
    """The kernels of one program, compiled when they pay off.

    `problems` has the reasons why some cannot be compiled. Back ends are ordered from the fastest
    code to the slowest; `fasts` is the parameter of `Kernels`.
    """

    def __init__(
        self,
        machine: Interpreter,
        engine: Engine,
        store: "StampedStore | None",
        backends: "Sequence[Backend]" = BACKENDS,
        fasts: "Fasts | None" = None,
    ) -> None:
        asked = backend_by_name(engine, backends)
        problem = asked.problem() if asked else None
        if problem:
            raise UsageError(f"no engine `{engine}` here: {problem}")
        self.machine = machine
        self.engine = engine
        self.problems: dict[str, str] = {}
        self._store = store
        self._fasts = fasts
        self._backends = tuple(backends)
        self._fastest_load = min(backend.kept_seconds for backend in backends)
        self._kernels: dict[str, "Kernels"] = {}
        self._seconds = self._recorded = 0.0
        self._next_record = self._fastest_load if store else inf
        self._lock = RLock()
        self._cached: dict[str, bool] = {}
        self._begun: set[str] = set()
        self._ready: set[str] = set()
        self._finished: set[str] = set()
        self._preloaded: set[str] = set()
        # Callbacks when a part is compiled, for callers that continue without it meanwhile.
        self._callbacks: dict[str, Callable[[], None]] = {}

    def kernels(self, name: Engine) -> "Kernels":
        """Return the kernels of a back end."""
        if name not in self._kernels:
            from rulesengine.engine.kernel.kernels import Kernels

            backend = next(b for b in self._backends if b.name == name)
            self._kernels[name] = Kernels(self.machine, backend, self._store, self._fasts)
        return self._kernels[name]

    def for_work(self, part: str, steps: int) -> "Kernels | None":
        """Return the kernels for work of `steps` steps on a part; None for the interpreter.

        Compiled parts pay off for any work; cached parts pay off sooner than others.
        """
        if self.engine != "auto":
            return self._first(part, self._requested)
        return self._first(part, [b for b in self._usable if self._pays_for(steps, b, part)])

    def _pays_for(self, steps: int, backend: "Backend", part: str) -> bool:
        if steps >= backend.steps or f"{backend.name} {part}" in self._ready:
            return True
        loads = steps * backend.seconds >= backend.steps * backend.kept_seconds
        return loads and self._is_cached(backend.name, part)

    def for_call(self, part: str) -> "Kernels | None":
        """Return the kernels for a single call, by the total time of such calls so far."""
        if self.engine != "auto":
            return self._first(part, self._requested)
        if self._seconds < self._fastest_load and not self._preloaded:
            return None
        paying = [backend for backend in self._usable if self._pays(backend, part)]
        there = next((b for b in paying if self._is_ready(b.name, part)), None)
        faster = paying[: paying.index(there)] if there else paying
        if faster:  # the back end that compiles fastest goes first, without waiting for the others
            self._start_compile(f"{faster[-1].name} {part}", part, faster[-1:])
        return self._kernels[there.name] if there else None

    def _pays(self, backend: "Backend", part: str) -> bool:
        """True if a back end pays off for single calls by now; cached code pays off sooner.

        A part that cannot be compiled never pays off.
        """
        key = f"{backend.name} {part}"
        if key in self._preloaded:
            return True
        if self._seconds < backend.kept_seconds or key in self.problems:
            return False
        return (
            self._seconds >= backend.seconds
            or self._is_cached(backend.name, part)
            or self._would_have_paid(backend)
        )

    def _would_have_paid(self, backend: "Backend") -> bool:
        """True if it would have paid off for this run and all previous ones together."""
        ledger = self._ledger
        return bool(ledger and ledger.may_try and ledger.earlier + self._seconds >= backend.seconds)

    def _is_cached(self, name: Engine, part: str) -> bool:
        """True if a previous run has cached a part; entries of this run do not count."""
        key = f"{name} {part}"
        if key not in self._cached:
            self._cached[key] = self.kernels(name).is_kept(part)
        return self._cached[key]

    def recall(self, part: str) -> None:
        """Load the cached code of a part, by the back end that loads fastest, however short the
        run.
        """
        working = self._usable if self.engine == "auto" else ()
        soonest = min(working, key=lambda backend: backend.kept_seconds, default=None)
        if soonest and self._is_ready(soonest.name, part):
            self._preloaded.add(f"{soonest.name} {part}")

    def beside(self, part: str, then: Callable[[], None]) -> "Kernels | None":
        """Return the fastest compiled kernels of a part; `auto` compiles in the background.

        The back end that compiles fastest goes first. The result is None until then, and `then` is
        called whenever faster kernels are ready.
        """
        if self.engine != "auto":
            return self._first(part, self._requested)
        self._callbacks[part] = then
        self._start_compile(part, part, tuple(reversed(self._usable)))
        made = (b.name for b in self._usable if f"{b.name} {part}" in self._ready)
        name = next(made, None)
        return self._kernels[name] if name else None

    def is_settled(self, part: str) -> bool:
        """True if `beside` will always return the same for a part."""
        return self.engine != "auto" or part in self._finished

    def best(self, part: str) -> Engine:
        """Compile a part if necessary; return the name of the fastest engine that supports it."""
        kernels = self._first(part, self._usable if self.engine == "auto" else self._requested)
        return kernels.backend.name if kernels else "interpreter"

    def clock(self) -> float:
        """Return the CPU time of this thread; 0 unless time affects the selection."""
        return thread_time() if self.engine == "auto" else 0.0

    def took(self, since: float) -> None:
        if self.engine == "auto":
            self._seconds += thread_time() - since
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
        return self.kernels(working[0].name).ledger if working else None

    @cached_property
    def _usable(self) -> "tuple[Backend, ...]":
        return working(self._backends)

    @cached_property
    def _requested(self) -> "tuple[Backend, ...]":
        """Return the requested back end, followed by all slower ones."""
        names = [backend.name for backend in self._backends]
        return self._backends[names.index(self.engine) :] if self.engine in names else ()

    def _first(self, part: str, backends: "Sequence[Backend]") -> "Kernels | None":
        for backend in backends:
            if self.compiled(backend.name, part) is not None:
                return self._kernels[backend.name]
        return None

    def _is_ready(self, name: Engine, part: str) -> bool:
        """True if a part is ready; a cached part is loaded on the first call."""
        key = f"{name} {part}"
        if key not in self._begun and self._is_cached(name, part) and self._load_now(name, part):
            self._begun.add(key)
            self._ready.add(key)
        return key in self._ready

    def _load_now(self, name: Engine, part: str) -> bool:
        """True if a cached part could be loaded immediately.

        A background thread would wait for the interpreter lock at each file, which takes longer
        than to load here. The call does not wait for a thread that compiles at the moment.
        """
        if not self._lock.acquire(blocking=False):
            return False
        try:
            return self.kernels(name).is_recalled(part)
        except MemoryError:
            return False
        finally:
            self._lock.release()

    def _start_compile(self, key: str, part: str, backends: "Sequence[Backend]") -> None:
        """Compile a part by some back ends in the background, once for each key."""
        if key in self._begun:
            return
        self._begun.add(key)
        from rulesengine.engine.background import compile_in_background

        name, is_awaited = f"{key} kernel", False
        if self._ledger and backends[0] is self._usable[0]:
            is_awaited = self._ledger.may_try
            self._ledger.begin()
        compile_in_background(
            name, lambda: self._compile(key, part, backends), is_awaited=is_awaited
        )

    def _compile(self, key: str, part: str, backends: "Sequence[Backend]") -> None:
        for backend in backends:
            if self.compiled(backend.name, part) is not None and part in self._callbacks:
                self._callbacks[part]()
        self._finished.add(key)

    def compiled(self, name: Engine, part: str) -> "CompiledModule | None":
        """Return a part compiled by a back end; None, with an entry in
        `problems`, if that fails.
        """
        from rulesengine.engine.kernel.unsupported import Unsupported

        key = f"{name} {part}"
        with self._lock:
            if key in self.problems:
                return None
            try:
                found = self.kernels(name).part(part)
                self._ready.add(key)
                return found
            except (Unsupported, RulesError) as problem:
                self.problems[key] = str(problem)
            except MemoryError:
                self.problems[key] = "not enough memory to compile"
            return None
