"""The kernels of one program: loaded from the cache, compiled, or compiled in the background."""

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING

from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import RulesError

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.protocol import Backend, CompiledModule, StampedStore
    from rulesengine.engine.kernel.compile_costs import CompileCosts
    from rulesengine.engine.kernel.kernels import Fasts, Kernels


class CompiledParts:
    """The parts of the kernels of one program, by the name of a back end and of the part.

    - `problems` has the reasons why some parts cannot be compiled.
    - `ready` are the parts that can run.
    - `started` are those that have been compiled in the background, or are compiled now.
    - `finished` are those of `started` that have succeeded or failed.
    - `callbacks` are called when a part is compiled, for callers that continue without it.
    """

    def __init__(
        self,
        machine: Interpreter,
        store: "StampedStore | None",
        backends: "Sequence[Backend]",
        fasts: "Fasts | None",
    ) -> None:
        self.problems: dict[str, str] = {}
        self.ready: set[str] = set()
        self.started: set[str] = set()
        self.finished: set[str] = set()
        self.callbacks: dict[str, Callable[[], None]] = {}
        self._machine, self._store = machine, store
        self._backends, self._fasts = tuple(backends), fasts
        self._kernels: dict[str, "Kernels"] = {}
        self._cached: dict[str, bool] = {}
        self._lock = RLock()

    def kernels(self, name: str) -> "Kernels":
        """Return the kernels of a back end."""
        if name not in self._kernels:
            from rulesengine.engine.kernel.kernels import Kernels

            backend = next(b for b in self._backends if b.name == name)
            self._kernels[name] = Kernels(
                self._machine, backend, self._store, self._fasts, self.costs
            )
        return self._kernels[name]

    @cached_property
    def costs(self) -> "CompileCosts":
        """Return the estimates of the time to compile a part."""
        from rulesengine.engine.kernel.compile_costs import CompileCosts

        return CompileCosts(self._machine.program, self._store)

    def is_cached(self, name: str, part: str) -> bool:
        """True if a previous run has cached a part; entries of this run do not count."""
        key = f"{name} {part}"
        if key not in self._cached:
            self._cached[key] = self.kernels(name).is_cached(part)
        return self._cached[key]

    def is_ready(self, name: str, part: str) -> bool:
        """True if a part is ready; a cached part is loaded on the first call."""
        key = f"{name} {part}"
        if key not in self.started and self.is_cached(name, part) and self._load_now(name, part):
            self.started.add(key)
            self.ready.add(key)
        return key in self.ready

    def _load_now(self, name: str, part: str) -> bool:
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

    def first(self, part: str, backends: "Sequence[Backend]") -> "Kernels | None":
        """Return the kernels of the first back end that can compile a part; None without one."""
        for backend in backends:
            if self.compiled(backend.name, part) is not None:
                return self._kernels[backend.name]
        return None

    def start(
        self, key: str, part: str, backends: "Sequence[Backend]", *, is_awaited: bool
    ) -> None:
        """Compile a part in the background by the first back end that can do so.

        `key` has not been started. A short run waits for it at its end if `is_awaited`.
        """
        from rulesengine.engine.background import compile_in_background

        self.started.add(key)
        work = lambda: self._compile(key, part, backends)  # noqa: E731
        compile_in_background(f"{key} kernel", work, is_awaited=is_awaited)

    def _compile(self, key: str, part: str, backends: "Sequence[Backend]") -> None:
        for backend in backends:
            if self.compiled(backend.name, part) is not None:
                if part in self.callbacks:
                    self.callbacks[part]()
                break
        self.finished.add(key)

    def compiled(self, name: str, part: str) -> "CompiledModule | None":
        """Return a part compiled by a back end; None, with an entry in
        `problems`, if that fails.
        """
        from rulesengine.engine.kernel.unsupported import Unsupported

        key = f"{name} {part}"
        with self._lock:
            if key in self.problems:
                return None
            try:
                module = self.kernels(name).part(part)
                self.ready.add(key)
                return module
            except (Unsupported, RulesError) as problem:
                self.problems[key] = str(problem)
            except MemoryError:
                self.problems[key] = "not enough memory to compile"
            return None
