"""Object code of LLVM's assembly: from a cache, or made by a program of its own with a budget."""

import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from rulesengine.engine.kernel.backends.native import compiler_process
from rulesengine.engine.kernel.backends.native.target import Target, versions
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.errors import RulesError
from rulesengine.support.blocking import in_threads
from rulesengine.support.cache import digest
from rulesengine.support.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS

_KIND = "object"
_REFUSAL = "refusal"
_SUM = 32
_PATIENCE = 20.0  # a machine with so much else to do is no longer of use
_OUT_OF_TIME = getattr(signal, "SIGXCPU", 24)
# How LLVM ends where memory or its stack is used up; other signals come from outside.
_CRASHES = frozenset({signal.SIGABRT, signal.SIGSEGV})


class CompileError(RulesError):
    """Native code cannot be made here and now: no llvmlite, no process."""


class RefusedError(CompileError):
    """Another try would end alike: LLVM does not take the code, or the budget does not suffice."""


def object_for(
    text: str,
    target: Target,
    level: int,
    store: Store | None,
    *,
    seconds: int = MAX_COMPILE_SECONDS,
    memory: int = MAX_COMPILE_BYTES,
) -> bytes:
    """The object code of a text for a processor, kept in a store if there is one.

    What was refused is kept too, for as long as the budget is the same: no process gets more than
    the one that starts it may have. A stored entry counts only with its own checksum: damaged code
    must never be loaded. Raises CompileError.
    """
    key = object_key(text, target, level)
    found = recalled(store, key)
    if found is not None:
        return found
    seconds, memory = _granted(seconds, memory)
    budget = digest(key, str(seconds).encode(), str(memory).encode())
    reason = _recall(store, _REFUSAL, budget)
    if reason is not None:
        raise RefusedError(reason.decode())
    try:
        data = compile_apart(text, target, level, seconds=seconds, memory=memory)
    except RefusedError as error:
        _keep(store, _REFUSAL, budget, str(error).encode())
        raise
    _keep(store, _KIND, key, data)
    return data


def object_key(text: str, target: Target, level: int) -> bytes:
    """What the object code of a text is kept under."""
    return digest(*map(str.encode, (text, *versions(), target.cpu, target.flags, str(level))))


def recalled(store: Store | None, key: bytes) -> bytes | None:
    """The object code that is kept under a key; None if there is none, or if it is damaged."""
    return _recall(store, _KIND, key)


def _granted(seconds: int, memory: int) -> tuple[int, int]:
    """How much processor time and memory a process of ours gets of what is wanted."""
    try:
        import resource
    except ImportError:
        return seconds, memory
    pairs = ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory))
    most = ((resource.getrlimit(limit)[1], wanted) for limit, wanted in pairs)
    time, space = (w if m == resource.RLIM_INFINITY else min(w, m) for m, w in most)
    return time, space


def _keep(store: Store | None, kind: str, key: bytes, data: bytes) -> None:
    if store:
        store.put(kind, key, digest(data) + data)


def _recall(store: Store | None, kind: str, key: bytes) -> bytes | None:
    """What is kept; None if there is nothing, or if it is damaged."""
    data = store.get(kind, key) if store else None
    if data is None or digest(data[_SUM:]) != data[:_SUM]:
        return None
    return data[_SUM:]


def compile_apart(
    text: str,
    target: Target,
    level: int = 2,
    *,
    seconds: int = MAX_COMPILE_SECONDS,
    memory: int = MAX_COMPILE_BYTES,
    patience: float = _PATIENCE,
) -> bytes:
    """Object code made by another process, which ends at the limit of processor time or memory.

    Time that passes counts only against a process that does nothing: it is ended after
    `patience` times as many seconds. The process costs 0.05 s, a small kernel itself 0.07 to
    0.2 s. Raises CompileError.
    """
    command = [*_program(), target.triple, target.cpu, target.flags, str(level)]
    command += [str(memory), str(seconds)]
    longest = patience * seconds
    try:
        done = _ended(command, text.encode(), longest)
    except subprocess.TimeoutExpired:
        raise CompileError(f"the compiler has not ended after {longest:g} seconds") from None
    except OSError as error:
        raise CompileError(f"the compiler does not start: {error.strerror}") from None
    if done.returncode != compiler_process.COMPILED or not done.stdout:
        raise _error(done, seconds)
    return done.stdout


def _ended(command: list[str], text: bytes, longest: float) -> subprocess.CompletedProcess[bytes]:
    """What a process has made of a text; whatever ends the waiting ends the process."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            ((made, said),) = in_threads([lambda: process.communicate(text, longest)], process.kill)
        finally:
            process.kill()  # nothing happens to one that has ended
    return subprocess.CompletedProcess(command, process.returncode, made, said)


def _program() -> list[str]:
    spec = find_spec("llvmlite")
    if spec is None or spec.origin is None:
        raise CompileError("llvmlite is not installed")
    if not sys.executable:
        raise CompileError("no Python program to compile with")
    folder = str(Path(spec.origin).parent.parent)
    return [sys.executable, "-I", "-S", compiler_process.__file__, folder]


def _error(done: subprocess.CompletedProcess[bytes], seconds: int) -> CompileError:
    """Why there is no object code, and whether there would be some another time."""
    status = done.returncode
    if status == compiler_process.REFUSED:
        said = done.stderr.decode(errors="replace").strip()
        first = said.splitlines()[0] if said else "no memory"
        return RefusedError(f"LLVM does not take the code: {first}")
    if status == -_OUT_OF_TIME:
        return RefusedError(f"compiling takes more than {seconds} seconds of processor time")
    error = RefusedError if -status in _CRASHES else CompileError
    return error(f"the compiler ended with status {status}, as it does without memory")
