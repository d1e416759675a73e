"""The games of a batch in the memory of a GPU, and the launches of its kernels."""

import ctypes
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import finalize

from rulesengine.engine.kernel.backends.cuda.arrays import device_address
from rulesengine.engine.kernel.backends.cuda.batch_lanes import (
    COPY,
    FAILED_GAMES,
    FAILURES,
    OBSERVE,
    REFUSED_GAMES,
    SAMPLE,
    SHOW,
    STEP,
    TAKE,
    BatchKernels,
)
from rulesengine.engine.kernel.backends.cuda.device import STACK, THREADS, WORD, Device
from rulesengine.engine.kernel.backends.cuda.driver import DeviceError, Driver
from rulesengine.job import Job

if TYPE_CHECKING:
    from rulesengine.job import Lane

NAMES = (STEP, SHOW, SAMPLE, TAKE, OBSERVE, COPY)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of memory: the address of the first one, and the bytes from one to the next."""

    address: int
    stride: int


@dataclass(frozen=True, slots=True)
class Launched:
    """The results of a driver: the failed games, and the number of refused actions."""

    failed: list[int]
    refused: int


class BatchRun:
    """The kernels of a batch on a GPU, and the memory that they use.

    Calls enter the context of the calling thread. Memory is released with this object.
    """

    def __init__(self, device: Device, kernels: BatchKernels, ptx: bytes, games: int) -> None:
        self.device, self.games = device, games
        driver = device.driver
        self._owned: list[int] = []
        module = device.module(ptx, Job())
        self.stream = driver.stream()
        finalize(self, _release, driver, device.number, os.getpid(), self._owned, module)
        if kernels.recurses:
            driver.raise_stack(STACK)
        self._functions = {name: driver.function(module, f"lanes_{name}") for name in NAMES}
        most = device.most_blocks(self._functions[STEP], kernels.context)
        self._blocks = min(most, -(-games // THREADS))
        lanes = self._blocks * THREADS
        self._contexts = self.allocate(lanes * kernels.context)
        self._failures = self.allocate(WORD * (FAILURES + games))
        driver.clear(self._contexts, lanes * kernels.context, self.stream)

    def allocate(self, size: int) -> int:
        """Return memory that lives as long as this object."""
        address = self.device.driver.allocate(max(size, 1))
        self._owned.append(address)
        return address

    def release(self, address: int) -> None:
        """Release memory early."""
        self._owned.remove(address)
        self.device.driver.release(address)

    def run(self, name: str, memories: Sequence[int], refused: int = 0) -> Launched:
        """Call a driver for all games, with the addresses of its memories, the plan first.

        `refused` is the address of the words with the refused actions of a step.
        """
        driver = self.device.driver
        self.device.enter()
        driver.clear(self._failures, WORD * FAILURES, self.stream)
        words = self.games, self._contexts, self._failures, refused or self._failures, *memories
        self._launch(name, self._blocks, words)
        head = self.device.words(self._failures, 0, FAILURES, self.stream)
        failed = self.device.words(self._failures, FAILURES, head[FAILED_GAMES], self.stream)
        return Launched(sorted(failed), head[REFUSED_GAMES])

    def take(self, actions: Any, illegal: int, given: int) -> None:
        """Copy actions of the GPU to the memory of actions, once their stream has computed them.

        Raises UsageError for an array of another form.
        """
        address, size = device_address(actions, self.games)
        self.device.enter()
        self.device.driver.wait_for(actions.__cuda_array_interface__.get("stream"))
        words = self.games, address, size, illegal, given
        self._launch(TAKE, -(-self.games // THREADS), words)

    def observe(self, items: int, words: Sequence[int]) -> None:
        """Write the observations of all games; `items` is the number of planes of all games."""
        self.device.enter()
        most = self.device.facts.processors * 64
        self._launch(OBSERVE, max(1, min(most, -(-items // THREADS))), (items, *words))
        self.device.driver.wait(self.stream)

    def copy_games(
        self, targets: bytes, sources: bytes, rows: Sequence[tuple[Rows, Rows, int]]
    ) -> None:
        """Copy rows between memories: those of the sources, in order, to those of the targets.

        Targets and sources are numbers of 8 bytes. `rows` has targets, sources and the bytes of a
        row, for each kind of row. All rows of a kind are read before any is written.
        """
        count, driver = len(targets) // WORD, self.device.driver
        self.device.enter()
        most = max(size for _, _, size in rows)
        with (
            self.device.memory(len(targets)) as to,
            self.device.memory(len(sources)) as of,
            self.device.memory(count * most) as held,
        ):
            driver.upload(to, targets, self.stream)
            driver.upload(of, sources, self.stream)
            for target, source, size in rows:
                reads = 0, of, held, source.address, size, source.stride, size
                writes = to, 0, target.address, held, target.stride, size, size
                for words in (reads, writes):
                    self._launch(COPY, -(-count // THREADS), (count, *words))
            driver.wait(self.stream)

    def put(self, address: int, memory: "Lane") -> None:
        """Copy memory of the host to the GPU."""
        self.device.enter()
        host = _address(memory)
        self.device.driver.upload_from(address, host, len(memory), self.stream)
        self.device.driver.wait(self.stream)

    def get(self, address: int, memory: "Lane") -> None:
        """Copy memory of the GPU to the host."""
        self.device.enter()
        self.device.driver.download_to(_address(memory), address, len(memory), self.stream)

    def read(self, address: int, size: int) -> bytes:
        self.device.enter()
        return self.device.driver.download(address, size, self.stream) if size else b""

    def _launch(self, name: str, blocks: int, words: Sequence[int]) -> None:
        lanes, masked = blocks * THREADS, [word & 2**64 - 1 for word in words]
        function = self._functions[name]
        self.device.driver.launch(function, blocks, THREADS, (lanes, *masked), self.stream)


def _address(memory: "Lane") -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _release(
    driver: Driver, number: int, owner: int, addresses: Sequence[int], module: Any
) -> None:
    """Release memory and code, unless the process has forked or the context has ended."""
    if os.getpid() != owner:
        return
    with suppress(DeviceError):
        driver.enter(number)
        for address in addresses:
            driver.release(address)
        driver.unload(module)
