"""Emitted functions as built-in functions of the running CPython interpreter."""

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesengine.engine.kernel.backends.callables import CallableSpec
from rulesengine.engine.kernel.backends.native.cpython_api import (
    BYTES,
    CALL_STATE,
    CALLS,
    CONTEXT,
    FIRST_CALL,
    FIRST_OBJECT,
    HISTORY_LENGTH,
    HISTORY_OWNER,
    NONE,
)

_OBJECTS = HISTORY_LENGTH
_WORD = ctypes.sizeof(ctypes.c_void_p)
_FAST_CALL = 0x82  # METH_FASTCALL | METH_KEYWORDS


def table_objects(fasts: Mapping[str, CallableSpec]) -> list[object]:
    """Return the objects of the table; their addresses follow those of the functions."""
    return [value for fast in fasts.values() for value in fast.objects()]


class _CallMemory(ctypes.Structure):
    """The memory that emitted code reads and writes between calls.

    The objects are at HISTORY_OWNER, LAST_TUPLE and LAST_ARGUMENT, the length of the history after
    them.
    """

    _fields_ = (("objects", ctypes.c_void_p * _OBJECTS), ("length", ctypes.c_int64))


class AddressTable:
    """The address table of loaded code, with the objects that must outlive it.

    The state that the code keeps between calls, references to objects among it, is allocated
    separately: the code may be freed before the table.
    """

    def __init__(
        self, address: int, context: int, objects: Sequence[object], owner: object
    ) -> None:
        self._owners = [owner]
        self._context, self._objects = context, objects
        self._references = _CallMemory()
        self._slots = self._references.objects
        for place in range(_OBJECTS):
            self._slots[place] = _counted(None)
        # The same word as `_slots[HISTORY_OWNER]`; it returns a new reference.
        self._owner = ctypes.py_object.from_buffer(self._slots, _WORD * HISTORY_OWNER)
        self._fill(address)

    def move(self, address: int, code: object) -> None:
        """Make this also the table of other code at an address, with the same state.

        The code until now stays loaded, since one of its functions may be running.
        """
        self._owners.append(code)
        self._fill(address)

    def _fill(self, address: int) -> None:
        objects = self._objects
        places = (ctypes.c_void_p * (FIRST_OBJECT + len(objects))).from_address(address)
        places[CONTEXT], places[NONE], places[BYTES] = self._context, id(None), id(bytes)
        places[CALL_STATE] = ctypes.addressof(self._references)
        functions = [ctypes.cast(ctypes.pythonapi[name], ctypes.c_void_p) for name in CALLS]
        for place, function in enumerate(functions, FIRST_CALL):
            places[place] = function.value
        for place, value in enumerate(objects, FIRST_OBJECT):
            places[place] = id(value)

    @property
    def line(self) -> tuple[object, int]:
        """Return the state and the length of the history in the context.

        Emitted code on another thread may change both between two calls of Python, but not between
        two reads: CPython switches threads at calls and loops alone. See decision 204.
        """
        state, length = self._owner.value, self._references.length
        return state, length

    def record_history(self, state: object, length: int) -> None:
        """Record the state of the history in the context."""
        references, address = self._references, _counted(state)
        # Without a call in between, no other thread changes a reference; see `line`.
        before = self._slots[HISTORY_OWNER]
        self._slots[HISTORY_OWNER] = address
        references.length = length
        ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(before))

    def __del__(self) -> None:
        self._references.length = 0
        for place in range(_OBJECTS):
            before, self._slots[place] = self._slots[place], _counted(None)
            ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(before))


def _counted(value: object) -> int:
    """Return the address of an object after an increment of its reference count."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))
    return id(value)


def make_callable(address: int, owner: object) -> Callable[..., Any]:
    """Return a built-in function for the machine code at an address (METH_FASTCALL).

    The function keeps its owner alive. Its PyMethodDef is in bytes objects, which the garbage
    collector does not clear before the function is freed.
    """
    name = b"kernel"
    method = struct.pack("PPiP", _place_of(name), address, _FAST_CALL, 0)  # PyMethodDef
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return new(_place_of(method), (owner, method, name), None)  # type: ignore[no-any-return]


def redirect(function: Callable[..., Any], address: int) -> None:
    """Redirect a function of `make_callable` to the machine code at another address.

    CPython reads the address from the PyMethodDef at each call.
    """
    method: bytes = function.__self__[1]  # type: ignore[attr-defined]
    place = (_place_of(method) or 0) + _WORD
    ctypes.c_void_p.from_address(place).value = address


def _place_of(data: bytes) -> int | None:
    """Return the address of the content of a bytes object."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
