"""The machine that engines run on: Python, LLVM, the processor, the cache."""

import platform
from dataclasses import dataclass
from pathlib import Path

from rulesengine.cache import Cache, Info
from rulesengine.errors import RulesError
from rulesengine.kernel.selection import NO_LLVMLITE, has_native


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is: versions, empty where there is none, and why something is missing.

    `native_problem` is empty if a small native kernel has just been made and has run. `model` and
    `features` are LLVM's names: the processor's, and those of its features that kernels are
    written for. `cache` is a text where there is none: why.
    """

    python: str
    llvmlite: str
    llvm: str
    native_problem: str
    processor: str
    kind: str
    model: str
    features: tuple[str, ...]
    cache: Info | str


def look_around() -> Machine:
    """This machine as it is now; to try a native kernel takes a quarter of a second."""
    found = Cache.find()
    llvmlite, llvm = _versions()
    problem = _native_problem()
    model, features = ("", ()) if problem else _target()
    return Machine(
        f"{platform.python_implementation()} {platform.python_version()}",
        llvmlite,
        llvm,
        problem,
        processor_name(),
        platform.machine(),
        model,
        features,
        found if isinstance(found, str) else found.info(),
    )


def processor_name() -> str:
    """The name that the system gives its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine() or "unknown"


def _versions() -> tuple[str, str]:
    """Of llvmlite and its LLVM, empty without it."""
    from rulesengine.kernel.native.target import versions

    try:
        return versions()
    except (ImportError, OSError):
        return "", ""


def _target() -> tuple[str, tuple[str, ...]]:
    from rulesengine.kernel.native.target import USED, host

    target = host()
    return target.cpu, tuple(sorted(target.features & USED))


def _native_problem() -> str:
    """Why native kernels cannot be made here; empty if one has been made and run."""
    if not has_native():
        return NO_LLVMLITE
    from rulesengine.kernel.builder import Builder

    builder = Builder(4)
    with builder.function("next", ["i"], ["i"], entry=True) as (number,):
        builder.give(builder.op("iadd", number, builder.i(1)))
    try:
        from rulesengine.kernel.native.run import Native

        result = Native(builder.module).call("next", [41])
    except (ImportError, OSError, RuntimeError, RulesError) as error:
        return " ".join(str(error).split())[:300] or type(error).__name__
    return "" if result == (42,) else f"a kernel for 42 gives {result}"
