"""A GPU for tests: a driver that uses the memory of the process and runs lanes one by one."""

import ctypes
import threading
from collections.abc import Sequence
from typing import Any

from rulesengine import Game
from rulesengine.engine.kernel.backends.cuda.batch_lanes import batch_kernels
from rulesengine.engine.kernel.backends.cuda.count_lanes import COUNT_KERNEL, count_kernel
from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceFacts,
    DeviceMemoryError,
    RefusedCodeError,
)
from rulesengine.engine.kernel.backends.cuda.ptx import lane_kernel
from rulesengine.engine.kernel.emission import emitted
from tests.helpers.lane_runs import Lane, batch_lanes, lane_of_host_code


class FakeDriver:
    """A driver that records its calls, and runs a lane of host code for each thread."""

    def __init__(
        self,
        lane: Lane,
        *,
        capability: tuple[int, int] = (9, 0),
        version: int = 13000,
        free: int = 1 << 28,
        gpus: int = 1,
    ) -> None:
        self.lane, self.capability, self.free, self.gpus = lane, capability, free, gpus
        self.count_lane: Lane | None = None
        self.lanes: dict[str, Lane] = {}
        self.cuda_version = version
        self.calls: list[tuple[Any, ...]] = []
        self.memory: dict[int, Any] = {}
        self.damaged: set[bytes] = set()
        self.streams = 0
        self.contexts: list[int] = []  # that are current, the innermost last
        self.places: dict[int, int | None] = {}  # the GPUs of memory of other packages

    def open(self) -> "FakeDriver":
        self.calls.append(("open",))
        return self

    def named(self, name: str) -> list[tuple[Any, ...]]:
        """Return the recorded calls of a name."""
        return [call for call in self.calls if call[0] == name]

    def version(self) -> int:
        return self.cuda_version

    def count(self) -> int:
        return self.gpus

    def facts(self, number: int) -> DeviceFacts:
        return DeviceFacts(f"fake {number}", self.capability, 2, 1 << 30)

    def push(self, number: int) -> None:
        self.contexts.append(number)

    def pop(self) -> None:
        self.contexts.pop()

    def raise_stack(self, size: int) -> None:
        self.calls.append(("raise_stack", size))

    def assemble(self, ptx: bytes) -> bytes:
        assert self.contexts
        self.calls.append(("assemble",))
        return b"code of " + ptx

    def load(self, code: bytes) -> bytes:
        assert self.contexts
        self.calls.append(("load",))
        if code in self.damaged:
            raise RefusedCodeError("the GPU's driver refuses the kernel")
        return code

    def unload(self, module: bytes) -> None:
        self.calls.append(("unload",))

    def function(self, module: bytes, name: str) -> str:
        return name

    def blocks_of(self, function: str, threads: int) -> int:
        return 1

    def free_memory(self) -> int:
        return self.free - self.used

    @property
    def used(self) -> int:
        return sum(map(len, self.memory.values()))

    def device_of(self, address: int) -> int | None:
        return self.places.get(address, self.contexts[-1])

    def allocate(self, size: int) -> int:
        assert self.contexts
        self.calls.append(("allocate", size))
        if size > self.free_memory():
            raise DeviceMemoryError("the GPU has too little free memory")
        buffer = (ctypes.c_uint8 * size)()
        ctypes.memset(buffer, 0xA5, size)  # as memory of a GPU, it is not 0
        address = ctypes.addressof(buffer)
        self.memory[address] = buffer
        return address

    def release(self, address: int) -> None:
        del self.memory[address]

    def allocate_mapped(self, size: int) -> tuple[int, int]:
        address = self.allocate(size)
        return address, address

    def release_mapped(self, address: int) -> None:
        self.release(address)

    def stream(self) -> str:
        self.streams += 1
        return f"stream {self.streams}"

    def end_stream(self, stream: str) -> None:
        self.calls.append(("end_stream", stream))

    def clear(self, address: int, size: int, stream: str) -> None:
        ctypes.memset(address, 0, size)

    def upload(self, address: int, data: bytes, stream: str) -> None:
        ctypes.memmove(address, data, len(data))

    def upload_from(self, address: int, host: int, size: int, stream: str) -> None:
        ctypes.memmove(address, host, size)

    def download_to(self, host: int, address: int, size: int, stream: str) -> None:
        ctypes.memmove(host, address, size)

    def download(self, address: int, size: int, stream: str) -> bytes:
        return ctypes.string_at(address, size)

    def launch(
        self, function: str, blocks: int, threads: int, words: Sequence[int], stream: str
    ) -> None:
        assert self.contexts
        self.calls.append(("launch", blocks, threads))
        given = (ctypes.c_uint64 * 32)(*words)
        lane = self.count_lane if function == COUNT_KERNEL else self.lane
        lane = self.lanes.get(function, lane)
        assert lane is not None
        for number in range(blocks * threads):
            lane(given, number)

    def wait_for(self, stream: int | None) -> None:
        self.calls.append(("wait_for", stream))

    def wait(self, stream: str) -> None:
        assert self.contexts
        self.calls.append(("wait",))


def fake_gpu_for(game: Game, *, items: int = 2048, **options: Any) -> FakeDriver:
    """Return a fake driver for the playouts of a game, and let the game use it."""
    from rulesengine.engine.kernel.backends.native.target import plain

    kernel = lane_kernel(emitted(game.machine, "lanes"), plain(), items=items)
    driver = FakeDriver(lane_of_host_code(kernel.text), **options)
    game._dispatcher.open_driver = driver.open
    return driver


def fake_gpu_to_count(game: Game, **options: Any) -> FakeDriver:
    """Return a fake driver for the perft of a game, and let the game use it."""
    from rulesengine.engine.kernel.backends.native.target import plain

    kernel = count_kernel(emitted(game.machine, "perft"), plain())
    driver = FakeDriver(lane_of_host_code(kernel.text, COUNT_KERNEL), **options)
    driver.count_lane = driver.lane
    game._dispatcher.open_driver = driver.open
    return driver


def fake_gpu_for_batches(game: Game, *, items: int = 2048, **options: Any) -> FakeDriver:
    """Return a fake driver for the batches of a game, and let the game use it."""
    from rulesengine.engine.kernel.backends.native.target import plain

    part = "halves" if game.actions.splits else "batch"
    kernels = batch_kernels(emitted(game.machine, part), plain(), items=items)
    driver = FakeDriver(no_lane, **options)
    driver.lanes = batch_lanes(kernels.text)
    game._dispatcher.open_driver = driver.open
    return driver


def no_lane(words: "ctypes.Array[ctypes.c_uint64]", number: int) -> None:
    """Do nothing."""


def wait_for_the_assembler(game: Game) -> None:
    """Let the CPU wait for the assembler after each share of the playouts of a game."""
    play = game._dispatcher._cpu_totals

    def play_and_wait(*arguments: Any) -> list[int]:
        totals = play(*arguments)
        for thread in threading.enumerate():
            if thread.name == "assembler":
                thread.join()
        return totals

    game._dispatcher._cpu_totals = play_and_wait  # type: ignore[assignment,method-assign]
