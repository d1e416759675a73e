"""A GPU that is missing or fails: an error if it was named; else the CPU does the work."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rulesengine
from rulesengine import Game
from rulesengine.batch import Batch
from rulesengine.batch.device_batch import DeviceBatch
from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceMemoryError,
    Driver,
    LostContextError,
    RefusedCodeError,
)
from rulesengine.engine.kernel.backends.native import memory
from rulesengine.support.limits import MAX_PLIES
from tests.helpers.fake_gpu import (
    FakeDriver,
    fake_gpu_for,
    fake_gpu_for_batches,
    fake_gpu_to_count,
    no_lane,
    wait_for_the_assembler,
)

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

LANES = "cuda", "lanes"
REFUSAL = "the GPU's driver refuses the kernel"
FORKED = "a GPU cannot be used by a process that forked after its first use"


def no_driver() -> Driver:
    raise DeviceError("no device `cuda`: no driver of an NVIDIA GPU is installed")


def no_gpu() -> Driver:
    return FakeDriver(no_lane, gpus=0)


def old_gpu() -> Driver:
    return FakeDriver(no_lane, capability=(6, 1))


def old_driver() -> Driver:
    return FakeDriver(no_lane, version=8000)


def no_memory() -> Driver:
    return FakeDriver(no_lane, free=1 << 10)


def refusal() -> Driver:
    driver = FakeDriver(no_lane, version=13050)  # without an entry in the cache

    def assemble(ptx: bytes) -> bytes:
        raise RefusedCodeError(REFUSAL)

    driver.assemble = assemble  # type: ignore[method-assign]
    return driver


FAULTS: list[tuple[Callable[[], Driver], str]] = [
    (no_driver, "no device `cuda`: no driver of an NVIDIA GPU is installed"),
    (no_gpu, "no device `cuda:0`: the number of visible GPUs is 0"),
    (old_gpu, "the compute capability of fake 0 is 6.1, below 7.0"),
    (old_driver, "the GPU's driver is older than CUDA 9.0"),
    (no_memory, "the GPU has too little free memory"),
    (refusal, REFUSAL),
]


def playouts(game: Game, device: str) -> Any:
    return game.playouts(100, seed=4, device=device)


def perft(game: Game, device: str) -> Any:
    return game.perft(4, device=device)


def stepped_batch(game: Game, device: str) -> Any:
    batch = game.batch(5, seed=2, device=device)
    batch.step()
    assert type(batch) is Batch
    return batch.mask.tolist()


WORKS = [playouts, perft, stepped_batch]


@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_a_named_gpu_that_fails_is_an_error(
    fault: Callable[[], Driver], message: str, work: Callable[[Game, str], Any]
) -> None:
    game = rulesengine.load("tic-tac-toe")
    game._dispatcher.open_driver = fault
    with pytest.raises(DeviceError) as caught:
        work(game, "cuda")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_under_auto_the_cpu_does_the_work_of_a_gpu_that_fails(
    fault: Callable[[], Driver], message: str, work: Callable[[Game, str], Any]
) -> None:
    game = rulesengine.load("tic-tac-toe")
    game._dispatcher.open_driver = fault
    wait_for_the_assembler(game)
    want = work(game, "cpu")
    deadline = time.monotonic() + 60
    while not game.engine_problems and time.monotonic() < deadline:
        assert work(game, "auto") == want  # a perft does not wait for the assembler
    assert list(game.engine_problems) == [LANES]
    assert game.engine_problems[LANES].startswith(message)
    assert work(game, "auto") == want


def test_under_auto_the_cpu_plays_and_counts_where_rules_look_back() -> None:
    game = rulesengine.load("three-mens-morris")
    game._dispatcher.open_driver = FakeDriver(no_lane).open
    state = game.initial_state()
    later = game.apply(state, game.legal_moves(state)[0])
    want = game.playouts(5, seed=1, state=later)
    assert game.playouts(5, seed=1, state=later, device="auto") == want
    reason = "a GPU plays rules that look back from a first position only"
    assert game.engine_problems == {LANES: reason}
    assert game.perft(3, device="auto") == game.perft(3)
    assert game.engine_problems == {LANES: "a GPU does not count where rules look back"}


def test_the_earlier_positions_of_a_lane_suffice_for_the_longest_game() -> None:
    assert memory.ENTRIES > MAX_PLIES


@pytest.mark.slow
def test_under_auto_a_batch_without_memory_for_its_games_is_on_the_cpu() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for_batches(game)
    allocate, sizes = driver.allocate, list[int]()

    def allocate_few(size: int) -> int:
        sizes.append(size)
        if len(sizes) > 2:  # the lanes and the failures have memory, the games have none
            raise DeviceMemoryError("the GPU has too little free memory")
        return allocate(size)

    driver.allocate = allocate_few  # type: ignore[method-assign]
    assert type(game.batch(5, device="auto")) is Batch
    assert game.engine_problems == {LANES: "the GPU has too little free memory"}
    assert not driver.memory


def test_under_auto_the_call_after_the_loss_of_a_context_has_another_one() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for(game)
    lane = driver.lane

    def failing(words: Any, number: int) -> None:
        raise LostContextError("the GPU's context has ended")

    driver.lane = failing
    wait_for_the_assembler(game)
    want = playouts(game, "cpu")
    assert playouts(game, "auto") == want
    assert game.engine_problems == {LANES: "the GPU's context has ended"}
    driver.lane = lane
    assert playouts(game, "auto") == want
    assert len(driver.named("open")) == 2
    assert not driver.memory


def forked(game: Game) -> None:
    """Let the GPUs of a game belong to another process, as after a fork."""
    for runs in game._dispatcher._devices.values():
        runs.device._owner += 1


@pytest.mark.slow
def test_a_child_process_plays_and_counts_on_the_cpu_only() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for(game)
    want, count = playouts(game, "cpu"), perft(game, "cpu")
    assert playouts(game, "cuda") == want
    launches = len(driver.named("launch"))
    game._dispatcher._devices["auto"] = game._dispatcher._devices["cuda"]
    forked(game)
    wait_for_the_assembler(game)
    for work in (playouts, perft):
        with pytest.raises(DeviceError, match=FORKED):
            work(game, "cuda")
    assert (playouts(game, "auto"), perft(game, "auto")) == (want, count)
    assert len(driver.named("launch")) == launches
    assert type(game.batch(2, device="auto")) is Batch
    assert game.engine_problems == {LANES: FORKED}


@pytest.mark.slow
def test_a_batch_of_the_parent_process_is_refused_in_a_child() -> None:
    game = rulesengine.load("tic-tac-toe")
    fake_gpu_for_batches(game)
    batch = game.batch(2, device="cuda")
    batch.step()
    forked(game)
    for call in (batch.step, batch.sample, batch.observe):
        with pytest.raises(DeviceError, match=FORKED):
            call()


@pytest.mark.slow
def test_batches_of_two_gpus_exchange_games_through_the_host() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for_batches(game, gpus=2)
    found, other = (game.batch(4, seed=k, device=f"cuda:{k}") for k in (0, 1))
    want, also = (game.batch(4, seed=k) for k in (0, 1))
    for batch in (found, other, want, also):
        for _ in range(4):
            batch.step()
    driver.calls.clear()
    found.copy_games([0, 3], [2, 1], other)
    want.copy_games([0, 3], [2, 1], also)
    assert isinstance(found, DeviceBatch)
    assert found.step().tolist() == want.step().tolist()
    assert np.array_equal(found.mask.numpy(), want.mask)
    assert np.array_equal(found.plies.numpy(), want.plies)


def test_lanes_of_two_gpus_play_the_same_games() -> None:
    game = rulesengine.load("tic-tac-toe")
    driver = fake_gpu_for(game, gpus=2)
    assert game.playouts(50, seed=1, device="cuda:1") == game.playouts(50, seed=1, device="cuda")
    assert len(driver.named("open")) == 2


@pytest.mark.deep
def test_the_depth_of_a_count_does_not_depend_on_the_memory_of_a_gpu() -> None:
    game = rulesengine.load("tic-tac-toe")
    fake_gpu_to_count(game, free=1 << 24)
    assert game.perft(9, device="cuda") == 127_872  # published
