"""Arrays in the memory of a GPU, which other packages read without a copy.

They implement the CUDA array interface (version 3, of Numba's documentation) and DLPack (version
0.8, `dlpack.h`). All work on an array has ended before its owner returns it, so that any stream may
read it.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rulesengine.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

_CUDA = 2  # kDLCUDA
_CODES: MappingProxyType[str, int] = MappingProxyType({"i": 0, "b": 6})  # DLDataTypeCode: int, bool
_CAPSULE = b"dltensor"


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _ManagedTensor(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = (
        ("tensor", _Tensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    )


@dataclass(frozen=True, slots=True)
class DeviceArray:
    """A read-only array in the memory of a GPU; it changes with the steps of its owner.

    - `address`: the address of its first item.
    - `shape`: its dimensions.
    - `strides`: bytes from an item to the next one in each dimension.
    - `kind`: the type of its items in NumPy's notation, `|b1` or `<i8`.
    - `device`: the number of the GPU.
    - `read`: reads bytes of the GPU's memory from an address on.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    kind: str
    device: int
    read: Callable[[int, int], bytes]

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.kind,
            "data": (self.address, False),
            "version": 3,
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self.device

    def __dlpack__(self, **_: Any) -> Any:
        """Return a capsule of the array. The arguments of later versions of DLPack are ignored."""
        return _capsule(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> "np.ndarray":
        """Copy the array to the host."""
        import numpy as np

        if copy is False:
            raise ValueError("an array of a GPU is copied to the host")
        size = int(self.kind[2:])
        extent = size + sum((n - 1) * by for n, by in zip(self.shape, self.strides, strict=True))
        data = self.read(self.address, extent if prod(self.shape) else 0)
        held = np.ndarray(self.shape, self.kind, data, 0, self.strides)
        return held.astype(dtype or self.kind)

    def numpy(self) -> "np.ndarray":
        """Copy the array to the host."""
        return self.__array__()


def device_address(array: Any, games: int) -> tuple[int, int]:
    """Return the address of an array of actions on a GPU, and the bytes of each action.

    Raises UsageError unless it has whole numbers of 4 or 8 bytes, one for each game, without gaps.
    """
    found = array.__cuda_array_interface__
    kind, shape = found["typestr"], tuple(found["shape"])
    if kind not in ("<i4", "<i8") or shape != (games,):
        raise UsageError(f"expected {games} actions of 4 or 8 bytes, found {kind} {shape}")
    size = int(kind[2:])
    if found.get("strides") not in (None, (size,)):
        raise UsageError("actions on a GPU have no gaps between them")
    return int(found["data"][0]), size


def _capsule(array: DeviceArray) -> Any:
    """Return a capsule that owns a description of an array."""
    size = int(array.kind[2:])
    count = len(array.shape)
    held = _ManagedTensor()
    shape = (ctypes.c_int64 * count)(*array.shape)
    strides = (ctypes.c_int64 * count)(*(by // size for by in array.strides))
    tensor = held.tensor
    tensor.data, tensor.device_type, tensor.device_id = array.address, _CUDA, array.device
    tensor.ndim, tensor.lanes = count, 1
    tensor.code, tensor.bits = _CODES[array.kind[1]], 8 * size
    tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64))
    owner = ctypes.py_object((held, shape, strides, array))
    counts = ctypes.pythonapi.Py_IncRef, ctypes.pythonapi.Py_DecRef
    counts[0](owner)  # until the deleter runs

    def delete(_: int) -> None:
        counts[1](owner)

    held.deleter = _DESTRUCTOR(delete)
    return _NEW(ctypes.addressof(held), _CAPSULE, ctypes.cast(_DESTROY, ctypes.c_void_p))


_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_NEW = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_POINTER = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_IS_VALID = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)


def _delete_unused(capsule: int) -> None:
    """Delete the description of a capsule that no package has taken over."""
    if _IS_VALID(capsule, _CAPSULE):
        held = _ManagedTensor.from_address(_POINTER(capsule, _CAPSULE))
        held.deleter(ctypes.addressof(held))


_DESTROY = _DESTRUCTOR(_delete_unused)
