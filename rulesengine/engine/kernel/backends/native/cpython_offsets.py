"""Layouts of CPython objects: a table of the supported versions, verified by probes at run time.

The code of callables accesses objects at these offsets. On an interpreter without a verified layout
no callables are compiled, and calls take the portable path through `Compiled.call`.
"""

import ctypes
import struct
import sys
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from rulesengine.support.frozen import record

_WORD = 8
_SIGN = 1 << 31  # of a 32-bit reference count


@record
class ObjectLayout:
    """Offsets into the objects of a CPython version, in bytes.

    The reference count is at offset 0.

    - `type`: the type of any object.
    - `size`: the size of a tuple or of a `bytes` object.
    - `tuple_items`: the first item of a tuple.
    - `bytes_content`: the first byte of a `bytes` object.
    - `has_immortals`: True if the reference count has 32 bits and a negative one marks an object as
      immortal (PEP 683). If not, it has 64 bits.
    """

    type: int
    size: int
    tuple_items: int
    bytes_content: int
    has_immortals: bool


@record
class Interpreter:
    """The properties of a Python interpreter that the layout of objects depends on."""

    implementation: str
    version: tuple[int, int]
    pointer_bytes: int
    has_gil: bool


# 64-bit builds with a GIL. Sources: Include/object.h, Include/refcount.h, and tupleobject.h and
# bytesobject.h in Include/cpython. Tuples cache their hash before the items since 3.14.
LAYOUTS: Final[Mapping[tuple[int, int], ObjectLayout]] = MappingProxyType(
    {
        (3, 11): ObjectLayout(8, 16, tuple_items=24, bytes_content=32, has_immortals=False),
        (3, 12): ObjectLayout(8, 16, tuple_items=24, bytes_content=32, has_immortals=True),
        (3, 13): ObjectLayout(8, 16, tuple_items=24, bytes_content=32, has_immortals=True),
        (3, 14): ObjectLayout(8, 16, tuple_items=32, bytes_content=32, has_immortals=True),
    }
)


@record
class _Probe:
    """An object with slots that are not declared in the order of their offsets."""

    second: object
    first: object


def object_layout() -> ObjectLayout | None:
    """Return the layout of objects of this interpreter; None if it is not supported."""
    layout = layout_of(interpreter())
    return layout if layout and is_verified(layout) else None


def interpreter() -> Interpreter:
    """Describe this interpreter.

    The objects of a free-threaded build have another layout, even if its GIL is enabled.
    """
    is_enabled = getattr(sys, "_is_gil_enabled", None)
    has_gil = "free-threading build" not in sys.version and (is_enabled is None or is_enabled())
    version = sys.version_info[:2]
    return Interpreter(sys.implementation.name, version, struct.calcsize("P"), has_gil)


def layout_of(python: Interpreter) -> ObjectLayout | None:
    """Return the layout in the table for an interpreter; None if there is none."""
    is_supported = python.implementation == "cpython" and python.pointer_bytes == _WORD
    return LAYOUTS.get(python.version) if is_supported and python.has_gil else None


@cache
def is_verified(layout: ObjectLayout) -> bool:
    """True if probe objects of this interpreter have a layout; each layout is probed once."""
    one, text = (object(),), b"8 bytes."
    probe = _Probe(second=text, first=one)
    words = (
        (one, layout.type, id(tuple)),
        (one, layout.size, len(one)),
        (one, layout.tuple_items, id(one[0])),
        (text, layout.type, id(bytes)),
        (text, layout.size, len(text)),
        (text, layout.bytes_content, int.from_bytes(text, "little")),
        (probe, slot_at(_Probe, "first"), id(one)),
        (probe, slot_at(_Probe, "second"), id(text)),
    )
    are_placed = all(_word(value, at) == expected for value, at, expected in words)
    return are_placed and _is_counted(layout.has_immortals)


def slot_at(of: type, name: str) -> int:
    """Return the offset of a slot in objects of a type; a class sorts its slots by name."""
    owner = next(cls for cls in of.__mro__ if name in vars(cls).get("__slots__", ()))
    assert owner.__base__ is not None
    own = sorted(vars(owner)["__slots__"])
    return owner.__base__.__basicsize__ + _WORD * own.index(name)


def _is_counted(has_immortals: bool) -> bool:
    """True if the first word counts references, and if None is immortal as stated."""
    value, references, counts = object(), list[object](), list[int]()
    for _ in range(2):
        counts.append(_word(value, 0))
        references.append(value)
    return counts[1] == counts[0] + 1 and bool(_word(None, 0) & _SIGN) == has_immortals


def _word(value: object, at: int) -> int:
    return ctypes.c_uint64.from_address(id(value) + at).value
