"""Where CPython keeps what compiled code reads of objects and writes into new ones, in bytes."""

import ctypes
import sys

from rulesengine.support.frozen import record

# Where an object tells its type, a tuple its items, and bytes their number and content; an object
# begins with its count.
TYPE_AT, ITEMS_AT, SIZE_AT, BYTES_AT = 8, 24, 16, 32
_WORD = 8


@record
class _Probe:
    """An object whose slots are named in another order than they are laid out in."""

    second: object
    first: object


def slot_at(of: type, name: str) -> int:
    """Where objects of a type have a slot; each class lays its own out by their names."""
    owner = next(cls for cls in of.__mro__ if name in vars(cls).get("__slots__", ()))
    assert owner.__base__ is not None
    own = sorted(vars(owner)["__slots__"])
    return owner.__base__.__basicsize__ + _WORD * own.index(name)


def is_laid_out_so() -> bool:
    """Whether this is the Python that is meant: CPython with its lock, and objects as said."""
    locked = getattr(sys, "_is_gil_enabled", None)
    if sys.implementation.name != "cpython" or not (locked is None or locked()):
        return False
    one, text = (object(),), b"kernel"
    probe = _Probe(second=text, first=one)
    words = (
        (one, TYPE_AT, id(tuple)),
        (one, ITEMS_AT, id(one[0])),
        (text, TYPE_AT, id(bytes)),
        (text, SIZE_AT, len(text)),
        (text, BYTES_AT, int.from_bytes(text, sys.byteorder)),
        (probe, slot_at(_Probe, "first"), id(one)),
        (probe, slot_at(_Probe, "second"), id(text)),
    )
    return all(_word(value, at) == wanted for value, at, wanted in words)


def _word(value: object, at: int) -> int | None:
    return ctypes.c_uint64.from_address(id(value) + at).value
