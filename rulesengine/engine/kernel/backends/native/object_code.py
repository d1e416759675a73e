"""Object code of LLVM assembly: from a cache, or compiled by a child process within limits."""

import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Timer

from rulesengine.engine.kernel.backends.native import compiler_process
from rulesengine.engine.kernel.backends.native.compiler_process import QUICK
from rulesengine.engine.kernel.backends.native.target import Target, versions
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.errors import RulesError
from rulesengine.support.blocking import in_threads
from rulesengine.support.cache import digest
from rulesengine.support.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS

Watch = Callable[["subprocess.Popen[bytes]"], None]

_KIND = "object"
_INTERIM = "interim"
_NICENESS = 10  # of a compiler in the background
_REFUSAL = "refusal"
_SUM = 32
_PATIENCE = 20.0  # a child that uses so little of its time is on an overloaded machine
_OUT_OF_TIME = getattr(signal, "SIGXCPU", 24)
# Signals by which LLVM dies when memory or stack is exhausted; other signals come from outside.
_CRASHES = frozenset({signal.SIGABRT, signal.SIGSEGV})


class CompileError(RulesError):
    """Native code cannot be compiled at the moment: no llvmlite, no process, no memory."""


class CompileRefusedError(CompileError):
    """A failure that would repeat: LLVM rejects the code, or the limits do not suffice."""


def compile_cached(
    text: str,
    target: Target,
    level: int,
    store: Store | None,
    *,
    seconds: int = MAX_COMPILE_SECONDS,
    memory: int = MAX_COMPILE_BYTES,
) -> bytes:
    """Return the object code of a text for a processor, cached in `store` if there is one.

    If the limits do not suffice, lower levels are tried. Refusals are cached too, for equal limits.
    No child process gets more than the hard limits of this one. A cached entry is valid only with
    its own checksum: damaged code must never be loaded. Raises CompileError.
    """
    key = object_key(text, target, level)
    data = cached_object(store, key)
    if data is None:
        data = _compile_best(text, target, level, store, seconds, memory)
        keep_object(store, key, data)
    return data


def _compile_best(
    text: str, target: Target, level: int, store: Store | None, seconds: int, memory: int
) -> bytes:
    """Compile at a level, or at the highest lower one for which the limits suffice."""
    for lower in range(level, QUICK, -1):
        with suppress(CompileRefusedError):
            return compile_level(text, target, lower, store, seconds=seconds, memory=memory)
    return compile_level(text, target, QUICK, store, seconds=seconds, memory=memory)


def compile_level(
    text: str,
    target: Target,
    level: int,
    store: Store | None,
    *,
    seconds: int = MAX_COMPILE_SECONDS,
    memory: int = MAX_COMPILE_BYTES,
    watch: Watch | None = None,
) -> bytes:
    """Compile at one level; cache a refusal, but not the object code.

    With `watch`, which receives the process, it runs in the background: with low priority. Raises
    CompileError.
    """
    key = object_key(text, target, level)
    seconds, memory = _granted(seconds, memory)
    budget = digest(key, str(seconds).encode(), str(memory).encode())
    reason = _recall(store, _REFUSAL, budget)
    if reason is not None:
        raise CompileRefusedError(reason.decode())
    compiled = partial(compile_in_child, text, target, level, seconds=seconds, memory=memory)
    try:
        return compiled(watch=watch) if watch else compiled()
    except CompileRefusedError as error:
        _keep(store, _REFUSAL, budget, str(error).encode())
        raise


def object_key(text: str, target: Target, level: int) -> bytes:
    """Return the cache key of the object code of a text."""
    return digest(*map(str.encode, (text, *versions(), target.cpu, target.flags, str(level))))


def cached_object(store: Store | None, key: bytes) -> bytes | None:
    """Return the cached object code of a key; None if there is none or if it is damaged."""
    return _recall(store, _KIND, key)


def keep_object(store: Store | None, key: bytes, data: bytes) -> None:
    """Cache the final object code of a key."""
    _keep(store, _KIND, key, data)


def keep_interim(store: Store | None, key: bytes, data: bytes, text: str) -> None:
    """Cache object code of a lower tier under the key of the best one, with its text."""
    packed = zlib.compress(text.encode(), 1)
    _keep(store, _INTERIM, key, len(data).to_bytes(8, "little") + data + packed)


def drop_interim(store: Store | None, key: bytes) -> None:
    """Replace the lower tier of a key by an empty entry, once the best one is cached."""
    if store:
        store.put(_INTERIM, key, b"")


def interim_object(store: Store | None, key: bytes) -> tuple[bytes, str] | None:
    """Return the cached object code of a lower tier and its text; None if there is none."""
    data = _recall(store, _INTERIM, key)
    if data is None:
        return None
    end = 8 + int.from_bytes(data[:8], "little")
    return data[8:end], zlib.decompress(data[end:]).decode()


def _granted(seconds: int, memory: int) -> tuple[int, int]:
    """Return the wanted processor time and memory, cut to the hard limits of this process."""
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
    """Return a cached entry; None if there is none or if it is damaged."""
    data = store.get(kind, key) if store else None
    if data is None or digest(data[_SUM:]) != data[:_SUM]:
        return None
    return data[_SUM:]


def compile_in_child(
    text: str,
    target: Target,
    level: int = 2,
    *,
    seconds: int = MAX_COMPILE_SECONDS,
    memory: int = MAX_COMPILE_BYTES,
    patience: float = _PATIENCE,
    watch: Watch | None = None,
) -> bytes:
    """Compile in a child process, which is terminated at the limit of processor time or memory.

    Wall-clock time only ends a child that is idle: after `patience` times `seconds`. The child
    process costs 0.05 s, the compilation of a small kernel 0.07 to 0.2 s. Raises CompileError.
    """
    command = [*_program(), target.triple, target.cpu, target.flags, str(level)]
    command += [str(memory), str(seconds), str(_NICENESS if watch else 0)]
    longest = patience * seconds
    try:
        done = _ended(command, text.encode(), longest, watch)
    except subprocess.TimeoutExpired:
        raise CompileError(f"the compiler has not ended after {longest:g} seconds") from None
    except OSError as error:
        raise CompileError(f"the compiler does not start: {error.strerror}") from None
    if done.returncode != compiler_process.COMPILED or not done.stdout:
        raise _error(done, seconds)
    return done.stdout


def _ended(
    command: list[str], text: bytes, longest: float, watch: Watch | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a process on a text and return its output; any exception while waiting kills it."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            if watch:
                watch(process)
            exchange = partial(_exchanged, process, text, longest)
            ((code, errors),) = in_threads([exchange], process.kill)
        finally:
            process.kill()  # has no effect on a process that has ended
    return subprocess.CompletedProcess(command, process.returncode, code, errors)


def _exchanged(
    process: "subprocess.Popen[bytes]", text: bytes, longest: float
) -> tuple[bytes, bytes]:
    """Write a text to a process, and return its output and its errors.

    Raises TimeoutExpired after `longest` seconds.
    """
    is_late = Event()

    def give_up() -> None:
        is_late.set()
        process.kill()

    clock = Timer(longest, give_up)
    clock.daemon = True
    clock.start()
    try:
        with suppress(BrokenPipeError):  # it has ended early
            _write(process, text)
        code, errors = process.communicate()
    finally:
        clock.cancel()
    if is_late.is_set():
        raise subprocess.TimeoutExpired(process.args, longest)
    return code, errors


def _write(process: "subprocess.Popen[bytes]", text: bytes) -> None:
    """Write a text to a process, and close its input.

    One system call writes all of it. `communicate` writes a page at a time, and would wait for the
    interpreter lock after each page while another thread computes.
    """
    assert process.stdin is not None
    with process.stdin as pipe:
        process.stdin = None  # `communicate` must not use it again
        rest = memoryview(text)
        while rest:
            rest = rest[os.write(pipe.fileno(), rest) :]


def _program() -> list[str]:
    spec = find_spec("llvmlite")
    if spec is None or spec.origin is None:
        raise CompileError("llvmlite is not installed")
    if not sys.executable:
        raise CompileError("no Python program to compile with")
    folder = str(Path(spec.origin).parent.parent)
    return [sys.executable, "-I", "-S", compiler_process.__file__, folder]


def _error(done: subprocess.CompletedProcess[bytes], seconds: int) -> CompileError:
    """Return the reason why there is no object code; CompileRefusedError if it would repeat."""
    status = done.returncode
    if status == compiler_process.REFUSED:
        message = done.stderr.decode(errors="replace").strip()
        first = message.splitlines()[0] if message else "no memory"
        return CompileRefusedError(f"LLVM does not take the code: {first}")
    if status == -_OUT_OF_TIME:
        return CompileRefusedError(f"compiling takes more than {seconds} seconds of processor time")
    error = CompileRefusedError if -status in _CRASHES else CompileError
    return error(f"the compiler ended with status {status}, as it does without memory")
