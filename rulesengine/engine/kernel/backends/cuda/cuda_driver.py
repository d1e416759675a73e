"""The driver of NVIDIA GPUs by `cuda-bindings`, which is imported on first use."""

import ctypes
from collections.abc import Sequence
from typing import Any

from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceFacts,
    RefusedCodeError,
)

_NAME = 128  # bytes of the name of a GPU


def cuda_driver() -> "CudaDriver":
    """Return the driver of this machine. Raises DeviceError if there is none."""
    try:
        from cuda.bindings import driver as calls
    except ImportError:
        hint = "`pip install '.[cuda]'` in a clone adds it"
        raise DeviceError("no device `cuda`: cuda-bindings is not installed", hint) from None
    try:
        found = CudaDriver(calls)
        found.start()
    except (RuntimeError, OSError):  # the library of the driver is not found
        raise DeviceError("no device `cuda`: no driver of an NVIDIA GPU is installed") from None
    return found


class CudaDriver:
    """The calls of `cuda.bindings.driver`, with errors as exceptions."""

    def __init__(self, calls: Any) -> None:
        self._cu = calls
        result = calls.CUresult
        self._texts: dict[Any, str] = {
            result.CUDA_ERROR_NO_DEVICE: "no device `cuda`: no NVIDIA GPU is visible",
            result.CUDA_ERROR_INVALID_DEVICE: "the GPU has no device of this number",
            result.CUDA_ERROR_OUT_OF_MEMORY: "the GPU has too little free memory",
            result.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: "the parts of the GPU's driver do not match",
            result.CUDA_ERROR_CONTEXT_IS_DESTROYED: "the GPU's context has ended",
            result.CUDA_ERROR_ILLEGAL_ADDRESS: "a kernel used an illegal address on the GPU",
            result.CUDA_ERROR_LAUNCH_FAILED: "a kernel failed on the GPU",
            result.CUDA_ERROR_LAUNCH_TIMEOUT: "the system ended a kernel that ran for too long",
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

    def _checked(self, returned: tuple[Any, ...]) -> Any:
        """Return the values of a call, None without any and the value alone if it is one."""
        status, *values = returned
        if status == self._cu.CUresult.CUDA_SUCCESS:
            return values[0] if len(values) == 1 else tuple(values) or None
        code, text = self._cu.cuGetErrorName(status)[1], self._texts.get(status)
        name = code.decode() if code else str(status)
        if status in self._refusals:
            raise RefusedCodeError(f"the GPU's driver refuses the kernel ({name})")
        raise DeviceError(f"{text or 'the driver of the GPU fails'} ({name})")

    def start(self) -> None:
        """Initialise the driver. Raises RuntimeError without its library."""
        self._checked(self._cu.cuInit(0))

    def version(self) -> int:
        return int(self._checked(self._cu.cuDriverGetVersion()))

    def count(self) -> int:
        return int(self._checked(self._cu.cuDeviceGetCount()))

    def facts(self, number: int) -> DeviceFacts:
        cu, kinds = self._cu, self._cu.CUdevice_attribute
        device = self._checked(cu.cuDeviceGet(number))
        major, minor, processors = (
            int(self._checked(cu.cuDeviceGetAttribute(kind, device)))
            for kind in (
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                kinds.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
            )
        )
        name = self._checked(cu.cuDeviceGetName(_NAME, device)).partition(b"\0")[0].decode()
        memory = int(self._checked(cu.cuDeviceTotalMem(device)))
        return DeviceFacts(name, (major, minor), processors, memory)

    def enter(self, number: int) -> None:
        device = self._checked(self._cu.cuDeviceGet(number))
        context = self._checked(self._cu.cuDevicePrimaryCtxRetain(device))
        self._checked(self._cu.cuCtxSetCurrent(context))

    def raise_stack(self, size: int) -> None:
        limit = self._cu.CUlimit.CU_LIMIT_STACK_SIZE
        if int(self._checked(self._cu.cuCtxGetLimit(limit))) < size:
            self._checked(self._cu.cuCtxSetLimit(limit, size))

    # code

    def assemble(self, ptx: bytes) -> bytes:
        cu, text = self._cu, ptx + b"\0"
        state = self._checked(cu.cuLinkCreate(0, [], []))
        try:
            kind = cu.CUjitInputType.CU_JIT_INPUT_PTX
            self._checked(cu.cuLinkAddData(state, kind, text, len(text), b"kernel", 0, [], []))
            address, size = self._checked(cu.cuLinkComplete(state))
            return ctypes.string_at(int(address), int(size))
        finally:
            cu.cuLinkDestroy(state)

    def load(self, code: bytes) -> Any:
        return self._checked(self._cu.cuModuleLoadData(code))

    def unload(self, module: Any) -> None:
        self._checked(self._cu.cuModuleUnload(module))

    def function(self, module: Any, name: str) -> Any:
        return self._checked(self._cu.cuModuleGetFunction(module, name.encode()))

    def blocks_of(self, function: Any, threads: int) -> int:
        cu = self._cu
        found = cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, threads, 0)
        return int(self._checked(found))

    # memory

    def free_memory(self) -> int:
        return int(self._checked(self._cu.cuMemGetInfo())[0])

    def allocate(self, size: int) -> int:
        return int(self._checked(self._cu.cuMemAlloc(size)))

    def release(self, address: int) -> None:
        self._checked(self._cu.cuMemFree(address))

    def allocate_mapped(self, size: int) -> tuple[int, int]:
        host = self._checked(self._cu.cuMemHostAlloc(size, self._cu.CU_MEMHOSTALLOC_DEVICEMAP))
        return int(host), int(self._checked(self._cu.cuMemHostGetDevicePointer(host, 0)))

    def release_mapped(self, address: int) -> None:
        self._checked(self._cu.cuMemFreeHost(address))

    def clear(self, address: int, size: int, stream: Any) -> None:
        self._checked(self._cu.cuMemsetD8Async(address, 0, size, stream))

    def upload(self, address: int, data: bytes, stream: Any) -> None:
        self._checked(self._cu.cuMemcpyHtoDAsync(address, data, len(data), stream))
        self.wait(stream)  # the bytes may be gone later

    def upload_from(self, address: int, host: int, size: int, stream: Any) -> None:
        self._checked(self._cu.cuMemcpyHtoDAsync(address, host, size, stream))

    def download_to(self, host: int, address: int, size: int, stream: Any) -> None:
        self.wait(stream)
        self._checked(self._cu.cuMemcpyDtoH(host, address, size))

    def download(self, address: int, size: int, stream: Any) -> bytes:
        data = ctypes.create_string_buffer(size)
        self.download_to(ctypes.addressof(data), address, size, stream)
        return data.raw

    # work

    def stream(self) -> Any:
        return self._checked(self._cu.cuStreamCreate(1))  # without waits for the default stream

    def end_stream(self, stream: Any) -> None:
        self._checked(self._cu.cuStreamDestroy(stream))

    def launch(
        self, function: Any, blocks: int, threads: int, words: Sequence[int], stream: Any
    ) -> None:
        types = (ctypes.c_uint64,) * len(words)
        sizes = blocks, 1, 1, threads, 1, 1, 0
        params = tuple(words), types
        self._checked(self._cu.cuLaunchKernel(function, *sizes, stream, params, 0))

    def wait(self, stream: Any) -> None:
        self._checked(self._cu.cuStreamSynchronize(stream))

    def wait_for(self, stream: int | None) -> None:
        cu = self._cu
        self._checked(cu.cuCtxSynchronize() if stream is None else cu.cuStreamSynchronize(stream))
