"""A GPU in use: its code, and memory that is released at the end of a block."""

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, TypeVar

from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceMemoryError,
    Driver,
    RefusedCodeError,
)
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.job import Job
from rulesengine.support.blocking import start_thread
from rulesengine.support.cache import digest

T = TypeVar("T")

CPU, CUDA, AUTO = "cpu", "cuda", "auto"
THREADS = 128  # lanes of a block
WORD = 8  # bytes
JOB = 128  # bytes of the memory of a job
STACK = 32 * 1024  # bytes of a lane with recursive code: `LANE_STACK` and the last frames
_OLDEST = 7, 0  # compute capability
_OLDEST_VERSION = 9000  # of CUDA, the first with PTX 6.0
_KIND = "cubin"
_POLL = 0.05  # seconds between polls for interrupts


def device_number(name: str) -> int | None:
    """Return the number of a GPU of a name such as `cuda` or `cuda:1`; None for another name."""
    kind, colon, number = name.partition(":")
    if kind != CUDA or (colon and not (number.isascii() and number.isdecimal())):
        return None
    return int(number or 0)


class Device:
    """A GPU of a number. Raises DeviceError if it is missing or too old.

    The driver keeps no state of a process that forks, so a device is only used by its process.
    """

    def __init__(self, driver: Driver, number: int, store: Store | None = None) -> None:
        if number >= driver.count():
            count = driver.count()
            raise DeviceError(f"no device `cuda:{number}`: the number of visible GPUs is {count}")
        if driver.version() < _OLDEST_VERSION:
            raise DeviceError("the GPU's driver is older than CUDA 9.0")
        self.driver, self.number, self.facts = driver, number, driver.facts(number)
        self._store, self._owner = store, os.getpid()
        self._codes: dict[bytes, bytes] = {}
        if self.facts.capability < _OLDEST:
            capability, least = (".".join(map(str, c)) for c in (self.facts.capability, _OLDEST))
            text = f"the compute capability of {self.facts.name} is {capability}, below {least}"
            raise DeviceError(text)

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make the GPU's context that of the calling thread for the duration of a `with` block.

        Raises DeviceError after a fork.
        """
        if os.getpid() != self._owner:
            raise DeviceError("a GPU cannot be used by a process that forked after its first use")
        self.driver.push(self.number)
        try:
            yield
        finally:
            with suppress(DeviceError):  # of an earlier failure that ended the context
                self.driver.pop()

    def machine_code(self, ptx: bytes, job: Job) -> bytes:
        """Return the machine code of PTX, cached by the GPU's compute capability.

        An interrupt or a stopped job abandons the assembler, which nothing can end.
        """
        code = self._cached(ptx)
        return self._assembled(ptx, job) if code is None else code

    def has_code(self, ptx: bytes) -> bool:
        """True if the machine code of PTX is cached."""
        return self._cached(ptx) is not None

    def module(self, ptx: bytes, job: Job) -> Any:
        """Load PTX and return the module; the context is current."""
        code = self._cached(ptx)
        if code is not None:
            with suppress(RefusedCodeError):  # a damaged entry of the cache
                return self.driver.load(code)
        return self.driver.load(self._assembled(ptx, job))

    def _cached(self, ptx: bytes) -> bytes | None:
        key = self._key(ptx)
        return self._codes.get(key) or (self._store.get(_KIND, key) if self._store else None)

    def _assembled(self, ptx: bytes, job: Job) -> bytes:
        """Assemble PTX, and cache the machine code."""

        def assemble() -> bytes:
            with self.current():
                return self.driver.assemble(ptx)

        code, key = abandonable(assemble, job), self._key(ptx)
        self._codes[key] = code
        if self._store:
            self._store.put(_KIND, key, code)
        return code

    @contextmanager
    def function(self, ptx: bytes, name: str, job: Job, *, recurses: bool) -> Iterator[Any]:
        """Yield a function of PTX, with the context current; unload it at the end."""
        with self.current():
            module = self.module(ptx, job)
            try:
                if recurses:
                    self.driver.raise_stack(STACK)
                yield self.driver.function(module, name)
            finally:
                with suppress(DeviceError):
                    self.driver.unload(module)

    def most_blocks(self, function: Any, context: int) -> int:
        """Return the number of blocks that run at a time, with context records of so many bytes.

        Raises DeviceError if one block has no memory.
        """
        room = self.driver.free_memory() // 2 // (THREADS * context)
        if not room:
            size = THREADS * context
            text = f"the GPU has too little free memory: a block needs {size} bytes"
            raise DeviceMemoryError(text)
        at_once = max(1, self.driver.blocks_of(function, THREADS))
        return min(self.facts.processors * at_once, room)

    def words(self, address: int, first: int, count: int, stream: Any) -> list[int]:
        """Return 64-bit words of memory, from a word on, after all work of the stream."""
        if not count:
            return []
        data = self.driver.download(address + first * WORD, count * WORD, stream)
        return list(memoryview(data).cast("Q"))

    def _key(self, ptx: bytes) -> bytes:
        capability, version = self.facts.capability, self.driver.version()
        return digest(ptx, repr((capability, version)).encode())

    @contextmanager
    def memory(self, size: int) -> Iterator[int]:
        """Yield the address of memory of the GPU, which is released at the end."""
        address = self.driver.allocate(max(size, 1))
        try:
            yield address
        finally:
            with suppress(DeviceError):  # of an earlier failure that ended the context
                self.driver.release(address)

    @contextmanager
    def mapped(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield memory of the host that the GPU reads: its address on the host and on the GPU."""
        host, address = self.driver.allocate_mapped(size)
        try:
            yield host, address
        finally:
            with suppress(DeviceError):
                self.driver.release_mapped(host)

    @contextmanager
    def stream(self) -> Iterator[Any]:
        stream = self.driver.stream()
        try:
            yield stream
        finally:
            with suppress(DeviceError):
                self.driver.end_stream(stream)


@contextmanager
def watched(job: Job, address: int) -> Iterator[memoryview]:
    """Yield memory of the host through which a job counts and is cancelled."""
    memory = memoryview((ctypes.c_uint8 * JOB).from_address(address)).cast("B")
    memory[:] = bytes(JOB)
    with job.attach(memory):
        yield memory


class Preparation:
    """A call on a background thread, which does not keep the process alive."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, args=(call,), name="assembler", daemon=True)
        start_thread(self._thread)

    @property
    def is_over(self) -> bool:
        return not self._thread.is_alive()

    def check(self) -> None:
        """Raise the error of the call, if it has failed."""
        if self._error is not None:
            raise self._error

    def _run(self, call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:
            self._error = error


def abandonable(call: Callable[[], T], job: Job) -> T:
    """Return the result of a call on a thread; a stopped job or an interrupt does not wait for it.

    Raises the error of the call, and Stopped.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=run, name="assembler", daemon=True)
    start_thread(thread)
    while thread.is_alive():
        thread.join(_POLL)
        job.raise_if_stopped()
    if errors:
        raise errors[0]
    return results[0]
