"""The protocol of a GPU's driver, and the errors that it reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rulesengine.errors import UsageError


class DeviceError(UsageError):
    """A GPU that is missing, that lacks memory, or that has failed."""


class RefusedCodeError(DeviceError):
    """Machine code that the driver does not load; PTX may still work."""


class DeviceMemoryError(DeviceError):
    """A GPU with too little free memory; a smaller share of the work may fit."""


class LostContextError(DeviceError):
    """A context that has ended, with all of its memory; later calls need another one."""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """The properties of a GPU on which the code depends.

    - `name`: its name.
    - `capability`: its compute capability, the major and the minor number.
    - `processors`: the number of its multiprocessors.
    - `memory`: the bytes of its memory.
    """

    name: str
    capability: tuple[int, int]
    processors: int
    memory: int


class Driver(Protocol):
    """The calls of a driver that the package uses; each may raise DeviceError.

    Addresses are numbers. Modules, functions and streams are values of the driver. The context is
    that of the calling thread.
    """

    def version(self) -> int:
        """Return the version of CUDA that the driver supports: 1000 times the major number, plus
        ten times the minor one.
        """

    def count(self) -> int:
        """Return the number of visible GPUs."""

    def facts(self, number: int) -> DeviceFacts: ...

    def push(self, number: int) -> None:
        """Make the primary context of a GPU that of this thread, until `pop`."""

    def pop(self) -> None:
        """Restore the context that this thread had before `push`."""

    def raise_stack(self, size: int) -> None:
        """Raise the stack of a lane to a number of bytes, unless it is larger."""

    def assemble(self, ptx: bytes) -> bytes:
        """Return machine code for the GPU of the context."""

    def load(self, code: bytes) -> Any:
        """Load machine code and return the module."""

    def unload(self, module: Any) -> None: ...

    def function(self, module: Any, name: str) -> Any: ...

    def blocks_of(self, function: Any, threads: int) -> int:
        """Return the number of blocks of so many threads that run on a multiprocessor at a time."""

    def free_memory(self) -> int: ...

    def device_of(self, address: int) -> int | None:
        """Return the number of the GPU that has a memory address; None if there is none."""

    def allocate(self, size: int) -> int:
        """Return the address of memory. Raises DeviceMemoryError."""

    def release(self, address: int) -> None: ...

    def allocate_mapped(self, size: int) -> tuple[int, int]:
        """Return memory of the host that the GPU reads: its address on the host and on the GPU."""

    def release_mapped(self, address: int) -> None: ...

    def stream(self) -> Any: ...

    def end_stream(self, stream: Any) -> None: ...

    def clear(self, address: int, size: int, stream: Any) -> None: ...

    def upload(self, address: int, data: bytes, stream: Any) -> None: ...

    def upload_from(self, address: int, host: int, size: int, stream: Any) -> None:
        """Copy bytes at an address of the host; they must stay until the stream has worked."""

    def download_to(self, host: int, address: int, size: int, stream: Any) -> None:
        """Copy bytes to an address of the host, after all earlier work of the stream."""

    def download(self, address: int, size: int, stream: Any) -> bytes:
        """Return the bytes of memory, after all earlier work of the stream."""

    def launch(
        self, function: Any, blocks: int, threads: int, words: Sequence[int], stream: Any
    ) -> None:
        """Start a kernel; its parameters are words of 64 bits."""

    def wait(self, stream: Any) -> None:
        """Wait for all work of a stream."""

    def wait_for(self, stream: int | None) -> None:
        """Wait for a stream of another package, given by its handle; without one, for all work."""
