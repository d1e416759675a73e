"""The errors of NVIDIA's driver as sentences, with a module in place of `cuda-bindings`."""

import os
import sys
from enum import IntEnum
from types import ModuleType
from typing import Any

import pytest

from rulesengine.engine.kernel.backends.cuda import cuda_driver as tested
from rulesengine.engine.kernel.backends.cuda.cuda_driver import LARGE_PTX, CudaDriver, cuda_driver
from rulesengine.engine.kernel.backends.cuda.driver import (
    DeviceError,
    DeviceMemoryError,
    LostContextError,
    RefusedCodeError,
)

# Numbers of `cuda.h`.
STATUSES = {
    "OUT_OF_MEMORY": 2,
    "NOT_INITIALIZED": 3,
    "DEINITIALIZED": 4,
    "NO_DEVICE": 100,
    "INVALID_DEVICE": 101,
    "INVALID_IMAGE": 200,
    "INVALID_CONTEXT": 201,
    "NO_BINARY_FOR_GPU": 209,
    "INVALID_PTX": 218,
    "JIT_COMPILER_NOT_FOUND": 221,
    "UNSUPPORTED_PTX_VERSION": 222,
    "INVALID_SOURCE": 300,
    "INVALID_HANDLE": 400,
    "ILLEGAL_ADDRESS": 700,
    "LAUNCH_OUT_OF_RESOURCES": 701,
    "LAUNCH_TIMEOUT": 702,
    "CONTEXT_IS_DESTROYED": 709,
    "LAUNCH_FAILED": 719,
    "SYSTEM_DRIVER_MISMATCH": 803,
    "UNKNOWN": 999,
}


class DynamicLibNotFoundError(RuntimeError):
    """The error of `cuda-bindings` if the library of the driver is not found."""


class FunctionNotFoundError(RuntimeError):
    """The error of `cuda-bindings` if the library of the driver lacks a function."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a module in place of `cuda.bindings.driver`, whose calls succeed."""
    module: Any = ModuleType("cuda.bindings.driver")
    names = {"CUDA_SUCCESS": 0, **{f"CUDA_ERROR_{n}": k for n, k in STATUSES.items()}}
    module.CUresult = IntEnum("CUresult", names)  # type: ignore[misc]
    module.CUjitInputType = IntEnum("CUjitInputType", ["CU_JIT_INPUT_PTX"])  # type: ignore[misc]
    success = module.CUresult.CUDA_SUCCESS
    module.cuGetErrorName = lambda status: (success, status.name.encode())
    module.cuInit = lambda flags: (success,)
    options = {"CU_JIT_OPTIMIZATION_LEVEL": 7}
    module.CUjit_option = IntEnum("CUjit_option", options)  # type: ignore[misc]
    module.created = []
    module.cuLinkCreate = lambda *given: module.created.append(given) or (success, "state")
    module.cuLinkAddData = lambda *_: (success,)
    module.ended = []
    module.cuLinkDestroy = lambda state: module.ended.append(state)
    bindings: Any = ModuleType("cuda.bindings")
    bindings.driver = module
    monkeypatch.setitem(sys.modules, "cuda", ModuleType("cuda"))
    monkeypatch.setitem(sys.modules, "cuda.bindings", bindings)
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", module)
    users = set[int]()
    monkeypatch.setattr(tested, "_users", lambda: users)
    return module


def failing(calls: Any, name: str) -> Any:
    """Return a call that fails with a status."""
    return lambda *_: (calls.CUresult[f"CUDA_ERROR_{name}"],)


def test_a_driver_whose_library_is_missing_is_an_error(calls: Any) -> None:
    def missing(flags: int) -> None:
        raise DynamicLibNotFoundError("libcuda.so.1 was not found")

    calls.cuInit = missing
    with pytest.raises(DeviceError) as caught:
        cuda_driver()
    assert str(caught.value) == "no device `cuda`: no driver of an NVIDIA GPU is installed"


def test_an_empty_list_of_visible_gpus_is_an_error_with_a_hint(calls: Any) -> None:
    calls.cuInit = failing(calls, "NO_DEVICE")
    with pytest.raises(DeviceError) as caught:
        cuda_driver()
    assert str(caught.value).startswith(
        "no device `cuda`: no NVIDIA GPU is visible (CUDA_ERROR_NO_DEVICE)"
    )
    assert "CUDA_VISIBLE_DEVICES" in caught.value.hint


def test_a_process_that_forked_after_the_first_use_gets_no_driver(
    calls: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(cuda_driver(), CudaDriver)
    assert isinstance(cuda_driver(), CudaDriver)
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with pytest.raises(DeviceError, match="a process that forked after its first use"):
        cuda_driver()


def test_a_driver_without_a_function_is_too_old(calls: Any) -> None:
    def missing(*_: Any) -> None:
        raise FunctionNotFoundError

    calls.cuLinkCreate = missing
    with pytest.raises(DeviceError, match="the GPU's driver is too old: it has no `cuLinkCreate`"):
        cuda_driver().assemble(b"ptx")


def test_a_large_kernel_is_assembled_at_a_lower_level(calls: Any) -> None:
    calls.cuLinkComplete = lambda state: (calls.CUresult.CUDA_SUCCESS, 0, 0)
    for size in (LARGE_PTX, LARGE_PTX + 1):
        cuda_driver().assemble(bytes(size))
    level = calls.CUjit_option.CU_JIT_OPTIMIZATION_LEVEL
    assert calls.created == [(0, [], []), (1, [level], [1])]


REFUSES = "the GPU's driver refuses the kernel"


@pytest.mark.parametrize(
    ("status", "kind", "text"),
    [
        ("UNSUPPORTED_PTX_VERSION", RefusedCodeError, "the GPU's driver is too old for the kernel"),
        ("INVALID_PTX", RefusedCodeError, REFUSES),
        ("INVALID_IMAGE", RefusedCodeError, REFUSES),
        ("INVALID_SOURCE", RefusedCodeError, REFUSES),
        ("NO_BINARY_FOR_GPU", RefusedCodeError, REFUSES),
        ("JIT_COMPILER_NOT_FOUND", RefusedCodeError, REFUSES),
        ("OUT_OF_MEMORY", DeviceMemoryError, "the GPU has too little free memory"),
        ("CONTEXT_IS_DESTROYED", LostContextError, "the GPU's context has ended"),
        ("INVALID_CONTEXT", LostContextError, "the GPU's context has ended"),
        ("ILLEGAL_ADDRESS", LostContextError, "a kernel used an illegal address on the GPU"),
        ("LAUNCH_TIMEOUT", LostContextError, "the system ended a kernel that ran for too long"),
        ("LAUNCH_OUT_OF_RESOURCES", DeviceError, "a kernel needs more than the GPU has"),
        ("SYSTEM_DRIVER_MISMATCH", DeviceError, "the parts of the GPU's driver do not match"),
        ("UNKNOWN", DeviceError, "the driver of the GPU fails"),
    ],
)
def test_a_status_of_the_driver_is_a_sentence(
    calls: Any, status: str, kind: type[DeviceError], text: str
) -> None:
    calls.cuLinkAddData = failing(calls, status)
    with pytest.raises(DeviceError) as caught:
        cuda_driver().assemble(b"ptx")
    assert type(caught.value) is kind
    assert str(caught.value).startswith(text)
    assert f"(CUDA_ERROR_{status})" in str(caught.value)
    assert calls.ended == ["state"]
