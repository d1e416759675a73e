"""The canonical form of a position under the symmetries of a game. See decision 063."""

from collections.abc import Callable, Sequence
from operator import getitem
from struct import Struct

from rulesengine.board.automorphisms import Automorphism
from rulesengine.language.ir.program import Program

_PLACED = ("cell", "direction")
_BYTE = 8  # bits of a set that are mapped at a time
_MOST = 4096  # cached values of a part


class Canonical:
    """Maps a position to its canonical form: the smallest image under a group of symmetries.

    Positions are packed states; a record may hold several in sequence, which are mapped together.
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
        """Return the canonical form of a record: its smallest image."""
        if len(record) == self._size:
            return min(record, *self.images(record))
        states = range(0, len(record), self._size)
        images = zip(*(self.images(record[at : at + self._size]) for at in states), strict=True)
        return min(record, *map(b"".join, images))

    def images(self, state: bytes) -> list[bytes]:
        """Return the images of a state under the symmetries other than the identity, in order."""
        # No two parts set the same bit, so that their images are joined by addition.
        all_images = sum(map(getitem, self._parts, self._unpack(state)))
        images = all_images.to_bytes(self._whole, "little")
        return [images[place] for place in self._places]

    def _part(self, kind: str, at: int, first: int) -> "_Part":
        """Return the image table of a part of a state: eight cells from `first` on, or a number."""

        def packed(value: int) -> int:
            return sum(
                _moved(value, kind, moved, first) << at + 8 * self._size * number
                for number, moved in enumerate(self._moved)
            )

        return _Part(packed)


class _Part(dict[int, int]):
    """The images of a part of a state in all other states, by its value; computed on first use.

    At most `_MOST` values are cached.
    """

    def __init__(self, make: Callable[[int], int]) -> None:
        super().__init__()
        self._build = make

    def __missing__(self, value: int) -> int:
        image = self._build(value)
        if len(self) < _MOST:
            self[value] = image
        return image


def _moved(value: int, kind: str, moved: Automorphism, first: int) -> int:
    """Return the image of a value as the bits of its words; `first` is the first cell of a set."""
    if kind == "cells":
        return moved.mask(value << first)
    if kind in _PLACED and value >= 0:
        value = (moved.cells if kind == "cell" else moved.directions)[value]
    return value & (1 << 64) - 1
