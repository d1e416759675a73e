"""Which engine does the work: as asked for, or, with `auto`, the one that pays for this much."""

from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from rulesengine.errors import RulesError, UsageError
from rulesengine.interpreter import Interpreter

if TYPE_CHECKING:
    from rulesengine.kernel.engine import Compiled, Kernels, Store

Backend = Literal["python", "native"]
Engine = Literal["auto", "interpreter", "python", "native"]
ENGINES: tuple[Engine, ...] = ("auto", "interpreter", "python", "native")

# From how many steps on kernels pay: a Python one is made in a twentieth of a second, a native one
# in half a second.
_STEPS: MappingProxyType[Backend, int] = MappingProxyType({"native": 30_000, "python": 1_000})
# From how many seconds of single calls on.
_SECONDS: MappingProxyType[Backend, float] = MappingProxyType({"native": 1.0, "python": 0.05})

NO_LLVMLITE = "llvmlite is not installed: it comes with the extra `native`"


def unknown_engine(name: str) -> str:
    """What to say of an engine that is not there."""
    from rulesengine.diagnostic import did_you_mean

    hint = did_you_mean(name, ENGINES) or f"use {', '.join(ENGINES[:-1])} or {ENGINES[-1]}"
    return f"no engine `{name[:40]}`: {hint}"


def has_native() -> bool:
    """Whether native kernels can be made here at all."""
    from importlib.util import find_spec

    return find_spec("llvmlite") is not None


class Selector:
    """The kernels of one program, made as they pay. `problems` tells why some cannot be."""

    def __init__(self, machine: Interpreter, engine: Engine, store: "Store | None") -> None:
        if engine == "native" and not has_native():
            raise UsageError(f"no engine `native` here: {NO_LLVMLITE}")
        self.machine = machine
        self.engine = engine
        self.problems: dict[str, str] = {}
        self._store = store
        self._kernels: dict[Backend, "Kernels"] = {}
        self._spent = 0.0

    def kernels(self, backend: Backend) -> "Kernels":
        if backend not in self._kernels:
            from rulesengine.kernel.engine import Kernels

            self._kernels[backend] = Kernels(self.machine, backend, self._store)
        return self._kernels[backend]

    def for_work(self, part: str, steps: int) -> "Kernels | None":
        """The kernels for so many steps of a part; None for the interpreter."""
        wanted = self._wanted([b for b in _STEPS if steps >= _STEPS[b]])
        return self._first(part, wanted)

    def for_call(self, part: str) -> "Kernels | None":
        """The kernels for a single call, by the time that such calls have taken so far."""
        if self.engine == "auto" and self._spent < _SECONDS["python"]:
            return None
        return self._first(part, self._wanted([b for b in _SECONDS if self._spent >= _SECONDS[b]]))

    def best(self, part: str) -> Engine:
        """The fastest engine that does a part here; its kernels are made now."""
        kernels = self._first(part, self._wanted(list(_STEPS)))
        return kernels.backend if kernels else "interpreter"

    def clock(self) -> float:
        """Now, if time counts for the choice of an engine."""
        return perf_counter() if self.engine == "auto" else 0.0

    def took(self, since: float) -> None:
        if self.engine == "auto":
            self._spent += perf_counter() - since

    def _wanted(self, paying: list[Backend]) -> list[Backend]:
        """The backends in the order in which they are tried."""
        if self.engine == "auto":
            return [b for b in paying if b == "python" or has_native()]
        if self.engine == "native":
            return ["native", "python"]
        return ["python"] if self.engine == "python" else []

    def _first(self, part: str, backends: list[Backend]) -> "Kernels | None":
        for backend in backends:
            if self.compiled(backend, part) is not None:
                return self._kernels[backend]
        return None

    def compiled(self, backend: Backend, part: str) -> "Compiled | None":
        """A part of a backend, None (and a problem) if it cannot be."""
        if f"{backend} {part}" in self.problems:
            return None
        from rulesengine.kernel.context import Unsupported

        try:
            return self.kernels(backend).part(part)
        except (Unsupported, RulesError) as problem:
            self.problems[f"{backend} {part}"] = str(problem)
            return None
