"""Emitted functions as built-in functions of this Python."""

import ctypes
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rulesengine.kernel.backends.native.fast import CALLS, CONTEXT, FIRST_NAME, NONE

_ONE_ARGUMENT = 0x8  # METH_O


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def can_call() -> bool:
    """Whether this is the Python that the calls are made for: CPython with its lock."""
    locked = getattr(sys, "_is_gil_enabled", None)
    return sys.implementation.name == "cpython" and (locked is None or bool(locked()))


def fill_table(address: int, context: int, names: Sequence[str]) -> None:
    """Fill the table of addresses; `names` must outlive the code."""
    table = (ctypes.c_void_p * (FIRST_NAME + len(names))).from_address(address)
    functions = [ctypes.cast(ctypes.pythonapi[name], ctypes.c_void_p) for name in CALLS]
    table[CONTEXT], table[NONE] = context, id(None)
    for place, function in enumerate(functions, NONE + 1):
        table[place] = function.value
    for place, name in enumerate(names, FIRST_NAME):
        table[place] = id(name)


def callable_at(address: int, owner: object) -> Callable[[Any], Any]:
    """A function of one argument at an address; it keeps its owner alive."""
    method = _Method(b"kernel", address, _ONE_ARGUMENT, None)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return new(ctypes.byref(method), (owner, method), None)  # type: ignore[no-any-return]
