"""The compile budget: processor time, and the record of attempts that exceeded it."""

import subprocess
import sys
import time
from functools import partial
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")
pytest.importorskip("resource", reason="no limits of a process there")

from rulesengine.engine.kernel.backends.native import compiler_process, object_code, target
from rulesengine.engine.kernel.backends.native.object_code import CompileError, CompileRefusedError
from rulesengine.support.limits import MAX_COMPILE_BYTES
from tests.helpers import compiling
from tests.helpers.processes import PATIENCE

SMALL = "define i64 @f(i64 %a) {\n  ret i64 %a\n}\n"
# A product of 16,384 bits is some 65,000 products of words: minutes for a text of three lines.
LONG = """define i16384 @f(i16384 %a, i16384 %b) {
  %c = mul i16384 %a, %b
  ret i16384 %c
}
"""
LATE = "import runpy, sys, time; time.sleep(1.5); del sys.argv[0];"
LATE += " runpy.run_path(sys.argv[0], run_name='__main__')"


class MemoryStore:
    """A store in memory."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, bytes], bytes] = {}

    def get(self, kind: str, key: bytes) -> bytes | None:
        return self.entries.get((kind, key))

    def put(self, kind: str, key: bytes, data: bytes) -> None:
        self.entries[kind, key] = data


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile in processes; a busy machine may take twenty seconds for one of processor time."""
    monkeypatch.setattr(object_code, "_ended", compiling.apart)
    monkeypatch.setattr(
        object_code, "compile_in_child", partial(object_code.compile_in_child, patience=PATIENCE)
    )


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Record the compiler processes that are started."""
    found: list[Any] = []
    start = subprocess.Popen

    def started(command: Any, **keywords: Any) -> Any:
        found.append(command)
        return start(command, **keywords)

    monkeypatch.setattr(subprocess, "Popen", started)
    return found


def compiled(text: str, store: MemoryStore, seconds: int = 30, level: int = 0) -> bytes:
    return object_code.compile_cached(text, target.host(), level, store, seconds=seconds)


@pytest.mark.slow
def test_compiling_ends_at_its_limit_of_processor_time() -> None:
    start = time.monotonic()
    with pytest.raises(CompileRefusedError, match="takes more than 1 seconds of processor time"):
        object_code.compile_in_child(LONG, target.host(), 0, seconds=1)
    assert time.monotonic() - start >= 0.9


@pytest.mark.slow
def test_time_in_which_the_compiler_cannot_work_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = object_code._program()[-1]
    late = [sys.executable, "-I", "-S", "-c", LATE, compiler_process.__file__, folder]
    monkeypatch.setattr(object_code, "_program", lambda: late)
    start = time.monotonic()
    assert object_code.compile_in_child(SMALL, target.host(), 0, seconds=1)
    assert time.monotonic() - start > 1.5


def test_a_compiler_that_does_nothing_is_ended_and_may_be_tried_again(
    monkeypatch: pytest.MonkeyPatch, starts: list[Any]
) -> None:
    sleeping = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"]
    with monkeypatch.context() as patch:
        patch.setattr(object_code, "_program", lambda: sleeping)
        with pytest.raises(CompileError, match=r"has not ended after 0\.2 seconds") as error:
            object_code.compile_in_child(SMALL, target.host(), 0, seconds=1, patience=0.2)
    assert not isinstance(error.value, CompileRefusedError)


@pytest.mark.slow
def test_compile_timeout_is_cached_with_its_reason(starts: list[Any]) -> None:
    store = MemoryStore()
    for _ in range(3):
        with pytest.raises(CompileError, match="more than 1 seconds of processor time"):
            compiled(LONG, store, seconds=1)
    assert len(starts) == 1


@pytest.mark.slow
def test_llvm_rejection_is_cached_with_its_reason(starts: list[Any]) -> None:
    store, messages = MemoryStore(), set()
    for _ in range(2):
        with pytest.raises(CompileError, match="LLVM does not take the code") as error:
            compiled("define nonsense", store)
        messages.add(str(error.value))
    assert (len(starts), len(messages)) == (1, 1)


@pytest.mark.slow
def test_another_version_or_limit_or_text_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, starts: list[Any]
) -> None:
    store = MemoryStore()

    def tries(count: int, text: str = "define nonsense", **keywords: int) -> None:
        with pytest.raises(CompileRefusedError):
            compiled(text, store, **keywords)
        assert len(starts) == count

    tries(1)
    tries(2, seconds=31)
    tries(3, level=1)
    tries(4, text="define more nonsense")
    tries(4)
    monkeypatch.setattr(object_code, "versions", lambda: ("another",))
    tries(5)


def test_a_smaller_limit_of_this_process_is_that_of_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    store, real, given = MemoryStore(), resource.getrlimit, list[dict[str, int]]()

    def compile_apart(*_: object, **budget: int) -> bytes:
        given.append(budget)
        if budget["memory"] < MAX_COMPILE_BYTES:
            raise CompileRefusedError("it does not suffice")
        return b"code"

    monkeypatch.setattr(object_code, "compile_in_child", compile_apart)
    with monkeypatch.context() as patch:
        limits = {resource.RLIMIT_AS: (-1, 10**8), resource.RLIMIT_CPU: (3, 7)}
        patch.setattr(resource, "getrlimit", lambda kind: limits.get(kind) or real(kind))
        for _ in range(2):
            with pytest.raises(CompileRefusedError):
                compiled(SMALL, store)
    assert given == [{"memory": 10**8, "seconds": 7}]
    assert compiled(SMALL, store) == b"code"


@pytest.mark.slow
def test_killed_compilation_is_retried(monkeypatch: pytest.MonkeyPatch, starts: list[Any]) -> None:
    ended = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    store, here = MemoryStore(), [sys.executable, "-I", "-S", "-c", ended]
    with monkeypatch.context() as patch:
        patch.setattr(object_code, "_program", lambda: here)
        with pytest.raises(CompileError, match="status -9"):
            compiled(SMALL, store)
    assert store.entries == {}
    assert compiled(SMALL, store)
    assert len(starts) == 2


@pytest.mark.slow
def test_a_damaged_reason_is_no_reason(starts: list[Any]) -> None:
    store = MemoryStore()
    with pytest.raises(CompileRefusedError):
        compiled("define nonsense", store)
    ((key, sound),) = store.entries.items()
    store.entries[key] = sound[:-1] + b"?"
    with pytest.raises(CompileRefusedError):
        compiled("define nonsense", store)
    assert len(starts) == 2
    assert store.entries[key] == sound
