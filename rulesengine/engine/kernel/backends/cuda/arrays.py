"""Arrays in the memory of a GPU, which other packages read without a copy.

They implement the CUDA array interface (version 3, of Numba's documentation) and DLPack (version
0.8, `dlpack.h`). All work on an array has ended before its owner returns it, so that any stream may
read it. The owner waits for the streams that may read before it changes an array.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rulesengine.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

_CUDA = 2  # kDLCUDA
_CODES: MappingProxyType[str, int] = MappingProxyType({"i": 0, "b": 6})  # DLDataTypeCode: int, bool
_CAPSULE = b"dltensor"
_LEGACY, _UNORDERED = 1, -1  # streams of DLPack


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
    - `share`: receives a stream that may read the array; None if it is unknown.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    kind: str
    device: int
    read: Callable[[int, int], bytes]
    share: Callable[[int | None], None]

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        self.share(None)
        return self.interface()

    def interface(self) -> dict[str, Any]:
        """Return the description in the CUDA array interface, for use in this package."""
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

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a capsule of the array, of DLPack before version 1.

        The array needs no wait, but its next change waits for the `stream`. That is a handle, 1
        (the legacy default stream, also by None), 2 (the default stream of the thread), or -1 for
        no wait. Raises BufferError for another device and for a copy.
        """
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError(f"the array is on `cuda:{self.device}`; `numpy()` copies it")
        if copy:
            raise BufferError("an array of a batch is shared without a copy")
        number = _LEGACY if stream is None else stream
        if isinstance(number, bool) or not isinstance(number, int) or number == 0 or number < -1:
            raise UsageError(f"expected a stream of DLPack: -1, 1, 2 or a handle, found {number!r}")
        if number != _UNORDERED:
            self.share(number)
        return _capsule(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> "np.ndarray":
        """Copy the array to the host."""
        import numpy as np

        if copy is False:
            raise ValueError("an array of a GPU is copied to the host")
        size = int(self.kind[2:])
        extent = size + sum((n - 1) * by for n, by in zip(self.shape, self.strides, strict=True))
        data = self.read(self.address, extent if prod(self.shape) else 0)
        host_array = np.ndarray(self.shape, self.kind, data, 0, self.strides)
        return host_array.astype(dtype or self.kind)

    def numpy(self) -> "np.ndarray":
        """Copy the array to the host."""
        return self.__array__()


@dataclass(frozen=True, slots=True)
class DeviceNumbers:
    """Whole numbers in the memory of a GPU, without gaps.

    - `address`: the address of the first one.
    - `size`: the bytes of each.
    - `stream`: the handle of the stream that computes them; None if it is unknown.
    - `is_complete`: True if they have been computed.
    """

    address: int
    size: int
    stream: int | None
    is_complete: bool


def is_on_gpu(array: Any) -> bool:
    """True if an array has the CUDA array interface."""
    return isinstance(array, DeviceArray) or hasattr(array, "__cuda_array_interface__")


def device_numbers(array: Any, games: int) -> DeviceNumbers:
    """Return the numbers of an array of actions on a GPU.

    Raises UsageError unless it has whole numbers of 4 or 8 bytes, one for each game, without gaps.
    """
    if isinstance(array, DeviceArray):
        interface = array.interface()
    else:
        interface = array.__cuda_array_interface__
    kind, shape, stream = interface["typestr"], tuple(interface["shape"]), interface.get("stream")
    if kind not in ("<i4", "<i8") or shape != (games,):
        raise UsageError(f"expected {games} actions of 4 or 8 bytes, found {kind} {shape}")
    size = int(kind[2:])
    if interface.get("strides") not in (None, (size,)):
        raise UsageError("actions on a GPU have no gaps between them")
    if interface.get("mask") is not None:
        raise UsageError("actions on a GPU have no mask; use `where`")
    if stream is not None and stream <= 0:
        raise UsageError(f"actions on a GPU have a stream of number {stream}")
    return DeviceNumbers(int(interface["data"][0]), size, stream, isinstance(array, DeviceArray))


def _capsule(array: DeviceArray) -> Any:
    """Return a capsule that owns a description of an array."""
    size = int(array.kind[2:])
    count = len(array.shape)
    managed = _ManagedTensor()
    shape = (ctypes.c_int64 * count)(*array.shape)
    strides = (ctypes.c_int64 * count)(*(by // size for by in array.strides))
    tensor = managed.tensor
    tensor.data, tensor.device_type, tensor.device_id = array.address, _CUDA, array.device
    tensor.ndim, tensor.lanes = count, 1
    tensor.code, tensor.bits = _CODES[array.kind[1]], 8 * size
    tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = _FORGET
    place = ctypes.addressof(managed)
    _owned()[place] = managed, shape, strides, array
    return _NEW(place, _CAPSULE, ctypes.cast(_DESTROY, ctypes.c_void_p))


@cache
def _owned() -> dict[int, tuple[Any, ...]]:
    """Return the descriptions of arrays by address, until packages delete them."""
    return {}


def _forget(place: int) -> None:
    """Release the description of an array that a package no longer needs."""
    _owned().pop(place, None)


_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_FORGET = _DESTRUCTOR(_forget)
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
        managed = _ManagedTensor.from_address(_POINTER(capsule, _CAPSULE))
        managed.deleter(ctypes.addressof(managed))


_DESTROY = _DESTRUCTOR(_delete_unused)
