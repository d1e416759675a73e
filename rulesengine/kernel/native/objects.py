"""Object code of LLVM's assembly: from a cache, or made by a program of its own with a budget."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from rulesengine.cache import digest
from rulesengine.errors import RulesError
from rulesengine.kernel.backends.protocol import Store
from rulesengine.kernel.native import child
from rulesengine.kernel.native.target import Target
from rulesengine.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS

_KIND = "object"
_SUM = 32


class CompileError(RulesError):
    """Native code cannot be made here: no llvmlite, or the budget does not suffice."""


def object_for(
    text: str,
    target: Target,
    level: int,
    store: Store | None,
    *,
    seconds: float = MAX_COMPILE_SECONDS,
    memory: int = MAX_COMPILE_BYTES,
) -> bytes:
    """The object code of a text for a processor, kept in a store if there is one.

    A stored one counts only with its own checksum: damaged code must never be loaded. Raises
    CompileError.
    """
    key = digest(*map(str.encode, (text, *_versions(), target.cpu, target.flags, str(level))))
    found = _sound(store.get(_KIND, key)) if store else None
    if found is not None:
        return found
    data = compile_apart(text, target, level, seconds=seconds, memory=memory)
    if store:
        store.put(_KIND, key, digest(data) + data)
    return data


def _versions() -> tuple[str, ...]:
    import llvmlite
    import llvmlite.binding as llvm

    return (str(llvmlite.__version__), *map(str, llvm.llvm_version_info))


def _sound(data: bytes | None) -> bytes | None:
    """What follows a checksum that is right."""
    if data is None or digest(data[_SUM:]) != data[:_SUM]:
        return None
    return data[_SUM:]


def compile_apart(
    text: str,
    target: Target,
    level: int = 2,
    *,
    seconds: float = MAX_COMPILE_SECONDS,
    memory: int = MAX_COMPILE_BYTES,
) -> bytes:
    """Object code made by another process, which is ended at the limit of time or memory.

    The process costs 0.05 s, a small kernel itself 0.07 to 0.2 s. Raises CompileError.
    """
    command = [*_program(), target.triple, target.cpu, target.flags, str(level)]
    command += [str(memory), str(max(1, int(seconds) + 1))]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise CompileError(f"compiling takes more than {seconds:g} seconds") from None
    except OSError as error:
        raise CompileError(f"the compiler does not start: {error.strerror}") from None
    if done.returncode != child.COMPILED or not done.stdout:
        raise CompileError(_reason(done))
    return done.stdout


def _program() -> list[str]:
    spec = find_spec("llvmlite")
    if spec is None or spec.origin is None:
        raise CompileError("llvmlite is not installed")
    if not sys.executable:
        raise CompileError("no Python program to compile with")
    folder = str(Path(spec.origin).parent.parent)
    return [sys.executable, "-I", "-S", child.__file__, folder]


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    if done.returncode == child.REFUSED:
        said = done.stderr.decode(errors="replace").strip()
        return f"LLVM does not take the code: {said.splitlines()[0] if said else 'no memory'}"
    return f"the compiler ended with status {done.returncode}, as it does without memory or time"
