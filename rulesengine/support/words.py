"""States and steps as words of 64 bits, the low byte first, as kernels read and write them."""

import struct
from collections.abc import Sequence
from typing import Any

Parts = tuple[tuple[int, ...], int, tuple[int, ...], tuple[int, ...]]

_WORD = 8


class Packing:
    """How the states of a game are packed.

    One after the other stand the planes that have a symbol, the side to move, the registers, and,
    where sides can be swapped, whether they are. A set takes as many words as its cells need, all
    else one.
    """

    __slots__ = ("_bytes", "_count", "_is_set", "_kept", "_planes", "_swaps", "_wide", "_words")

    def __init__(
        self, symbols: Sequence[str], cells: int, registers: Sequence[str], swaps: bool
    ) -> None:
        self._planes = len(symbols)
        self._kept = tuple(i for i, symbol in enumerate(symbols) if symbol)
        self._swaps = swaps
        self._bytes = size = _WORD * ((cells + 63) // 64)
        is_set = [True] * len(self._kept) + [False] + [t == "cells" for t in registers]
        is_set += [False] * swaps
        self._is_set = tuple(is_set)
        self._count = len(is_set)
        self._wide = tuple(i for i, wide in enumerate(is_set) if wide and size > _WORD)
        kind = "Q" if size == _WORD else f"{size}s"
        self._words = struct.Struct("<" + "".join(kind if wide else "q" for wide in is_set))

    @property
    def count(self) -> int:
        """The number of values of a state."""
        return self._count

    @property
    def widths(self) -> tuple[int, ...]:
        """How many bytes each value of a state takes."""
        return tuple(self._bytes if is_set else _WORD for is_set in self._is_set)

    @property
    def swaps(self) -> bool:
        """Whether it is told who sits where."""
        return self._swaps

    @property
    def size(self) -> int:
        """The number of bytes of a state."""
        return self._words.size

    def pack(
        self,
        planes: Sequence[int],
        side: int,
        registers: Sequence[int],
        seats: Sequence[int] = (),
    ) -> bytes | None:
        """The parts of a state in bytes; None if a piece has no symbol."""
        if len(self._kept) < self._planes:
            if any(mask and i not in self._kept for i, mask in enumerate(planes)):
                return None
            planes = [planes[i] for i in self._kept]
        values = [*planes, side, *registers]
        if self._swaps:
            values.append(1 if seats else 0)
        if not self._wide:
            return self._words.pack(*values)
        return self._words.pack(*self._in_bytes(values))

    def unpack(self, data: bytes) -> Parts:
        """Planes, side, registers and seats."""
        values = list(self._words.unpack(data))
        for i in self._wide:
            values[i] = int.from_bytes(values[i], "little")
        seats = (1, 0) if self._swaps and values.pop() else ()
        count = len(self._kept)
        planes = values[:count]
        if count < self._planes:
            own = dict(zip(self._kept, planes, strict=True))
            planes = [own.get(i, 0) for i in range(self._planes)]
        return tuple(planes), values[count], tuple(values[count + 1 :]), seats

    def _in_bytes(self, values: list[int]) -> list[Any]:
        """The same with each large set in its bytes."""
        given: list[Any] = list(values)
        for i in self._wide:
            given[i] = values[i].to_bytes(self._bytes, "little")
        return given


# A step is two words: its group, and these from a bit on, each one more than its number so that
# none is 0; then its choice.
DIRECTION, ORIGIN, TARGET = 8, 16, 29
GROUP_BITS = 8
GROUPS, DIRECTIONS, CELLS = 0xFF, 0xFF, 0x1FFF
# The first word of a step without where it goes to, and without where it comes from.
FROM_PART, TO_PART = GROUPS | CELLS << ORIGIN, GROUPS | DIRECTIONS << DIRECTION | CELLS << TARGET
STEP = struct.Struct("<qq")


def step_parts(word: int) -> tuple[int, int, int, int]:
    """Group, direction, origin and target of a step's first word; -1 where there is none."""
    direction = (word >> DIRECTION & DIRECTIONS) - 1
    return word & GROUPS, direction, (word >> ORIGIN & CELLS) - 1, (word >> TARGET & CELLS) - 1
