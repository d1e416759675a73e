"""The layout of states and steps as little-endian 64-bit words, as kernels read and write them."""

import struct
from collections.abc import Sequence
from typing import Any

Parts = tuple[tuple[int, ...], int, tuple[int, ...], tuple[int, ...]]

_WORD = 8


class Packing:
    """The memory layout of the states of a game.

    A state has the planes with a symbol, the side to move, the registers and, if sides can be
    swapped, a flag that they are. A set takes as many words as its cells need, any other value one
    word.
    """

    __slots__ = ("_bytes", "_count", "_is_set", "_planes", "_swaps", "_visible", "_wide", "_words")

    def __init__(
        self, symbols: Sequence[str], cells: int, registers: Sequence[str], swaps: bool
    ) -> None:
        self._planes = len(symbols)
        self._visible = tuple(i for i, symbol in enumerate(symbols) if symbol)
        self._swaps = swaps
        self._bytes = size = _WORD * ((cells + 63) // 64)
        is_set = [True] * len(self._visible) + [False] + [t == "cells" for t in registers]
        is_set += [False] * swaps
        self._is_set = tuple(is_set)
        self._count = len(is_set)
        self._wide = tuple(i for i, wide in enumerate(is_set) if wide and size > _WORD)
        kind = "Q" if size == _WORD else f"{size}s"
        self._words = struct.Struct("<" + "".join(kind if wide else "q" for wide in is_set))

    @property
    def count(self) -> int:
        """Return the number of values of a state."""
        return self._count

    @property
    def widths(self) -> tuple[int, ...]:
        """Return the number of bytes of each value of a state."""
        return tuple(self._bytes if is_set else _WORD for is_set in self._is_set)

    @property
    def swaps(self) -> bool:
        """True if states have a flag for swapped sides."""
        return self._swaps

    @property
    def size(self) -> int:
        """Return the number of bytes of a state."""
        return self._words.size

    def pack(
        self,
        planes: Sequence[int],
        side: int,
        registers: Sequence[int],
        seats: Sequence[int] = (),
    ) -> bytes | None:
        """Encode the parts of a state as bytes; return None if a piece has no symbol."""
        if len(self._visible) < self._planes:
            if any(mask and i not in self._visible for i, mask in enumerate(planes)):
                return None
            planes = [planes[i] for i in self._visible]
        values = [*planes, side, *registers]
        if self._swaps:
            values.append(1 if seats else 0)
        if not self._wide:
            return self._words.pack(*values)
        return self._words.pack(*self._in_bytes(values))

    def unpack(self, data: bytes) -> Parts:
        """Decode bytes to planes, side, registers and seats."""
        values = list(self._words.unpack(data))
        for i in self._wide:
            values[i] = int.from_bytes(values[i], "little")
        seats = (1, 0) if self._swaps and values.pop() else ()
        count = len(self._visible)
        planes = values[:count]
        if count < self._planes:
            own = dict(zip(self._visible, planes, strict=True))
            planes = [own.get(i, 0) for i in range(self._planes)]
        return tuple(planes), values[count], tuple(values[count + 1 :]), seats

    def _in_bytes(self, values: list[int]) -> list[Any]:
        """Return the values with each large set as bytes."""
        items: list[Any] = list(values)
        for i in self._wide:
            items[i] = values[i].to_bytes(self._bytes, "little")
        return items


# A step is two words. The first has the group in its low bits, then direction, origin and target
# from these bits on, each plus one so that none is 0. The second is the choice.
DIRECTION, ORIGIN, TARGET = 8, 16, 29
GROUP_BITS = 8
GROUPS, DIRECTIONS, CELLS = 0xFF, 0xFF, 0x1FFF
# Masks of the first word: without the target and direction, and without the origin.
FROM_PART, TO_PART = GROUPS | CELLS << ORIGIN, GROUPS | DIRECTIONS << DIRECTION | CELLS << TARGET
STEP = struct.Struct("<qq")


def step_parts(word: int) -> tuple[int, int, int, int]:
    """Return group, direction, origin and target of a step's first word; -1 if there is none."""
    direction = (word >> DIRECTION & DIRECTIONS) - 1
    return word & GROUPS, direction, (word >> ORIGIN & CELLS) - 1, (word >> TARGET & CELLS) - 1
