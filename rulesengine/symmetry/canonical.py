"""Positions that are alike up to symmetry, each told by one of them."""

from collections.abc import Iterator, Sequence

from rulesengine.board.automorphisms import Automorphism
from rulesengine.ir.program import Program
from rulesengine.packing import Parts

_PLACED = frozenset(("cells", "cell", "direction"))
_Table = list[list[int]]


class Canonical:
    """Of the positions that a group of symmetries makes of one, the one that comes first.

    Positions are packed states; several may stand in one record, one behind the other, which are
    then moved together.
    """

    def __init__(self, program: Program, group: Sequence[Automorphism]) -> None:
        self._packing = program.form.packing
        self._bytes = (program.topology.cells + 7) // 8
        types = program.form.types
        self._placed = [(slot, types[slot]) for slot in range(len(types)) if types[slot] in _PLACED]
        identity = tuple(range(program.topology.cells))
        self._moved = [(a, self._table(a)) for a in group if a.cells != identity]

    def record(self, record: bytes) -> bytes:
        """The record that stands for all that are like it: the first in their order."""
        size, unpack = self._packing.size, self._packing.unpack
        parts = [unpack(record[at : at + size]) for at in range(0, len(record), size)]
        images = zip(*map(self.others, parts), strict=True)
        return min((record, *(b"".join(map(self._packed, image)) for image in images)))

    def others(self, parts: Parts) -> Iterator[Parts]:
        """The states that symmetries other than the identity make of one, in their order."""
        planes, side, registers, seats = parts
        for moved, table in self._moved:
            masks = tuple(_carried(mask, table) for mask in planes)
            yield masks, side, self._registers(registers, moved, table), seats

    def _packed(self, parts: Parts) -> bytes:
        return self._packing.pack(*parts) or b""

    def _registers(
        self, registers: tuple[int, ...], moved: Automorphism, table: _Table
    ) -> tuple[int, ...]:
        if not self._placed:
            return registers
        found = list(registers)
        for slot, kind in self._placed:
            value = registers[slot]
            if kind == "cells":
                found[slot] = _carried(value, table)
            elif value >= 0:
                found[slot] = (moved.cells if kind == "cell" else moved.directions)[value]
        return tuple(found)

    def _table(self, moved: Automorphism) -> _Table:
        """For each byte of a set what its values come to."""
        whole = (1 << len(moved.cells)) - 1
        places = range(0, 8 * self._bytes, 8)
        return [[moved.mask(byte << at & whole) for byte in range(256)] for at in places]


def _carried(mask: int, table: _Table) -> int:
    """A set of cells in its new place, eight cells at a time."""
    found = at = 0
    while mask:
        found |= table[at][mask & 255]
        mask >>= 8
        at += 1
    return found
