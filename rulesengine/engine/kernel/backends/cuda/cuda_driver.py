"""The driver of NVIDIA GPUs by `cuda-bindings`, which is imported on first use."""

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from typing import Any
from weakref import finalize

from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceFacts,
    DeviceMemoryError,
    LostContextError,
    RefusedCodeError,
)

_FIRST = "cuInit"
_NAME = 128  # bytes of the name of a GPU
# Bytes of PTX above which the assembler runs at a lower level; `ptxas` then takes half the time.
LARGE_PTX, LARGE_LEVEL = 1_000_000, 1
_HIDDEN = "the variable `CUDA_VISIBLE_DEVICES` may hide all"
_FORKED = "a GPU cannot be used by a process that forked after its first use"


@cache
def _users() -> set[int]:
    """Return the process that has initialised the driver, also in its children."""
    return set()


def cuda_driver() -> "CudaDriver":
    """Return the driver of this machine. Raises DeviceError if there is none."""
    if _users() - {os.getpid()}:
        raise DeviceError(_FORKED)
    try:
        from cuda.bindings import driver as calls
    except ImportError:
        hint = "`pip install '.[cuda]'` in a clone adds it"
        raise DeviceError("no device `cuda`: cuda-bindings is not installed", hint) from None
    try:
        driver = CudaDriver(calls)
        driver.start()
    except (RuntimeError, OSError):  # the library of the driver is not found
        raise DeviceError("no device `cuda`: no driver of an NVIDIA GPU is installed") from None
    _users().add(os.getpid())
    return driver


class CudaDriver:
    """The calls of `cuda.bindings.driver`, with errors as exceptions."""

    def __init__(self, calls: Any) -> None:
        self._cu, self._calls = calls, vars(calls)
        result = calls.CUresult
        self._contexts: dict[int, Any] = {}
        finalize(self, _release_contexts, calls, self._contexts, os.getpid()).atexit = False
        lost = "the GPU's context has ended, and with it all work on this GPU"
        self._lost = {
            result.CUDA_ERROR_CONTEXT_IS_DESTROYED: lost,
            result.CUDA_ERROR_INVALID_CONTEXT: lost,
            result.CUDA_ERROR_INVALID_HANDLE: lost,
            result.CUDA_ERROR_DEINITIALIZED: "the GPU's driver has ended",
            result.CUDA_ERROR_ILLEGAL_ADDRESS: "a kernel used an illegal address on the GPU",
            result.CUDA_ERROR_LAUNCH_FAILED: "a kernel failed on the GPU",
            result.CUDA_ERROR_LAUNCH_TIMEOUT: "the system ended a kernel that ran for too long",
        }
        self._texts: dict[Any, str] = {
            result.CUDA_ERROR_NO_DEVICE: "no device `cuda`: no NVIDIA GPU is visible",
            result.CUDA_ERROR_NOT_INITIALIZED: _FORKED,
            result.CUDA_ERROR_INVALID_DEVICE: "the GPU has no device of this number",
            result.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: "the parts of the GPU's driver do not match",
            result.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: "a kernel needs more than the GPU has",
        }
        self._refusals = (
            result.CUDA_ERROR_INVALID_IMAGE,
            result.CUDA_ERROR_INVALID_PTX,
            result.CUDA_ERROR_INVALID_SOURCE,
            result.CUDA_ERROR_NO_BINARY_FOR_GPU,
            result.CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            result.CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
        )

    def _call(self, name: str, *args: Any) -> Any:
        """Return the values of a call, None without any and the value alone if it is one."""
        try:
            status, *values = self._calls[name](*args)
        except RuntimeError as error:  # the library of the driver lacks the function
            if name == _FIRST:
                raise
            raise DeviceError(f"the GPU's driver is too old: it has no `{name}`") from error
        if status == self._cu.CUresult.CUDA_SUCCESS:
            return values[0] if len(values) == 1 else tuple(values) or None
        raise self._error(status)

    def _error(self, status: Any) -> DeviceError:
        """Return the error of a status."""
        code, result = self._cu.cuGetErrorName(status)[1], self._cu.CUresult
        name = code.decode() if code else str(status)
        if status == result.CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
            return RefusedCodeError(f"the GPU's driver is too old for the kernel ({name})")
        if status in self._refusals:
            return RefusedCodeError(f"the GPU's driver refuses the kernel ({name})")
        if status == result.CUDA_ERROR_OUT_OF_MEMORY:
            return DeviceMemoryError(f"the GPU has too little free memory ({name})")
        if status in self._lost:
            return LostContextError(f"{self._lost[status]} ({name})")
        text = f"{self._texts.get(status, 'the driver of the GPU fails')} ({name})"
        return DeviceError(text, _HIDDEN if status == result.CUDA_ERROR_NO_DEVICE else "")

    def start(self) -> None:
        """Initialise the driver. Raises RuntimeError without its library."""
        self._call("cuInit", 0)

    def version(self) -> int:
        return int(self._call("cuDriverGetVersion"))

    def count(self) -> int:
        return int(self._call("cuDeviceGetCount"))

    def facts(self, number: int) -> DeviceFacts:
        kinds = self._cu.CUdevice_attribute
        device = self._call("cuDeviceGet", number)
        major, minor, processors = (
            int(self._call("cuDeviceGetAttribute", kind, device))
            for kind in (
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                kinds.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
            )
        )
        name = self._call("cuDeviceGetName", _NAME, device).partition(b"\0")[0].decode()
        memory = int(self._call("cuDeviceTotalMem", device))
        return DeviceFacts(name, (major, minor), processors, memory)

    def push(self, number: int) -> None:
        if number not in self._contexts:
            device = self._call("cuDeviceGet", number)
            self._contexts[number] = self._call("cuDevicePrimaryCtxRetain", device)
        self._call("cuCtxPushCurrent", self._contexts[number])

    def pop(self) -> None:
        self._call("cuCtxPopCurrent")

    def raise_stack(self, size: int) -> None:
        limit = self._cu.CUlimit.CU_LIMIT_STACK_SIZE
        if int(self._call("cuCtxGetLimit", limit)) < size:
            self._call("cuCtxSetLimit", limit, size)

    # code

    def assemble(self, ptx: bytes) -> bytes:
        cu, text = self._cu, ptx + b"\0"
        options, values = [], list[int]()
        if len(ptx) > LARGE_PTX:
            options, values = [cu.CUjit_option.CU_JIT_OPTIMIZATION_LEVEL], [LARGE_LEVEL]
        state = self._call("cuLinkCreate", len(options), options, values)
        try:
            kind = cu.CUjitInputType.CU_JIT_INPUT_PTX
            self._call("cuLinkAddData", state, kind, text, len(text), b"kernel", 0, [], [])
            address, size = self._call("cuLinkComplete", state)
            return ctypes.string_at(int(address), int(size))
        finally:
            cu.cuLinkDestroy(state)

    def load(self, code: bytes) -> Any:
        return self._call("cuModuleLoadData", code)

    def unload(self, module: Any) -> None:
        self._call("cuModuleUnload", module)

    def function(self, module: Any, name: str) -> Any:
        return self._call("cuModuleGetFunction", module, name.encode())

    def blocks_of(self, function: Any, threads: int) -> int:
        name = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
        return int(self._call(name, function, threads, 0))

    # memory

    def free_memory(self) -> int:
        return int(self._call("cuMemGetInfo")[0])

    def device_of(self, address: int) -> int | None:
        kind = self._cu.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
        try:
            ordinal = int(self._call("cuPointerGetAttribute", kind, address))
        except DeviceError:  # of memory that the driver does not know
            return None
        return ordinal if ordinal >= 0 else None

    def allocate(self, size: int) -> int:
        return int(self._call("cuMemAlloc", size))

    def release(self, address: int) -> None:
        self._call("cuMemFree", address)

    def allocate_mapped(self, size: int) -> tuple[int, int]:
        host = self._call("cuMemHostAlloc", size, self._cu.CU_MEMHOSTALLOC_DEVICEMAP)
        return int(host), int(self._call("cuMemHostGetDevicePointer", host, 0))

    def release_mapped(self, address: int) -> None:
        self._call("cuMemFreeHost", address)

    def clear(self, address: int, size: int, stream: Any) -> None:
        self._call("cuMemsetD8Async", address, 0, size, stream)

    def upload(self, address: int, data: bytes, stream: Any) -> None:
        self._call("cuMemcpyHtoDAsync", address, data, len(data), stream)
        self.wait(stream)  # the bytes may be gone later

    def upload_from(self, address: int, host: int, size: int, stream: Any) -> None:
        self._call("cuMemcpyHtoDAsync", address, host, size, stream)

    def download_to(self, host: int, address: int, size: int, stream: Any) -> None:
        self.wait(stream)
        self._call("cuMemcpyDtoH", host, address, size)

    def download(self, address: int, size: int, stream: Any) -> bytes:
        data = ctypes.create_string_buffer(size)
        self.download_to(ctypes.addressof(data), address, size, stream)
        return data.raw

    # work

    def stream(self) -> Any:
        return self._call("cuStreamCreate", 1)  # without waits for the default stream

    def end_stream(self, stream: Any) -> None:
        self._call("cuStreamDestroy", stream)

    def launch(
        self, function: Any, blocks: int, threads: int, words: Sequence[int], stream: Any
    ) -> None:
        types = (ctypes.c_uint64,) * len(words)
        sizes = blocks, 1, 1, threads, 1, 1, 0
        params = tuple(words), types
        self._call("cuLaunchKernel", function, *sizes, stream, params, 0)

    def wait(self, stream: Any) -> None:
        self._call("cuStreamSynchronize", stream)

    def wait_for(self, stream: int | None) -> None:
        if stream is None:
            self._call("cuCtxSynchronize")
            return
        try:
            self._call("cuStreamSynchronize", stream)
        except LostContextError:  # the other package may have ended its stream
            self._call("cuCtxSynchronize")


def _release_contexts(calls: Any, contexts: dict[int, Any], owner: int) -> None:
    """Release the contexts of GPUs by number, unless the process has forked."""
    if os.getpid() != owner:
        return
    for number in contexts:
        _, device = calls.cuDeviceGet(number)
        calls.cuDevicePrimaryCtxRelease(device)
