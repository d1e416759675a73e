"""Memory of native games: allocation, release, and shortage."""

import gc
import mmap
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulesengine import load
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.backends.protocol import CompiledModule
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module, Table
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.emit.move_list import LISTS
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.selection import Engine
from tests.helpers.many_games import memory_in_use
from tests.helpers.processes import PATIENCE, ROOT

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")

from rulesengine.engine.kernel.backends.native import build, object_code, target
from rulesengine.engine.kernel.backends.native import engine as run
from rulesengine.engine.kernel.backends.native.emit import emit, record_of
from rulesengine.engine.kernel.backends.native.memory import ContextRecord
from rulesengine.engine.kernel.backends.native.object_code import CompileError

pytestmark = pytest.mark.slow

MEGA = 1024**2
SPACE, RESIDENT = 4 * MEGA, 1000**3
THREADS = 128 * MEGA

needs_statm = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="this system does not tell what a process takes"
)


class MemoryStore:
    """A store in memory."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, bytes], bytes] = {}

    def get(self, kind: str, key: bytes) -> bytes | None:
        return self.entries.get((kind, key))

    def put(self, kind: str, key: bytes, data: bytes) -> None:
        self.entries[kind, key] = data


def ran(*words: str, env: dict[str, str] | None = None) -> str:
    """Return the output of a Python program, which must succeed."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=env,
        capture_output=True,
        timeout=20 * PATIENCE,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


# many games


@needs_statm
@pytest.mark.parametrize(
    ("games", "sizes"),
    [(12, 2), pytest.param(2000, 625, marks=pytest.mark.deep)],
    ids=["some games", "2,000 games"],
)
def test_many_games_are_kept_at_once(games: int, sizes: int) -> None:
    numbers = ran("-m", "tests.helpers.many_games", str(games), str(sizes)).split()
    space, _, _, resident = map(int, numbers)
    # The C library reserves address space for each thread of compilers, however many the games.
    assert space < SPACE + THREADS // games
    assert resident < RESIDENT


def test_a_context_with_all_that_there_is_takes_less_than_a_game_may() -> None:
    assert ContextRecord(tuple(range(LISTS)), Module(1).items, True).size < SPACE


@pytest.mark.parametrize(
    ("name", "part", "lists"),
    [
        ("amazons", "perft", (0, 1, 2, 3, 5)),
        ("clobber", "perft", ()),
        ("clobber", "playouts", ()),
    ],
)
def test_a_context_has_only_the_lists_that_are_used(
    name: str, part: str, lists: tuple[int, ...]
) -> None:
    record = record_of(emitted(load(name).machine, part))
    assert record.lists == lists
    assert record.size <= len(lists) * record.list_size + mmap.PAGESIZE


def test_lists_whose_numbers_are_apart_lie_side_by_side() -> None:
    b = Builder(9)
    b.module.items = 5
    with b.function("fill", ["i"], ["b", "b"], entry=True) as (count,):
        low, high = (b.result("list", "b", detail=number) for number in (2, 5))
        b.range(b.i(0), count, lambda i: b.effect("push", high, i))
        b.range(b.i(0), count, lambda i: b.effect("push", low, b.op("imul", i, i)))
        b.emit_return(low, high)
    record = record_of(b.module)
    assert record.lists == (2, 5)
    assert record.list_at(5) + record.list_size == record.size
    native = build.native(b.module)
    assert native.call("fill", [5]) == ([0, 1, 4, 9, 16], [0, 1, 2, 3, 4])
    assert native.call("fill", [6]) is None


class Narrow(NativeBackend):
    """Native code with next to no space on its lists."""

    def compile(self, module: Module, *others: Any, **more: Any) -> CompiledModule:
        module.items = 10  # five moves
        return super().compile(module, *others, **more)


def test_a_game_goes_on_where_a_list_is_full() -> None:
    machine, full = load("tic-tac-toe").machine, []
    kernels, state = Kernels(machine, Narrow()), machine.initial_state()
    part = kernels.part("singles")
    for _ in range(6):
        legal = machine.legal(state)
        full.append(part.call("legal", kernels.words(state, part)) is None)
        assert kernels.legal(state) == legal
        state = machine.apply(state, legal[0])
    assert full == [True, True, True, True, False, False]


# object code


def table_module(items: int = 2048) -> Module:
    """Build a module of little code and a table of several pages."""
    b = Builder(9)
    with b.function("look", ["i"], ["i"], entry=True) as (x,):
        b.emit_return(b.op("ilook", x, detail=Table("i", tuple(k * k for k in range(items)))))
    return b.module


@pytest.fixture(scope="module")
def object_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a file with object code of several sections."""
    file, host = tmp_path_factory.mktemp("objects") / "object", target.host()
    file.write_bytes(object_code.compile_in_child(emit(table_module(), host), host))
    return str(file)


maps_pages = pytest.mark.skipif(
    not hasattr(mmap, "PROT_READ"), reason="maps no pages as POSIX does"
)


@maps_pages
def test_the_sections_of_an_object_lie_together_where_memory_is_scattered(object_file: str) -> None:
    assert ran("-m", "tests.helpers.scattered", "apart", object_file).startswith("31 objects")


@maps_pages
def test_an_object_that_would_be_one_mapping_too_many_is_an_error(object_file: str) -> None:
    output = ran("-m", "tests.helpers.scattered", "crowded", object_file).strip()
    assert output in ("there is no memory for native code", "no limit")


def test_an_object_without_data_may_call_functions_outside() -> None:
    b, store = Builder(9), MemoryStore()
    with b.function("pick", ["i"], ["i"], entry=True) as (x,):
        slots = b.slots(b.i(0), 200)
        b.store(slots, b.i(7), x)
        b.emit_return(b.fetch(slots, x))
    native = build.native(b.module, store=store)
    assert any(b"memset" in data for data in store.entries.values())
    assert [native.call("pick", [x]) for x in (7, 8)] == [(7,), (0,)]


# contexts


def listing(items: int) -> Module:
    """Build a module with a context of 8 bytes for each of so many items."""
    b = Builder(9)
    b.module.items = items
    with b.function("double", ["i"], ["b"], entry=True) as (x,):
        numbers = b.result("list", "b", detail=0)
        b.effect("push", numbers, b.op("iadd", x, x))
        b.emit_return(numbers)
    return b.module


@needs_statm
def test_a_thread_gives_its_context_back_when_it_ends() -> None:
    native, found = build.native(listing(2 * MEGA)), list[object]()
    space, _ = memory_in_use()
    for number in range(40):
        thread = threading.Thread(target=lambda n=number: found.append(native.call("double", [n])))
        thread.start()
        thread.join()
    assert found == [([2 * number],) for number in range(40)]
    assert memory_in_use()[0] - space < 40 * 16 * MEGA / 2


@needs_statm
def test_unreferenced_game_releases_its_memory() -> None:
    def space_after(games: int) -> int:
        for _ in range(games):
            game = load("tic-tac-toe", engine="native")
            assert len(game.legal_moves(game.initial_state())) == 9
        del game
        gc.collect()
        return memory_in_use()[0]

    before = space_after(3)
    record = record_of(emitted(load("tic-tac-toe").machine, "singles"))
    assert space_after(40) - before < 20 * record.size


# out of memory


@contextmanager
def little_space(more: int) -> Iterator[None]:
    """Limit the address space of this process to so many bytes above its present size."""
    resource = pytest.importorskip("resource", reason="no limits of a process there")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (memory_in_use()[0] + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@needs_statm
def test_code_without_memory_is_an_error_and_no_crash() -> None:
    store = MemoryStore()
    build.native(table_module(), store=store)
    with little_space(2 * MEGA), pytest.raises(CompileError, match="no memory for native code"):
        build.native(table_module(), store=store)
    assert build.native(table_module(), store=store).call("look", [5]) == (25,)


@needs_statm
def test_a_call_without_a_context_fails_and_the_next_one_may_not() -> None:
    native = build.native(listing(8 * MEGA))
    with little_space(32 * MEGA):
        assert native.call("double", [1]) is None
        with pytest.raises(CompileError, match="no memory for native code"):
            native.mark  # noqa: B018
    assert native.call("double", [1]) == ([2],)


@needs_statm
@pytest.mark.parametrize("engine", ["native", "auto"])
def test_a_game_without_memory_for_native_code_is_played_by_a_slower_engine(engine: Engine) -> None:
    game, other = load("tic-tac-toe", engine=engine), load("tic-tac-toe", engine="python")
    assert other.perft(5) == 15120  # that engine's dependencies are loaded
    game.expect({"perft": 1e9})  # enough work for native code
    with little_space(6 * MEGA):
        assert game.perft(5) == 15120
    assert "memory" in str(game.engine_problems)


@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        ((target, "host"), OSError("no such library"), "cannot be loaded"),
        ((build, "compile_cached"), MemoryError(), "not enough memory"),
        ((run, "zeros"), CompileError("no room for a context"), "no room"),
    ],
    ids=["llvmlite", "emission", "context"],
)
def test_failed_allocation_falls_back_to_a_slower_engine(
    place: tuple[ModuleType, str], error: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    module, name = place
    monkeypatch.setattr(module, name, fail)
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    game = load("tic-tac-toe", engine="native")
    assert len(game.legal_moves(game.initial_state())) == 9
    assert message in str(game.engine_problems)


# a full disk


@needs_statm
def test_on_a_full_disk_a_game_is_compiled_and_nothing_left_behind(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="no limits of a process there")
    code = (
        "import resource; from tests.helpers.many_games import called_game; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)); "
        "print(called_game(2, 2).engine_problems)"
    )
    env = {**os.environ, "RULESENGINE_CACHE": str(tmp_path / "cache")}
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # modules would be truncated
    assert ran("-c", code, env=env) == "{}\n"
    kept = {path.name.partition("-")[0] for path in (tmp_path / "cache").iterdir()}
    small = {name for name in kept if not name.startswith("lock.")}
    assert small == {"compiling", "kernel", "key", "parents"}
