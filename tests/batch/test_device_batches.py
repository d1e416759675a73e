"""Batches on a GPU, with a driver that runs the lanes on the CPU: equal to batches on the CPU."""

import ctypes
import gc
import pickle
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rulesengine
from rulesengine import Game, UsageError
from rulesengine.batch import Batch
from rulesengine.batch.device_batch import DeviceBatch
from rulesengine.engine.kernel.backends.cuda.batch_lanes import (
    OBSERVE,
    SAMPLE,
    STEP,
    batch_kernels,
)
from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceMemoryError,
    LostContextError,
)
from rulesengine.engine.kernel.backends.cuda.ptx import ptx_of
from rulesengine.engine.kernel.emission import emitted
from tests.device import equality
from tests.helpers.fake_gpu import FakeDriver, fake_gpu_for_batches, no_lane
from tests.helpers.lane_runs import library_of_ptx

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

# One word; two words; chains and a history; chance; a swap; three players.
NAMES = [
    "connect-four",
    pytest.param("atari-go", marks=pytest.mark.deep),
    pytest.param("konane", marks=pytest.mark.deep),
    pytest.param("english-draughts", marks=pytest.mark.deep),
    pytest.param("pig", marks=pytest.mark.slow),
    pytest.param("hex-pie", marks=pytest.mark.deep),
    pytest.param("three-player-tic-tac-toe", marks=pytest.mark.deep),
]
COLUMNS = ("mover", "mask", "over", "payoffs", "plies")


def pair(game: Game, n: int, **options: Any) -> tuple[DeviceBatch, Batch]:
    """Return a batch on the GPU and one on the CPU."""
    found = game.batch(n, device="cuda", **options)
    assert isinstance(found, DeviceBatch)
    return found, game.batch(n, **options)


def assert_equal(found: DeviceBatch, want: Batch) -> None:
    for name in COLUMNS:
        array = getattr(found, name)
        assert np.array_equal(array.numpy(), getattr(want, name)), name
    assert np.array_equal(found.refused, want.refused)


@pytest.mark.parametrize("name", NAMES)
def test_steps_equal_those_on_the_cpu(name: str) -> None:
    game = rulesengine.load(name)
    driver = fake_gpu_for_batches(game)
    found, want = pair(game, 20, seed=3, restart=True)
    draw = np.random.default_rng(1)
    for step in range(90):
        assert_equal(found, want)
        actions = want.sample()
        assert np.array_equal(found.sample().numpy(), actions)
        for view in ("mover", "absolute", 1):
            seen = found.observe(view).numpy()
            assert np.array_equal(seen, want.observe(view)), view
        given: Any = actions
        if step % 3 == 1:
            given = None  # drawn
        elif step % 3 == 2:
            actions[draw.integers(20)] = len(game.actions) - 1  # often illegal
        where = draw.random(20) < 0.9 if step % 4 == 3 else None
        assert found.step(given, where=where).tolist() == want.step(given, where=where).tolist()
    assert [str(found.state(i)) for i in range(20)] == [str(want.state(i)) for i in range(20)]
    assert len({call for call in driver.calls if call[0] == "launch"}) > 0


def test_views_of_a_game_with_hidden_information_equal_those_on_the_cpu() -> None:
    game = rulesengine.load("kuhn-poker")
    fake_gpu_for_batches(game)
    found, want = pair(game, 20, seed=3, restart=True)
    for _ in range(12):
        for view in ("mover", "absolute", 0, 1):
            assert np.array_equal(found.observe(view), want.observe(view))
            assert np.array_equal(found.numbers(view), want.numbers(view))
        actions = want.sample()
        assert found.step(actions).tolist() == want.step(actions).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect-four", pytest.param("go", marks=pytest.mark.deep)])
def test_steps_by_ptx_equal_those_on_the_cpu(name: str, tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    game = rulesengine.load(name)
    driver = fake_gpu_for_batches(game)
    ptx = ptx_of(batch_kernels(emitted(game.machine, "batch")).text)
    names = [f"lanes_{name}" for name in (STEP, SAMPLE, OBSERVE)]
    library = ctypes.CDLL(str(library_of_ptx(ptx, tmp_path, *names)))
    driver.lanes |= {name: library[f"run_{name}"] for name in names}
    found, want = pair(game, 30, seed=3, restart=True)
    for _ in range(60):
        assert np.array_equal(found.sample().numpy(), want.sample())
        assert np.array_equal(found.observe().numpy(), want.observe())
        assert found.step().tolist() == want.step().tolist()
        assert_equal(found, want)


@pytest.mark.slow
def test_a_vector_environment_of_a_gpu_equals_that_of_the_cpu() -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from rulesengine.adapters.gymnasium import BatchEnvironment

    game = rulesengine.load("connect-four")
    fake_gpu_for_batches(game)
    found, want = (BatchEnvironment(game, 8, 1, 1, device) for device in ("cuda", "cpu"))
    seen: Any = found.reset(seed=4)
    expected: Any = want.reset(seed=4)
    for _ in range(50):
        assert_same(seen, expected)
        actions = want.batch.sample()
        seen, expected = found.step(actions), want.step(actions)


def assert_same(found: Any, want: Any) -> None:
    """Assert that arrays in equal structures are equal."""
    if isinstance(want, dict):
        assert found.keys() == want.keys()
        found, want = list(found.values()), list(want.values())
    if isinstance(want, list | tuple):
        for one, other in zip(found, want, strict=True):
            assert_same(one, other)
    else:
        assert np.array_equal(found, want)


class ArrayOfGpu:
    """An array of another package, which here is memory of the process."""

    def __init__(self, values: Any, stream: int | None = 7, mask: Any = None) -> None:
        self.held, self.stream, self.mask = np.ascontiguousarray(values), stream, mask

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found = {"shape": self.held.shape, "typestr": self.held.dtype.str, "version": 3}
        found |= {"data": (self.held.ctypes.data, False), "stream": self.stream}
        return found if self.mask is None else {**found, "mask": self.mask}


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_actions_of_other_packages_are_read_on_the_gpu(dtype: str) -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    found, want = pair(game, 9)
    legal = want.mask[0].nonzero()[0].tolist()
    given = np.array([*legal, len(game.actions), -2], dtype)
    assert found.step(ArrayOfGpu(given)).tolist() == [7, 8]
    assert want.step(given).tolist() == [7, 8]
    assert_equal(found, want)
    assert driver.named("wait_for") == [("wait_for", 7)]
    with pytest.raises(UsageError, match="expected 9 actions of 4 or 8 bytes, found <f8"):
        found.step(ArrayOfGpu(np.zeros(9)))
    with pytest.raises(UsageError, match="expected 9 actions"):
        found.step(ArrayOfGpu(np.zeros(8, dtype)))
    with pytest.raises(UsageError, match="a stream of number 0"):
        found.step(ArrayOfGpu(np.zeros(9, dtype), stream=0))
    with pytest.raises(UsageError, match="no mask"):
        found.step(ArrayOfGpu(np.zeros(9, dtype), mask=ArrayOfGpu(np.zeros(9, bool))))


def test_actions_on_the_gpu_may_leave_games_out() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    found, want = pair(game, 4)
    legal = want.mask[0].nonzero()[0]
    given = np.array([legal[0], legal[1], len(game.actions), legal[2]])
    where = np.array([True, False, True, True])
    assert found.step(ArrayOfGpu(given), where=where).tolist() == [2]
    assert want.step(given, where=where).tolist() == [2]
    assert_equal(found, want)
    assert found.plies.numpy().tolist() == [1, 0, 0, 1]
    assert driver.named("wait_for") == [("wait_for", 7)]


def test_actions_on_another_gpu_are_refused() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game, gpus=2)
    batch: Any = game.batch(2, device="cuda")
    actions = ArrayOfGpu(np.zeros(2, np.int64))
    address = actions.held.ctypes.data
    for number, place in ((1, "on `cuda:1`"), (None, "in no memory of a GPU")):
        driver.places[address] = number
        for where in (None, [True, False]):
            with pytest.raises(UsageError, match=f"actions on `cuda:0`, found actions {place}"):
                batch.step(actions, where=where)


def test_a_change_waits_for_the_streams_that_read_arrays() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    batch: Any = game.batch(2, device="cuda")
    batch.step(batch.sample())
    batch.mask.__dlpack__(stream=-1)
    batch.step(batch.sample())
    assert driver.named("wait_for") == []  # arrays of the batch itself need no wait
    for stream, waits in ((None, 1), (1, 1), (2, 2), (1234, 1234)):
        batch = game.batch(2, device="cuda")
        batch.mask.__dlpack__(stream=stream, max_version=(1, 0), dl_device=(2, 0), copy=False)
        driver.calls.clear()
        batch.step([0, 1])
        waited = [call for call in driver.calls if call[0] in ("wait_for", "launch")]
        assert waited[0] == ("wait_for", waits)
        assert ("launch", 1, 128) in waited
    batch = game.batch(2, device="cuda")
    assert batch.mask.__cuda_array_interface__["stream"] is None
    driver.calls.clear()
    batch.step([0, 1])
    assert driver.named("wait_for")[0] == ("wait_for", None)  # any stream


@pytest.mark.parametrize("stream", [0, -2, True, "1"])
def test_streams_that_dlpack_does_not_have_are_refused(stream: Any) -> None:
    game = rulesengine.load("connect-four")
    fake_gpu_for_batches(game)
    batch: Any = game.batch(2, device="cuda")
    with pytest.raises(UsageError, match="expected a stream of DLPack"):
        batch.mask.__dlpack__(stream=stream)


def test_dlpack_does_not_copy_to_other_devices() -> None:
    game = rulesengine.load("connect-four")
    fake_gpu_for_batches(game)
    batch: Any = game.batch(2, device="cuda")
    for options in ({"dl_device": (1, 0)}, {"dl_device": (2, 1)}, {"copy": True}):
        with pytest.raises(BufferError):
            batch.mask.__dlpack__(**options)


def test_two_batches_on_two_streams_play_independently() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    (found, want), (other, also) = pair(game, 3, seed=1), pair(game, 4, seed=2)
    assert found._used().stream != other._used().stream
    for _ in range(5):
        for batch in (found, want, other, also):
            batch.step(batch.sample())
    assert_equal(found, want)
    assert_equal(other, also)
    streams = [found._used().stream, other._used().stream]
    del found, other
    assert [call[1] for call in driver.named("end_stream")] == streams


def test_a_batch_after_the_loss_of_its_context_raises_a_sentence() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    batch = game.batch(3, device="cuda")
    batch.step()

    def fail(number: int) -> None:
        raise LostContextError("the GPU's context has ended")

    driver.push = fail  # type: ignore[method-assign]
    for call in (batch.step, batch.sample, batch.observe, partial(batch.state, 0)):
        with pytest.raises(DeviceError, match="context has ended"):
            call()


def test_fewer_lanes_leave_memory_for_the_games_of_a_batch() -> None:
    game = rulesengine.load("cram")
    driver = fake_gpu_for_batches(game)
    game.batch(300, device="cuda")
    sizes = [size for _, size in driver.named("allocate")]
    lanes, games = max(sizes), sum(sizes) - max(sizes)
    game = rulesengine.load("cram")
    fake_gpu_for_batches(game, free=lanes + games // 2)
    found, want = pair(game, 300, seed=3)
    for _ in range(3):
        assert found.step(found.sample()).tolist() == want.step(want.sample()).tolist()
    assert_equal(found, want)
    assert found._used()._blocks < 3
    game = rulesengine.load("cram")
    fake_gpu_for_batches(game, free=lanes // 8)
    with pytest.raises(DeviceMemoryError, match="too little free memory"):
        game.batch(300, device="cuda")
    assert type(game.batch(300, device="auto")) is Batch


def test_the_cpu_repeats_a_step_that_a_kernel_cannot_make() -> None:
    game = rulesengine.load("cram")
    fake_gpu_for_batches(game, items=1)  # no list of moves has room
    found, want = pair(game, 5, seed=2)
    for _ in range(4):
        assert np.array_equal(np.asarray(found.sample()), want.sample())
        assert found.step().tolist() == want.step().tolist()
        assert_equal(found, want)


def test_calls_of_the_cpu_see_the_games_of_the_gpu_and_change_them() -> None:
    game = rulesengine.load("connect-four")
    fake_gpu_for_batches(game)
    found, want = pair(game, 6, seed=5)
    for batch in (found, want):
        for _ in range(5):
            batch.step()
        batch.reset([2], seed=9)
        batch.set_state(3, batch.state(0))
        batch.copy_games([4], [1])
        batch.step()
    assert_equal(found, want)
    assert np.array_equal(found.numbers(), want.numbers())
    assert found.playouts(10, seed=1).tolist() == want.playouts(10, seed=1).tolist()
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is Batch
    assert again.mask.tolist() == want.mask.tolist()
    assert found.step().tolist() == want.step().tolist()
    assert_equal(found, want)


def test_games_are_copied_on_the_gpu() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    (found, want), (tree, wood) = pair(game, 6, seed=5), pair(game, 9, seed=2)
    for batch in (found, want, tree, wood):
        for _ in range(4):
            batch.step()
    driver.calls.clear()
    for one, other in ((found, tree), (want, wood)):
        one.copy_games([0, 1, 2], [1, 2, 0])  # read before any is written
        other.copy_games([8, 3], [5, 0], one)
        one.copy_games([], [])
        one.step()
        other.step()
        other.step()
    assert_equal(found, want)
    assert_equal(tree, wood)
    assert [str(tree.state(i)) for i in range(9)] == [str(wood.state(i)) for i in range(9)]
    assert not any(call[0] == "download" for call in driver.calls)
    with pytest.raises(UsageError):
        found.copy_games([1, 1], [0, 2])


def test_long_histories_get_more_memory() -> None:
    game = rulesengine.load("three-mens-morris")
    fake_gpu_for_batches(game)
    found, want = pair(game, 2, seed=1)
    for _ in range(150):
        found.step()
        want.step()
    assert_equal(found, want)


def test_arrays_have_the_interfaces_of_other_packages() -> None:
    game = rulesengine.load("connect-four")
    fake_gpu_for_batches(game)
    batch = game.batch(3, device="cuda")
    mask: Any = batch.mask
    interface = mask.__cuda_array_interface__
    assert (interface["shape"], interface["typestr"], interface["version"]) == ((3, 42), "|b1", 3)
    assert interface["strides"] == (48, 1)
    assert mask.__dlpack_device__() == (2, 0)
    payoffs: Any = batch.payoffs
    words = capsule_words(payoffs.__dlpack__())
    assert words[0] == payoffs.address
    assert words[1] & 0xFFFFFFFF == 2  # the GPU
    assert words[2] >> 32 == 1 << 16 | 64 << 8  # one lane of a 64-bit number
    assert (words[2] & 0xFFFFFFFF) == 2  # dimensions
    assert ctypes.string_at(words[3], 16) == np.array([3, 2], np.int64).tobytes()
    assert ctypes.string_at(words[4], 16) == np.array([2, 1], np.int64).tobytes()


def capsule_words(capsule: Any) -> list[int]:
    """Return the words of the tensor in a capsule."""
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = read(capsule, b"dltensor")
    return list((ctypes.c_uint64 * 6).from_address(address))


def test_an_array_keeps_its_memory_until_its_capsule_is_deleted() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    batch: Any = game.batch(3, device="cuda")
    gc.disable()
    try:
        capsule = batch.mask.__dlpack__()
        del batch
        assert driver.memory
        del capsule
        assert not driver.memory
    finally:
        gc.enable()


def test_memory_is_released_with_the_batch() -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    batch = game.batch(3, device="cuda")
    assert driver.memory
    batch.observe()
    del batch
    assert not driver.memory


def test_without_a_gpu_auto_returns_a_batch_of_the_cpu() -> None:
    game = rulesengine.load("connect-four")
    game._dispatcher.open_driver = FakeDriver(no_lane, gpus=0).open
    assert type(game.batch(3, device="auto")) is Batch
    with pytest.raises(DeviceError, match="the number of visible GPUs is 0"):
        game.batch(3, device="cuda")


def test_the_check_on_a_gpu_finds_batches_that_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulesengine.load("connect-four")
    driver = fake_gpu_for_batches(game)
    monkeypatch.setattr(rulesengine, "load", lambda *_, **__: game)
    monkeypatch.setattr(equality, "GAMES", 20)
    monkeypatch.setattr(equality, "STEPS", 20)
    assert equality.check_batch("connect-four") == "equal"
    driver.lanes[f"lanes_{STEP}"] = no_lane
    assert equality.check_batch("connect-four") == "differs: mask before step 1"
