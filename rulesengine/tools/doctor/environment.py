"""The machine on which engines run: compilers, processor and cache."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulesengine.engine.kernel.backends.protocol import Backend
from rulesengine.engine.kernel.backends.registry import BACKENDS, working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import RulesError
from rulesengine.sandbox import Confinement, ProgramError, confinement
from rulesengine.support.cache import Cache, Info

_DISTRIBUTION = "boardgame-rulesengine"


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """A compiled engine; `problem` is empty if a small kernel was compiled and has run.

    `maker` describes the compiler in words, `versions` lists its parts, with empty text for a
    missing one.
    """

    name: Engine
    problem: str
    maker: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Machine:
    """The engines, processor and cache of a machine, with the reasons for missing ones.

    `model` and `features` are LLVM's names of the processor and of those features for which kernels
    are written. `gpu` describes the first NVIDIA GPU, or has the reason why none can be used.
    `cache` is a text with the reason if there is no cache. `programs` is how the
    programs of others are confined, a text with the reason if none can run. `namesakes` are other
    distributions with a package of the same import name.
    """

    engines: tuple[EngineStatus, ...]
    processor: str
    kind: str
    model: str
    features: tuple[str, ...]
    gpu: str
    cache: Info | str
    programs: Confinement | str
    namesakes: tuple[str, ...]


def inspect_machine() -> Machine:
    """Inspect this machine; the test of machine code takes a quarter of a second."""
    cache = Cache.find()
    tried = tuple(map(_engine_status, reversed(BACKENDS)))
    works = {one.name for one in tried if not one.problem}
    processors = [backend.processor() for backend in BACKENDS if backend.name in works]
    model, features = next((p for p in processors if p[0]), ("", ()))
    return Machine(
        tried,
        processor_name(),
        platform.machine(),
        model,
        features,
        _gpu(),
        cache if isinstance(cache, str) else cache.info(),
        _confinement(),
        _namesakes(),
    )


def _gpu() -> str:
    """Describe the first GPU; return the reason if none can be used."""
    from rulesengine.engine.kernel.backends.cuda.cuda_driver import cuda_driver
    from rulesengine.engine.kernel.backends.cuda.device import Device
    from rulesengine.engine.kernel.backends.cuda.driver import DeviceError

    try:
        facts = Device(cuda_driver(), 0).facts
    except DeviceError as error:
        return str(error)
    major, minor = facts.capability
    return f"{facts.name}, compute capability {major}.{minor} (experimental)"


def _confinement() -> Confinement | str:
    try:
        return confinement()
    except ProgramError as error:
        return str(error)


def _engine_status(backend: Backend) -> EngineStatus:
    return EngineStatus(backend.name, _problem(backend), backend.maker(), backend.versions())


def native_target() -> tuple[str, tuple[str, ...]]:
    """Return LLVM's names of the target processor of native code and of its features.

    They are empty if no native code can be compiled.
    """
    targets = (backend.processor() for backend in working())
    return next((one for one in targets if one[0]), ("", ()))


def processor_name() -> str:
    """Return the system's name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine() or "unknown"


def _namesakes() -> tuple[str, ...]:
    """Return other installed distributions with files in a package of our name."""
    package = __name__.partition(".")[0]
    # imported here: it takes longer to load than the rest of the module
    from importlib import metadata

    names = set(metadata.packages_distributions().get(package, ()))
    return tuple(sorted(name for name in names if name.lower().replace("_", "-") != _DISTRIBUTION))


def _problem(backend: Backend) -> str:
    """Compile and run a small kernel; return the problem, or an empty text."""
    missing = backend.problem()
    if missing:
        return missing
    from rulesengine.engine.kernel.code.builder import Builder

    builder = Builder(4)
    with builder.function("next", ["i"], ["i"], entry=True) as (number,):
        builder.emit_return(builder.op("iadd", number, builder.i(1)))
    try:
        result = backend.compile(builder.module, None, {}).call("next", [41])
    except (ImportError, OSError, RuntimeError, RulesError) as error:
        return " ".join(str(error).split())[:300] or type(error).__name__
    return "" if result == (42,) else f"a kernel for 42 gives {result}"
