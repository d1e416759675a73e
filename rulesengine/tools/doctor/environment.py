"""The machine that engines run on: what makes kernels, the processor, the cache."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulesengine.engine.kernel.backends.protocol import Backend
from rulesengine.engine.kernel.backends.registry import BACKENDS, working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import RulesError
from rulesengine.support.cache import Cache, Info

_DISTRIBUTION = "boardgame-rulesengine"


@dataclass(frozen=True, slots=True)
class Tried:
    """An engine that makes kernels: `problem` is empty if a small one was just made and has run.

    `maker` tells in words what makes them, `versions` in parts, empty where it is missing.
    """

    name: Engine
    problem: str
    maker: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is, and why something is missing.

    `model` and `features` are LLVM's names: the processor's, and those of its features that
    kernels are written for. `cache` is a text where there is none: why. `namesakes` are other
    distributions with a package that is imported by our name.
    """

    engines: tuple[Tried, ...]
    processor: str
    kind: str
    model: str
    features: tuple[str, ...]
    cache: Info | str
    namesakes: tuple[str, ...]


def look_around() -> Machine:
    """This machine as it is now; to try machine code takes a quarter of a second."""
    found = Cache.find()
    tried = tuple(map(_tried, reversed(BACKENDS)))
    works = {one.name for one in tried if not one.problem}
    processors = [backend.processor() for backend in BACKENDS if backend.name in works]
    model, features = next((p for p in processors if p[0]), ("", ()))
    return Machine(
        tried,
        processor_name(),
        platform.machine(),
        model,
        features,
        found if isinstance(found, str) else found.info(),
        _namesakes(),
    )


def _tried(backend: Backend) -> Tried:
    return Tried(backend.name, _problem(backend), backend.maker(), backend.versions())


def made_for() -> tuple[str, tuple[str, ...]]:
    """The processor that native code is made for here and its features, as LLVM names them.

    Empty where none can be made.
    """
    found = (backend.processor() for backend in working())
    return next((one for one in found if one[0]), ("", ()))


def processor_name() -> str:
    """The name that the system gives its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine() or "unknown"


def _namesakes() -> tuple[str, ...]:
    """The installed distributions that have files in a package of our name, and are not ours."""
    package = __name__.partition(".")[0]
    from importlib import metadata  # here: it takes longer to load than all else here

    found = set(metadata.packages_distributions().get(package, ()))
    return tuple(sorted(name for name in found if name.lower().replace("_", "-") != _DISTRIBUTION))


def _problem(backend: Backend) -> str:
    """Why kernels cannot be made here; empty if one has been made and run."""
    missing = backend.problem()
    if missing:
        return missing
    from rulesengine.engine.kernel.code.builder import Builder

    builder = Builder(4)
    with builder.function("next", ["i"], ["i"], entry=True) as (number,):
        builder.give(builder.op("iadd", number, builder.i(1)))
    try:
        result = backend.compile(builder.module, None, {}).call("next", [41])
    except (ImportError, OSError, RuntimeError, RulesError) as error:
        return " ".join(str(error).split())[:300] or type(error).__name__
    return "" if result == (42,) else f"a kernel for 42 gives {result}"
