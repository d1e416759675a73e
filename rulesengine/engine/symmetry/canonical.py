"""Positions that are alike up to symmetry, each told by one of them."""

from collections.abc import Callable, Sequence
from operator import getitem
from struct import Struct

from rulesengine.board.automorphisms import Automorphism
from rulesengine.language.ir.program import Program

_PLACED = ("cell", "direction")
_BYTE = 8  # bits of sets that are moved at a time
_MOST = 4096  # values of a part that are kept


class Canonical:
    """Of the positions that a group of symmetries makes of one, the one that comes first.

    Positions are packed states; several may stand in one record, one behind the other, which are
    then moved together.
    """

    def __init__(self, program: Program, group: Sequence[Automorphism]) -> None:
        packing, cells = program.form.packing, program.topology.cells
        self._size = packing.size
        identity = tuple(range(cells))
        self._moved = [a for a in group if a.cells != identity]
        self._whole = len(self._moved) * self._size
        self._places = [slice(at, at + self._size) for at in range(0, self._whole, self._size)]
        kinds = program.form.types
        planes = len(packing.widths) - len(kinds) - 1 - packing.swaps
        types = ("cells",) * planes + ("side", *kinds) + ("flag",) * packing.swaps
        self._parts: list[_Part] = []
        form, at = "<", 0
        for kind, width in zip(types, packing.widths, strict=True):
            number = width if kind == "cells" else 1
            form += f"{number}{'B' if kind == 'cells' else 'q'}"
            self._parts += [self._part(kind, at, _BYTE * i) for i in range(number)]
            at += 8 * width
        self._unpack = Struct(form).unpack

    def record(self, record: bytes) -> bytes:
        """The record that stands for all that are like it: the first in their order."""
        if len(record) == self._size:
            return min(record, *self.others(record))
        states = range(0, len(record), self._size)
        images = zip(*(self.others(record[at : at + self._size]) for at in states), strict=True)
        return min(record, *map(b"".join, images))

    def others(self, state: bytes) -> list[bytes]:
        """The states that symmetries other than the identity make of one, in their order."""
        # No bit comes from two places, so that parts are joined by adding them.
        whole = sum(map(getitem, self._parts, self._unpack(state)))
        images = whole.to_bytes(self._whole, "little")
        return [images[place] for place in self._places]

    def _part(self, kind: str, at: int, first: int) -> "_Part":
        """What is made of a part of a state at a bit: of the cells from one on, or of a number."""

        def made(value: int) -> int:
            return sum(
                _moved(value, kind, moved, first) << at + 8 * self._size * number
                for number, moved in enumerate(self._moved)
            )

        return _Part(made)


class _Part(dict[int, int]):
    """What a part of a state is in all others, by its value: made when it is first asked for.

    Of sets all are kept, of numbers that may be any only so many.
    """

    def __init__(self, make: Callable[[int], int]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, value: int) -> int:
        found = self._make(value)
        if len(self) < _MOST:
            self[value] = found
        return found


def _moved(value: int, kind: str, moved: Automorphism, first: int) -> int:
    """A value in its new place, as the bits of its words; of a set the cells from one on."""
    if kind == "cells":
        return moved.mask(value << first)
    if kind in _PLACED and value >= 0:
        value = (moved.cells if kind == "cell" else moved.directions)[value]
    return value & (1 << 64) - 1
