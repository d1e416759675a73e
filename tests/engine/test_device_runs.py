"""Playouts and perft on a GPU, with a driver that runs the lanes on the CPU."""

import ctypes
import os
import signal
import threading
import time
from typing import Any

import pytest

import rulesengine
from rulesengine import Job, Stopped, UsageError
from rulesengine.engine.kernel.backends.cuda.device import STACK, THREADS, Device, device_number
from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceMemoryError,
    LostContextError,
    RefusedCodeError,
)
from tests.helpers.fake_gpu import (
    FakeDriver,
    fake_gpu_for,
    fake_gpu_to_count,
    no_lane,
    wait_for_the_assembler,
)

pytest.importorskip("llvmlite", reason="llvmlite is not installed")


def load(driver: FakeDriver, store: "MemoryStore") -> Any:
    """Load code with a device of its own."""
    device = Device(driver, 0, store)
    with device.current():
        return device.module(b"ptx", Job())


class MemoryStore:
    """A cache in memory."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, bytes], bytes] = {}

    def get(self, kind: str, key: bytes) -> bytes | None:
        return self.entries.get((kind, key))

    def put(self, kind: str, key: bytes, data: bytes) -> None:
        self.entries[kind, key] = data


def test_playouts_on_a_gpu_equal_those_on_the_cpu() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for(game)
    for games in (0, 1, 300, 5000):
        assert game.playouts(games, seed=7, device="cuda") == game.playouts(games, seed=7)
    assert [call[1:] for call in driver.named("launch")] == [
        (1, THREADS),
        (2, THREADS),
        (2, THREADS),
    ]
    assert not driver.memory  # all of it was released


@pytest.mark.slow
def test_large_boards_and_recursion_run_with_more_stack() -> None:
    game = rulesengine.load("english-draughts")
    driver = fake_gpu_for(game)
    assert game.playouts(40, seed=3, device="cuda") == game.playouts(40, seed=3)
    assert driver.named("raise_stack") == [("raise_stack", STACK)]
    flat = rulesengine.load("nogo")
    driver = fake_gpu_for(flat)
    assert flat.playouts(40, seed=3, device="cuda") == flat.playouts(40, seed=3)
    assert driver.named("raise_stack") == []


def test_playouts_start_from_any_state() -> None:
    game = rulesengine.load("connect-four")
    fake_gpu_for(game)
    state = game.apply(game.initial_state(), game.legal_moves(game.initial_state())[0])
    found = game.playouts(50, seed=1, state=state, device="cuda")
    assert found == game.playouts(50, seed=1, state=state)


@pytest.mark.parametrize("device", ["cuda", "auto"])
def test_the_cpu_plays_from_a_state_that_is_over(device: str) -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = FakeDriver(no_lane)
    game._dispatcher.open_driver = driver.open
    state = game.initial_state()
    for cell in ("a1", "b1", "a2", "b2", "a3"):
        state = game.apply(state, next(m for m in game.legal_moves(state) if str(m) == cell))
    found = game.playouts(7, seed=1, state=state, device=device)
    assert found == game.playouts(7, seed=1, state=state)
    assert sorted(found.wins.values()) == [0, 7]
    assert driver.named("launch") == []


@pytest.mark.slow
def test_the_cpu_repeats_chunks_that_fail() -> None:
    game = rulesengine.load("cram")
    fake_gpu_for(game, items=1)  # no list of moves has room
    assert game.playouts(6, seed=2, device="cuda") == game.playouts(6, seed=2)


@pytest.mark.slow
def test_too_little_memory_means_fewer_lanes_or_an_error() -> None:
    game = rulesengine.load("cram")
    driver = fake_gpu_for(game, free=12 << 20)
    assert game.playouts(300, seed=2, device="cuda") == game.playouts(300, seed=2)
    ((_, blocks, threads),) = driver.named("launch")
    assert (blocks, threads) == (1, THREADS)
    fake_gpu_for(game := rulesengine.load("cram"), free=1 << 20)
    with pytest.raises(DeviceError, match="too little free memory"):
        game.playouts(300, device="cuda")


@pytest.mark.parametrize(
    ("options", "device", "message"),
    [
        ({"gpus": 0}, "cuda", "no device `cuda:0`: the number of visible GPUs is 0"),
        ({}, "cuda:1", "no device `cuda:1`: the number of visible GPUs is 1"),
        ({"capability": (6, 1)}, "cuda", "the compute capability of fake 0 is 6.1, below 7.0"),
        ({"version": 8000}, "cuda", "the GPU's driver is older than CUDA 9.0"),
        ({}, "gpu", "no device `gpu`: use cpu, auto, cuda or cuda:NUMBER"),
        ({}, "cuda:x", "no device `cuda:x`"),
    ],
)
def test_a_device_that_cannot_be_used_is_an_error(
    options: dict[str, Any], device: str, message: str
) -> None:
    game = rulesengine.load("connect-four")
    driver = FakeDriver(no_lane, **options)
    game._dispatcher.open_driver = driver.open
    with pytest.raises(UsageError, match=message):
        game.playouts(10, device=device)


def test_without_a_gpu_auto_uses_the_cpu_and_records_the_reason() -> None:
    game = rulesengine.load("connect-four")
    game._dispatcher.open_driver = FakeDriver(no_lane, gpus=0).open
    assert game.playouts(10, seed=4, device="auto") == game.playouts(10, seed=4)
    reason = "no device `cuda:0`: the number of visible GPUs is 0"
    assert game.engine_problems == {("cuda", "lanes"): reason}


@pytest.mark.slow
def test_rules_that_look_back_start_at_a_first_position() -> None:
    game = rulesengine.load("three-mens-morris")
    fake_gpu_for(game)
    assert game.playouts(20, seed=1, device="cuda") == game.playouts(20, seed=1)
    state = game.initial_state()
    later = game.apply(state, game.legal_moves(state)[0])
    with pytest.raises(DeviceError, match="look back"):
        game.playouts(20, state=later, device="cuda")


def test_a_stopped_job_ends_the_lanes() -> None:
    game, job = rulesengine.load("connect-four"), Job()
    driver = fake_gpu_for(game)
    lane = driver.lane

    def stopping(words: "ctypes.Array[ctypes.c_uint64]", number: int) -> None:
        if number == 1:
            job.stop()
        lane(words, number)

    driver.lane = stopping
    with pytest.raises(Stopped):
        game.playouts(4000, device="cuda", job=job)
    assert not driver.memory


def test_a_job_counts_the_games() -> None:
    game, job = rulesengine.load("connect-four"), Job()
    fake_gpu_for(game)
    game.playouts(500, device="cuda", job=job)
    assert job.done == 500


def test_an_interrupt_abandons_the_assembler() -> None:
    game = rulesengine.load("connect-four")
    # of a version of its own, so that its code is not cached
    driver, may_end = fake_gpu_for(game, version=13010), threading.Event()

    def assemble(ptx: bytes) -> bytes:
        os.kill(os.getpid(), signal.SIGINT)
        may_end.wait(30)
        return ptx

    driver.assemble = assemble  # type: ignore[method-assign]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            game.playouts(10, device="cuda")
    finally:
        signal.signal(signal.SIGINT, before)
        may_end.set()
    assert driver.named("launch") == []


def test_machine_code_is_cached_by_compute_capability() -> None:
    store = MemoryStore()
    for capability, expected in (((9, 0), 1), ((9, 0), 0), ((8, 6), 1)):
        driver = FakeDriver(no_lane, capability=capability)
        load(driver, store)
        assert len(driver.named("assemble")) == expected


def test_damaged_machine_code_of_the_cache_is_assembled_again() -> None:
    store, driver = MemoryStore(), FakeDriver(no_lane)
    load(driver, store)
    (key,) = store.entries
    store.entries[key] = b"damaged"
    driver.damaged = {b"damaged"}
    assert load(driver, store) == b"code of ptx"
    assert store.entries[key] == b"code of ptx"


def test_refused_code_is_assembled_once() -> None:
    driver = FakeDriver(no_lane)
    driver.damaged = {b"code of ptx"}
    with pytest.raises(RefusedCodeError):
        load(driver, MemoryStore())
    assert len(driver.named("assemble")) == 1


def test_calls_restore_the_context_of_the_thread() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for(game, gpus=2)
    driver.contexts = [1]  # of another package
    assert game.playouts(20, seed=1, device="cuda") == game.playouts(20, seed=1)
    assert driver.contexts == [1]
    job = Job()
    job.stop()
    with pytest.raises(Stopped):
        game.playouts(20, device="cuda", job=job)
    assert driver.contexts == [1]


def test_after_the_loss_of_a_context_the_next_call_has_another_one() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for(game)
    lane = driver.lane

    def failing(words: "ctypes.Array[ctypes.c_uint64]", number: int) -> None:
        raise LostContextError("the GPU's context has ended")

    driver.lane = failing
    with pytest.raises(DeviceError, match="context has ended"):
        game.playouts(20, device="cuda")
    driver.lane = lane
    assert game.playouts(20, seed=1, device="cuda") == game.playouts(20, seed=1)
    assert len(driver.named("open")) == 2


class SlowAssembler:
    """The assembler of a fake driver, which waits until it may end."""

    def __init__(self, driver: FakeDriver) -> None:
        self.may_end, self._assemble = threading.Event(), driver.assemble
        driver.assemble = self  # type: ignore[method-assign]

    def __call__(self, ptx: bytes) -> bytes:
        assert self.may_end.wait(60)
        return self._assemble(ptx)


def test_under_auto_the_cpu_plays_while_code_is_assembled() -> None:
    game = rulesengine.load("tic-tac-toe")
    # of a version of its own, so that its code is not cached
    driver, job = fake_gpu_for(game, version=13020), Job()
    slow = SlowAssembler(driver)
    assert game.playouts(30, seed=4, device="auto") == game.playouts(30, seed=4)
    assert driver.named("launch") == []

    slow.may_end.set()
    wait_for_the_assembler(game)
    count = 1_000
    assert game.playouts(count, seed=4, device="auto", job=job) == game.playouts(count, seed=4)
    assert driver.named("launch")
    assert job.done == count
    assert game.engine_problems == {}


def test_under_auto_the_cpu_plays_the_rest_if_the_gpu_fails() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for(game, version=13030)

    def refuse(ptx: bytes) -> bytes:
        raise RefusedCodeError("the GPU's driver refuses the kernel")

    driver.assemble = refuse  # type: ignore[method-assign]
    wait_for_the_assembler(game)
    for _ in range(2):
        assert game.playouts(500, seed=4, device="auto") == game.playouts(500, seed=4)
    assert list(game.engine_problems.values()) == ["the GPU's driver refuses the kernel"]


def test_under_auto_the_cpu_counts_while_code_is_assembled() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_to_count(game, version=13040)
    slow = SlowAssembler(driver)
    assert game.perft(5, device="auto") == 15_120
    assert driver.named("launch") == []
    slow.may_end.set()
    deadline = time.monotonic() + 60
    while not driver.named("launch") and time.monotonic() < deadline:
        assert game.perft(5, device="auto") == 15_120
    assert driver.named("launch")


def limited(driver: FakeDriver, most: int | None = None) -> list[int]:
    """Let a driver allocate at most so many bytes at a time; return the list of sizes."""
    allocate, sizes = driver.allocate, list[int]()

    def allocate_little(size: int) -> int:
        sizes.append(size)
        if most is not None and size > most:
            raise DeviceMemoryError("the GPU has too little free memory")
        return allocate(size)

    driver.allocate = allocate_little  # type: ignore[method-assign]
    return sizes


def test_states_that_do_not_fit_are_counted_in_parts() -> None:
    game = rulesengine.load("tic-tac-toe")
    sizes = limited(fake_gpu_to_count(game))
    assert game.perft(6, device="cuda") == 54_720
    driver = fake_gpu_to_count(game := rulesengine.load("tic-tac-toe"))
    limited(driver, max(sizes) - 1)
    assert game.perft(6, device="cuda") == 54_720
    assert len(driver.named("launch")) > 1


def test_fewer_lanes_play_if_memory_turns_out_to_be_too_little() -> None:
    game = rulesengine.load("cram")
    sizes = limited(fake_gpu_for(game))
    want = game.playouts(300, seed=2, device="cuda")
    driver = fake_gpu_for(game := rulesengine.load("cram"))
    limited(driver, max(sizes) - 1)
    assert game.playouts(300, seed=2, device="cuda") == want == game.playouts(300, seed=2)
    assert driver.named("launch") == [("launch", 1, THREADS)]
    limited(driver, max(sizes) // 2 - 1)
    with pytest.raises(DeviceMemoryError):
        game.playouts(300, device="cuda")


def test_a_device_is_not_used_after_a_fork() -> None:
    device = Device(FakeDriver(no_lane), 0)
    device._owner += 1  # as in a child process
    with pytest.raises(DeviceError, match="forked"):
        device.current().__enter__()


# Perft by published numbers, of a board in one word and one in two, with free passes.
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        ("tic-tac-toe", 9, 127_872),
        ("othello", 6, 8_200),
        pytest.param("chess", 3, 8_902, marks=pytest.mark.deep),
    ],
)
def test_perft_on_a_gpu_gives_published_numbers(name: str, depth: int, count: int) -> None:
    game = rulesengine.load(name)
    driver = fake_gpu_to_count(game)
    assert game.perft(depth, device="cuda") == count
    assert driver.named("launch")
    assert driver.named("raise_stack") == [("raise_stack", STACK)]
    assert not driver.memory


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("name", ["atari-go", "reversi", "konane", "nim"])
@pytest.mark.parametrize("ended", ["drop", "keep"])
@pytest.mark.parametrize("passes", ["ply", "free"])
def test_perft_on_a_gpu_equals_that_on_the_cpu(name: str, ended: Any, passes: Any) -> None:
    game = rulesengine.load(name)
    fake_gpu_to_count(game)
    for depth in (0, 1, 2, 3, 4):
        found = game.perft(depth, ended=ended, passes=passes, device="cuda")
        assert found == game.perft(depth, ended=ended, passes=passes)


def test_the_cpu_counts_what_lanes_cannot() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_to_count(game)

    def failing(words: "ctypes.Array[ctypes.c_uint64]", number: int) -> None:
        """Report the first two states as failed, as lanes do, and count none."""
        if number == 0:
            results = (ctypes.c_uint64 * 5).from_address(words[7])
            results[:] = [words[2], 2, 0, 0, 1]

    driver.count_lane = failing
    state = game.initial_state()
    first, second = (game.apply(state, move) for move in game.legal_moves(state)[:2])
    assert game.perft(3, device="cuda") == game.perft(2, first) + game.perft(2, second)


def test_a_gpu_does_not_count_where_rules_look_back() -> None:
    game = rulesengine.load("three-mens-morris")
    game._dispatcher.open_driver = FakeDriver(no_lane).open
    with pytest.raises(DeviceError, match="look back"):
        game.perft(4, device="cuda")


@pytest.mark.parametrize(
    ("name", "number"), [("cuda", 0), ("cuda:2", 2), ("cuda:", None), ("cuda:-1", None)]
)
def test_devices_are_named_by_kind_and_number(name: str, number: int | None) -> None:
    assert device_number(name) == number
