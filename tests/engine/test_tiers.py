"""Tiers of machine code: equal results across the swap, and compilers in the background."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")
pytest.importorskip("resource", reason="no limits of a process there")

from rulesengine import Game, Job, load
from rulesengine.engine.kernel.backends.native import build, object_code, promotion, target
from rulesengine.engine.kernel.backends.native.compiler_process import FULL, LIGHT, QUICK
from rulesengine.engine.kernel.backends.native.engine import Native
from rulesengine.engine.kernel.backends.native.exit_codes import FAILED
from rulesengine.engine.kernel.backends.native.object_code import CompileError, CompileRefusedError
from rulesengine.engine.kernel.backends.native.promotion import Promotion, promote
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.errors import Stopped
from tests.engine.test_compile_budget import MemoryStore
from tests.helpers import compiling
from tests.helpers.processes import PATIENCE, Process, running

TEXT = "define i64 @f(i64 %a) {\n  ret i64 %a\n}\n"
SLEEP = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"]
KEY = bytes(32)


class Swaps:
    """Code of the first tier; `all` replaces it by code with all passes."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Native, str]] = []

    def hold(self, code: Native, text: str, *_: Any) -> None:
        self.waiting.append((code, text))

    def all(self) -> int:
        """Replace all code, and return the number of modules."""
        for code, text in self.waiting:
            code.replace(object_code.compile_cached(text, target.host(), FULL, None))
        return len(self.waiting)


@pytest.fixture
def swaps(monkeypatch: pytest.MonkeyPatch) -> Swaps:
    """Hold back the later tiers of all code that is compiled."""

    def first(text: str, host: target.Target, *_: Any) -> tuple[bytes, bool]:
        return object_code.compile_cached(text, host, QUICK, None), False

    compiling.join_compilations()  # their later tiers would count
    found = Swaps()
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    monkeypatch.setattr(build, "compile_first", first)
    monkeypatch.setattr(build, "promote", found.hold)
    return found


def test_counts_and_playouts_are_equal_across_the_swap(swaps: Swaps) -> None:
    game, other = load("othello", engine="native"), load("othello", engine="python")
    assert game.perft(6) == 8200
    before = game.playouts(64, seed=3)
    assert swaps.all() == 2
    assert game.perft(6) == 8200
    assert game.playouts(64, seed=3) == before == other.playouts(64, seed=3)


@pytest.mark.parametrize("name", ["othello", pytest.param("hex", marks=pytest.mark.deep)])
def test_searches_are_equal_across_the_swap(name: str, swaps: Swaps) -> None:
    game, other = load(name, engine="native"), load(name, engine="python")
    wanted = searched(other)
    assert searched(game) == wanted
    assert swaps.all() >= 1
    assert searched(game) == wanted


def searched(game: Game) -> tuple[object, ...]:
    found = game.search(game.initial_state(), nodes=3000)
    return found.nodes, found.depth, found.value, list(map(str, found.line))


@pytest.mark.parametrize(
    "name",
    ["othello", *(pytest.param(n, marks=pytest.mark.deep) for n in ("go", "english-draughts"))],
)
def test_a_session_goes_on_across_the_swap(name: str, swaps: Swaps) -> None:
    game, other = load(name, engine="native"), load(name, engine="interpreter")
    state, plain = game.initial_state(), other.initial_state()
    for ply in range(40):
        if ply == 20:
            assert swaps.all() == 1
        assert (game.outcome(state) is None) == (other.outcome(plain) is None)
        if other.outcome(plain) is not None:
            break
        moves, wanted = list(map(str, game.legal_moves(state))), other.legal_moves(plain)
        assert moves == list(map(str, wanted))
        number = (7 * ply) % len(moves)
        state = game.apply(state, game.legal_moves(state)[number])
        plain = other.apply(plain, wanted[number])
        assert str(state) == str(plain)
    assert ply > 20


def test_a_batch_goes_on_across_the_swap(swaps: Swaps) -> None:
    pytest.importorskip("numpy", reason="batches need the extra `arrays`")

    def plays(engine: str, between: Callable[[], object]) -> list[str]:
        batch = load("connect-four", engine=engine).batch(8, seed=5)
        for turn in range(10):
            if turn == 5:
                between()
            batch.step(batch.sample())
        return [str(batch.state(i)) for i in range(8)]

    assert plays("native", swaps.all) == plays("interpreter", int)
    assert swaps.waiting


@pytest.mark.parametrize("is_swapped", [False, True], ids=["in the first tier", "at the swap"])
def test_work_is_interrupted_and_can_be_repeated(is_swapped: bool, swaps: Swaps) -> None:
    game, job = load("othello", engine="native"), Job()
    before = game.playouts(64, seed=3)

    def interrupt() -> None:
        while not job.done:
            time.sleep(0.01)
        if is_swapped:
            swaps.all()
        job.stop()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(Stopped):
        game.playouts(10**12, seed=3, job=job)
    thread.join()
    assert game.playouts(64, seed=3) == before
    assert swaps.all() == 1
    assert game.playouts(64, seed=3) == before


def test_code_that_cannot_be_replaced_stays_in_use(
    swaps: Swaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("othello", engine="native")
    assert game.perft(6) == 8200

    def fail(*_: object) -> None:
        raise CompileError("there is no memory for native code")

    monkeypatch.setattr("rulesengine.engine.kernel.backends.native.engine.LoadedCode", fail)
    with pytest.raises(CompileError, match="no memory"):
        swaps.all()
    assert game.perft(6) == 8200


def test_a_long_count_is_divided_until_the_last_tier_is_there(
    swaps: Swaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("othello", engine="native")
    depths = list[int]()
    part = part_of(game, "perft")
    call = part.call

    def counted(name: str, args: Any) -> Any:
        depths.append(args[-5])
        return call(name, args)

    # However fast the machine is, the count is long enough for a thread.
    monkeypatch.setattr("rulesengine.engine.kernel.parallel_runs._SHORT", 0.0)
    monkeypatch.setattr("rulesengine.engine.kernel.parallel_runs._THREAD", 0.0)
    monkeypatch.setattr(part, "call", counted)
    monkeypatch.setattr(Native, "is_final", property(lambda _: False))
    assert game.perft(7) == 55092
    assert depths.count(7) == 0
    assert depths.count(6) >= 4  # one for each first move
    monkeypatch.setattr(Native, "is_final", property(lambda _: True))
    assert game.perft(7) == 55092
    assert depths.count(7) == 1


# compilers in the background


class Code:
    """Code that records its replacements."""

    def __init__(self) -> None:
        self.found: list[bytes] = []

    def replace(self, data: bytes) -> None:
        self.found.append(data)


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile in processes, however busy the machine is."""
    monkeypatch.setattr(object_code, "_ended", compiling.apart)
    monkeypatch.setattr(
        object_code, "compile_in_child", partial(object_code.compile_in_child, patience=PATIENCE)
    )


def started(code: Code, store: MemoryStore, **more: Any) -> Promotion:
    found = promote(code, TEXT, target.host(), store, KEY, **more)
    assert found is not None
    return found


def kept(store: MemoryStore) -> dict[str, bytes]:
    return {kind: data for (kind, _), data in store.entries.items()}


@pytest.mark.usefixtures("apart")
def test_the_first_tier_is_cached_until_the_last_one_replaces_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(promotion, "_SMALL", 0)
    store, host = MemoryStore(), target.host()
    first, is_final = promotion.compile_first(TEXT, host, store, KEY)
    assert not is_final
    assert object_code.interim_object(store, KEY) == (first, TEXT)
    code = Code()
    assert started(code, store).is_over(PATIENCE)
    assert code.found == [object_code.cached_object(store, KEY)]
    assert object_code.interim_object(store, KEY) is None
    assert promotion.compile_first(TEXT, host, store, KEY) == (code.found[0], True)


def test_a_small_text_is_compiled_with_all_passes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = list[int]()

    def compiled(_text: str, _host: object, level: int, *_: object, **__: object) -> bytes:
        levels.append(level)
        return b"code"

    monkeypatch.setattr(promotion, "compile_level", compiled)
    assert promotion.compile_first(TEXT, target.host(), MemoryStore(), KEY) == (b"code", True)
    assert levels == [FULL]


def fail_from(level: int, error: CompileError) -> Callable[..., bytes]:
    """Return a compiler whose levels fail from one on."""

    def compiled(_text: str, _host: object, wanted: int, *_: object, **__: object) -> bytes:
        if wanted >= level:
            raise error
        return b"level %d" % wanted

    return compiled


@pytest.mark.parametrize(("level", "best"), [(FULL, LIGHT), (LIGHT, QUICK)])
def test_a_level_that_exceeds_its_limit_is_replaced_by_a_lower_one(
    level: int, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = CompileRefusedError("compiling takes more than 30 seconds of processor time")
    monkeypatch.setattr(promotion, "compile_level", fail_from(level, error))
    store, host, wanted = MemoryStore(), target.host(), b"level %d" % best
    assert promotion.compile_first(TEXT, host, store, KEY) == (b"level 0", False)
    code = Code()
    assert started(code, store).is_over(PATIENCE)
    assert code.found == [wanted] * (best > QUICK)
    assert promotion.compile_first(TEXT, host, store, KEY) == (wanted, True)


@pytest.mark.usefixtures("apart")
def test_a_compilation_without_tiers_tries_lower_levels_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = CompileRefusedError("compiling takes more than 30 seconds of processor time")
    real, store, host = object_code.compile_level, MemoryStore(), target.host()

    def limited(text: str, host: target.Target, level: int, *more: Any, **others: Any) -> bytes:
        if level:
            raise error
        return real(text, host, level, *more, **others)

    monkeypatch.setattr(object_code, "compile_level", limited)
    plain = object_code.compile_cached(TEXT, host, QUICK, None)
    assert object_code.compile_cached(TEXT, host, FULL, store) == plain
    assert object_code.cached_object(store, object_code.object_key(TEXT, host, FULL)) == plain


def test_a_failure_that_may_pass_is_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    error = CompileError("the compiler does not start: no memory")
    monkeypatch.setattr(promotion, "compile_level", fail_from(LIGHT, error))
    monkeypatch.setattr(promotion, "_SMALL", 0)
    store, code = MemoryStore(), Code()
    promotion.compile_first(TEXT, target.host(), store, KEY)
    assert started(code, store).is_over(PATIENCE)
    assert not code.found
    assert set(kept(store)) == {"interim"}


def test_code_that_another_process_has_compiled_meanwhile_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(promotion, "compile_level", fail_from(QUICK, CompileError("not needed")))
    store, code = MemoryStore(), Code()
    object_code.keep_object(store, KEY, b"theirs")
    assert started(code, store).is_over(PATIENCE)
    assert code.found == [b"theirs"]


def test_a_compiler_ends_with_the_code_that_it_works_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_code, "_ended", compiling.apart)
    monkeypatch.setattr(object_code, "_program", lambda: SLEEP)
    code = Code()
    thread = started(code, MemoryStore())
    process = process_of(thread)
    del code
    gc.collect()
    assert thread.is_over(PATIENCE)
    assert process.poll() is not None


def test_compilations_wait_for_one_another_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promotion, "_THREADS", threading.BoundedSemaphore(1))
    running, most = list[int](), list[int]()

    def compiled(*_: object, **__: object) -> bytes:
        running.append(1)
        most.append(len(running))
        time.sleep(0.01)
        running.pop()
        return b"code"

    monkeypatch.setattr(promotion, "compile_level", compiled)
    codes = [Code() for _ in range(8)]
    before = threading.active_count()
    begun = [started(code, MemoryStore()) for code in codes]
    assert threading.active_count() <= before + 1
    assert all(one.is_over(PATIENCE) for one in begun)
    assert [code.found for code in codes] == [[b"code"]] * 8
    assert set(most) == {1}


def process_of(thread: Promotion) -> "subprocess.Popen[bytes]":
    """Wait for the compiler of a thread."""
    end = time.monotonic() + PATIENCE
    while thread._process is None and time.monotonic() < end:
        time.sleep(0.01)
    assert thread._process is not None
    return thread._process


def test_a_compiler_ends_with_the_process_that_started_it() -> None:
    code = (
        "from tests.engine import test_tiers as t;"
        "t.object_code._program = lambda: t.SLEEP;"
        "code = t.Code(); print(t.process_of(t.started(code, t.MemoryStore())).pid)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    pid, end = int(done.stdout), time.monotonic() + PATIENCE
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.02)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.usefixtures("apart")
def test_ctrl_c_does_not_end_a_compiler_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    # The signal comes while the compiler reads its text, which is sent a second later.
    send = object_code._write

    def late(process: "subprocess.Popen[bytes]", text: bytes) -> None:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        send(process, text)

    monkeypatch.setattr(object_code, "_write", late)
    code = Code()
    assert started(code, MemoryStore()).is_over(PATIENCE)
    assert len(code.found) == 1


def test_a_short_run_starts_no_compiler_for_a_cached_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promotion, "compile_level", fail_from(QUICK, CompileError("too early")))
    code = Code()
    thread = started(code, MemoryStore(), delay=600.0)
    assert not thread.is_over(0.05)
    thread.stop()
    assert thread.is_over(PATIENCE)


@pytest.mark.usefixtures("apart")
def test_a_cached_first_tier_is_loaded_and_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(promotion, "_SMALL", 0)
    monkeypatch.setattr(build, "compile_first", compiling.in_tiers)
    monkeypatch.setattr(build, "promote", lambda *_: None)
    monkeypatch.setattr("rulesengine.engine.kernel.backends.native.engine._DELAY", 0.0)
    assert load("othello", engine="native").perft(6) == 8200
    game = load("othello", engine="native")
    part = part_of(game, "perft")
    assert part.promotion is not None
    assert game.perft(6) == 8200
    assert part.wait_until_final(PATIENCE)
    assert game.perft(6) == 8200
    final = load("othello", engine="native")
    assert part_of(final, "perft").promotion is None
    assert final.perft(6) == 8200


def part_of(game: Game, name: str) -> Native:
    """Return a compiled part of a game."""
    kernels: Kernels = game._dispatcher.selector.parts.kernels("native")
    found = kernels.part(name)
    assert isinstance(found, Native)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quoridor", "minishogi"])
def test_large_rules_have_native_code_in_the_first_tier(name: str, swaps: Swaps) -> None:
    path = Path(__file__).parents[1] / "benchmarks" / "compile" / f"{name}.yaml"
    game, other = load(path, engine="native"), load(path, engine="interpreter")
    state, plain = game.initial_state(), other.initial_state()
    for ply in range(12):
        moves, wanted = game.legal_moves(state), other.legal_moves(plain)
        assert list(map(str, moves)) == list(map(str, wanted))
        number = (7 * ply + 3) % len(wanted)
        state, plain = game.apply(state, moves[number]), other.apply(plain, wanted[number])
        assert str(state) == str(plain)
    assert swaps.waiting
    assert not game.engine_problems


def in_process(code: str, folder: Path) -> AbstractContextManager[Process]:
    """Start Python with this code and a cache in a folder."""
    return running(sys.executable, "-c", code, env={"RULESENGINE_CACHE": str(folder)})


def output_of(process: Process) -> str:
    """Return the output of a process at its end."""
    return process.communicate(timeout=PATIENCE)[0].decode()


SEARCHING = """\
from rulesengine import load
game = load("othello", engine="native")
search = game.search(game.initial_state(), nodes=2000)
print(game.perft(6), search.nodes, search.move, game.playouts(50, seed=3).checksum)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cannot bind a process to a core")
def test_a_process_with_one_core_gets_the_same_results_in_all_tiers(tmp_path: Path) -> None:
    bound = "import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    bound += "os.cpu_count = lambda: 1\n"
    tmp_path.chmod(0o700)
    with in_process(bound + SEARCHING, tmp_path) as first:
        one = output_of(first)
    with in_process(SEARCHING, tmp_path) as second:
        assert output_of(second) == one
    assert one.startswith("8200 ")


COUNTING = """\
from rulesengine.engine.kernel.backends.native import build
from rulesengine import load
made = []
def emitted(*args, emit=build.emit, **named):
    made.append(1)
    return emit(*args, **named)
build.emit = emitted
print(load("othello", engine="native").perft(5), len(made))
"""


@pytest.mark.slow
def test_two_processes_share_one_compilation(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with in_process(COUNTING, tmp_path) as one, in_process(COUNTING, tmp_path) as other:
        outputs = [output_of(process).split() for process in (one, other)]
    assert [count for count, _ in outputs] == ["1396"] * 2
    assert sorted(made for _, made in outputs) == ["0", "1"]


def test_code_of_the_last_tier_that_fails_leaves_the_work_to_the_interpreter(swaps: Swaps) -> None:
    game = load("othello", engine="native")
    assert game.perft(3) == 56
    assert game.playouts(5, seed=1).games == 5
    swaps.all()
    for code, _ in swaps.waiting:
        for entry in code._entries.values():
            entry.function = lambda *_: FAILED
    assert game.perft(4) == 244
    assert game.playouts(5, seed=1) == load("othello", engine="interpreter").playouts(5, seed=1)
