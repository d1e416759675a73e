"""Emitted functions as built-in functions of this Python."""

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesengine.engine.kernel.backends.callables import Fast
from rulesengine.engine.kernel.backends.native.cpython_api import (
    BYTES,
    CALLS,
    CONTEXT,
    FIRST_CALL,
    FIRST_OBJECT,
    HELD,
    KEPT,
    LENGTH,
    NONE,
)

_OBJECTS = LENGTH
_FAST_CALL = 0x82  # METH_FASTCALL | METH_KEYWORDS


def objects_of(fasts: Mapping[str, Fast]) -> list[object]:
    """What the table holds after the functions."""
    return [value for fast in fasts.values() for value in fast.objects()]


class _Kept(ctypes.Structure):
    """What code keeps from call to call: objects at HELD, LISTED and LISTED_OF, and LENGTH."""

    _fields_ = (("objects", ctypes.c_void_p * _OBJECTS), ("length", ctypes.c_int64))


class Table:
    """The table of addresses of some loaded code, with all that must outlive it.

    What the code keeps from call to call, objects among it, stands in memory of its own: the code
    may be gone before the table.
    """

    def __init__(self, address: int, context: int, objects: Sequence[object], held: object) -> None:
        self._held = held
        self._kept = _Kept()
        for place in range(_OBJECTS):
            _count(None)
            self._kept.objects[place] = id(None)
        places = (ctypes.c_void_p * (FIRST_OBJECT + len(objects))).from_address(address)
        places[CONTEXT], places[NONE], places[BYTES] = context, id(None), id(bytes)
        places[KEPT] = ctypes.addressof(self._kept)
        functions = [ctypes.cast(ctypes.pythonapi[name], ctypes.c_void_p) for name in CALLS]
        for place, function in enumerate(functions, FIRST_CALL):
            places[place] = function.value
        for place, value in enumerate(objects, FIRST_OBJECT):
            places[place] = id(value)

    @property
    def line(self) -> tuple[object, int]:
        """Whose line of play the context has, and how long it is."""
        return ctypes.cast(self._kept.objects[HELD], ctypes.py_object).value, self._kept.length

    def hold(self, state: object, length: int) -> None:
        """Note whose line of play the context has."""
        self._keep(HELD, state)
        self._kept.length = length

    def _keep(self, place: int, value: object) -> None:
        before = self._kept.objects[place]
        _count(value)
        self._kept.objects[place] = id(value)
        ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(before))

    def __del__(self) -> None:
        self._kept.length = 0
        for place in range(_OBJECTS):
            self._keep(place, None)


def _count(value: object) -> None:
    """One more holds an object."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


def callable_at(address: int, owner: object) -> Callable[..., Any]:
    """A function at an address, which is given its arguments as they stand.

    It keeps its owner alive. What Python reads of it to the last is in bytes, which no collection
    of garbage takes apart before their time.
    """
    name = b"kernel"
    method = struct.pack("PPiP", _place_of(name), address, _FAST_CALL, 0)  # PyMethodDef
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return new(_place_of(method), (owner, method, name), None)  # type: ignore[no-any-return]


def _place_of(data: bytes) -> int | None:
    """Where the content of a bytes object is."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
