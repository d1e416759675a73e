"""The games of a batch in the memory of a GPU, and the launches of its kernels."""

import ctypes
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import finalize

from rulesengine.engine.kernel.backends.cuda.arrays import DeviceNumbers, device_numbers
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
from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceMemoryError,
    Driver,
)
from rulesengine.errors import UsageError
from rulesengine.job import Job

if TYPE_CHECKING:
    from rulesengine.job import WritableBuffer

NAMES = (STEP, SHOW, SAMPLE, TAKE, OBSERVE, COPY)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of memory: the address of the first one, and the bytes from one to the next."""

    address: int
    stride: int


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """The results of a driver: the failed games, and the number of refused actions."""

    failed: list[int]
    refused: int


class BatchRun:
    """The kernels of a batch on a GPU, and the memory that they use.

    Calls enter the context of the calling thread. Memory is released with this object.
    """

    def __init__(self, device: Device, kernels: BatchKernels, ptx: bytes, games: int) -> None:
        self.device, self.games = device, games
        driver, self._context = device.driver, kernels.context
        self._owned: list[int] = []
        self._readers: set[int | None] = set()
        with device.current():
            module = device.module(ptx, Job())
            self.stream = driver.stream()
            owned = self._owned, module, self.stream
            finalize(self, _release, driver, device.number, os.getpid(), *owned)
            if kernels.recurses:
                driver.raise_stack(STACK)
            self._functions = {name: driver.function(module, f"lanes_{name}") for name in NAMES}
            most = device.most_blocks(self._functions[STEP], kernels.context)
            self._blocks, self._contexts = min(most, -(-games // THREADS)), 0
            self._allocate_contexts()
        self._failures = self.allocate(WORD * (FAILURES + games))

    def allocate(self, size: int) -> int:
        """Return memory that lives as long as this object.

        If there is too little, fewer lanes leave more. Raises DeviceMemoryError.
        """
        with self.device.current():
            while True:
                try:
                    address = self.device.driver.allocate(max(size, 1))
                    break
                except DeviceMemoryError:
                    if self._blocks == 1:
                        raise
                    self._blocks //= 2
                    self._allocate_contexts()
        self._owned.append(address)
        return address

    def release(self, address: int) -> None:
        """Release memory early."""
        with self.device.current():
            self._owned.remove(address)
            self.device.driver.release(address)

    def share(self, stream: int | None) -> None:
        """Add a stream of another package that reads arrays; later kernels wait for its work.

        None is an unknown stream.
        """
        self._readers.add(stream)

    def _allocate_contexts(self) -> None:
        """Allocate the context records of all lanes, in place of those before; fewer if need be."""
        driver = self.device.driver
        if self._contexts:
            self._owned.remove(self._contexts)
            driver.release(self._contexts)
            self._contexts = 0
        while not self._contexts:
            size = self._blocks * THREADS * self._context
            try:
                self._contexts = driver.allocate(size)
            except DeviceMemoryError:
                if self._blocks == 1:
                    raise
                self._blocks //= 2
        self._owned.append(self._contexts)
        driver.clear(self._contexts, size, self.stream)

    def run(self, name: str, memories: Sequence[int], refused: int = 0) -> LaunchResult:
        """Call a driver for all games, with the addresses of its memories, the plan first.

        `refused` is the address of the words with the refused actions of a step.
        """
        driver = self.device.driver
        with self.device.current():
            driver.clear(self._failures, WORD * FAILURES, self.stream)
            words = self.games, self._contexts, self._failures, refused or self._failures
            self._launch(name, self._blocks, (*words, *memories))
            head = self.device.words(self._failures, 0, FAILURES, self.stream)
            failed = self.device.words(self._failures, FAILURES, head[FAILED_GAMES], self.stream)
        return LaunchResult(sorted(failed), head[REFUSED_GAMES])

    def take(self, actions: Any, illegal: int, default: int) -> None:
        """Copy actions of the GPU to the memory of actions, once their stream has computed them.

        Raises UsageError for an array of another form.
        """
        numbers = device_numbers(actions, self.games)
        with self.device.current():
            self._await(numbers)
            words = self.games, numbers.address, numbers.size, illegal, default
            self._launch(TAKE, -(-self.games // THREADS), words)

    def copied(self, actions: Any) -> bytes:
        """Return the bytes of actions of the GPU, once their stream has computed them.

        Raises UsageError for an array of another form.
        """
        numbers = device_numbers(actions, self.games)
        with self.device.current():
            self._await(numbers)
        return self.read(numbers.address, self.games * numbers.size)

    def _await(self, numbers: DeviceNumbers) -> None:
        """Wait for the stream of numbers. Raises UsageError if they are not on this GPU."""
        number = self.device.driver.device_of(numbers.address)
        if number != self.device.number:
            place = "in no memory of a GPU" if number is None else f"on `cuda:{number}`"
            own = f"expected actions on `cuda:{self.device.number}`"
            raise UsageError(f"{own}, found actions {place}")
        if not numbers.is_complete:
            self.device.driver.wait_for(numbers.stream)

    def observe(self, items: int, words: Sequence[int]) -> None:
        """Write the observations of all games; `items` is the number of planes of all games."""
        most = self.device.facts.processors * 64
        with self.device.current():
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
        most = max(size for _, _, size in rows)
        with (
            self.device.current(),
            self.device.memory(len(targets)) as to,
            self.device.memory(len(sources)) as of,
            self.device.memory(count * most) as buffer,
        ):
            driver.upload(to, targets, self.stream)
            driver.upload(of, sources, self.stream)
            for target, source, size in rows:
                reads = 0, of, buffer, source.address, size, source.stride, size
                writes = to, 0, target.address, buffer, target.stride, size, size
                for words in (reads, writes):
                    self._launch(COPY, -(-count // THREADS), (count, *words))
            driver.wait(self.stream)

    def put(self, address: int, memory: "WritableBuffer") -> None:
        """Copy memory of the host to the GPU."""
        with self.device.current():
            self._wait_for_readers()
            host = _address(memory)
            self.device.driver.upload_from(address, host, len(memory), self.stream)
            self.device.driver.wait(self.stream)

    def get(self, address: int, memory: "WritableBuffer") -> None:
        """Copy memory of the GPU to the host."""
        with self.device.current():
            self.device.driver.download_to(_address(memory), address, len(memory), self.stream)

    def read(self, address: int, size: int) -> bytes:
        with self.device.current():
            return self.device.driver.download(address, size, self.stream) if size else b""

    def _wait_for_readers(self) -> None:
        """Wait for other packages that read the arrays of the games."""
        for stream in self._readers:
            self.device.driver.wait_for(stream)

    def _launch(self, name: str, blocks: int, words: Sequence[int]) -> None:
        self._wait_for_readers()
        lanes, masked = blocks * THREADS, [word & 2**64 - 1 for word in words]
        function = self._functions[name]
        self.device.driver.launch(function, blocks, THREADS, (lanes, *masked), self.stream)


def _address(memory: "WritableBuffer") -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _release(
    driver: Driver, number: int, owner: int, addresses: Sequence[int], module: Any, stream: Any
) -> None:
    """Release memory, code and stream, unless the process has forked or the context has ended."""
    if os.getpid() != owner:
        return
    with suppress(DeviceError):
        driver.push(number)
        with suppress(DeviceError):
            for address in addresses:
                driver.release(address)
            driver.end_stream(stream)
            driver.unload(module)
        driver.pop()
