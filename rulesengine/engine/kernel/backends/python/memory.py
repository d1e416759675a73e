"""Access to the caller's memory from Python code, by the names of the instructions."""

from collections.abc import Callable
from struct import Struct, unpack_from
from threading import Lock
from types import MappingProxyType
from typing import Any

from rulesengine.engine.drivers.history import FIRST_ENTRY, OWN
from rulesengine.engine.drivers.memory import WORD
from rulesengine.errors import Stopped

Helper = Callable[..., Any]

_FORMATS = MappingProxyType({8: "<B", 16: "<H", 32: "<I", 64: "<Q"})


def helpers() -> dict[str, Helper]:
    """Return the functions for one module; an offset outside the buffer raises `struct.error`.

    Atomic instructions are atomic among the threads that run this module.
    """
    functions: dict[str, Helper] = {}
    for bits, form in _FORMATS.items():
        functions |= {f"load{bits}": _load(form), f"store{bits}": _store(form, bits)}
    load, store = functions["load64"], functions["store64"]
    functions |= {"load_set": _load_set, "store_set": _store_set, "load_history": _load_history}
    return {**functions, "atomic_load": load, "atomic_store": store, **_atomic(load, store)}


def _load(form: str) -> Helper:
    read = Struct(form).unpack_from
    return lambda memory, place: read(memory, place)[0]


def _store(form: str, bits: int) -> Helper:
    write, most = Struct(form).pack_into, (1 << bits) - 1
    return lambda memory, place, value: write(memory, place, value & most)


def _load_set(size: int, memory: Any, place: int) -> int:
    """Load a set of `size` bytes."""
    return int.from_bytes(memory[place : place + size], "little")


def _store_set(size: int, memory: Any, place: int, value: int) -> None:
    memory[place : place + size] = value.to_bytes(size, "little")


def _load_history(
    words: int, sets: int, size: int, memory: Any, place: int, first: int, end: int
) -> tuple[tuple[int, ...], ...]:
    """Return the positions in memory in the form of histories: the side, then its sets."""
    form, span = f"<q{sets * (size // WORD)}Q", words * WORD
    start = place + (FIRST_ENTRY + OWN) * WORD
    places = range(start + first * span, start + end * span, span)
    entries = [unpack_from(form, memory, at) for at in places]
    return tuple(entries) if size == WORD else tuple(_joined(size // WORD, one) for one in entries)


def _joined(words: int, position: tuple[int, ...]) -> tuple[int, ...]:
    """Join the words of sets that take several words each."""
    side, *rest = position
    starts = range(0, len(rest), words)
    sets = (sum(word << 64 * i for i, word in enumerate(rest[k : k + words])) for k in starts)
    return side, *sets


def _atomic(load: Helper, store: Helper) -> dict[str, Helper]:
    """Return the instructions that read and then write atomically, and the poll."""
    lock = Lock()

    def add(memory: Any, place: int, value: int) -> int:
        with lock:
            before: int = load(memory, place)
            store(memory, place, before + value)
            return before

    def compare_and_swap(memory: Any, place: int, expected: int, new: int) -> int:
        with lock:
            before: int = load(memory, place)
            if before == expected:
                store(memory, place, new)
            return before

    def poll(memory: Any, place: int) -> None:
        if load(memory, place):
            raise Stopped

    return {"atomic_add": add, "atomic_cas": compare_and_swap, "poll": poll}
