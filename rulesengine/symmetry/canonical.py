"""Positions that are alike up to symmetry, each told by one of them."""

from typing import Any

from rulesengine.board.automorphisms import Automorphism
from rulesengine.ir.program import Program
from rulesengine.state import State


class Canonical:
    """Of the positions that symmetries lead to from one, the one that comes first."""

    def __init__(self, program: Program, group: tuple[Automorphism, ...]) -> None:
        self._form = program.form
        self._group = group
        self._size = (program.topology.cells + 7) // 8
        self._tables = [self._table(a) for a in group]
        kinds = {"cells", "cell", "direction"}
        self._placed = [(i, t) for i, t in enumerate(program.form.types) if t in kinds]
        numbers = len(program.form.symbols)
        self._before = [(numbers + i, program.form.types[s])
                        for i, s in enumerate(program.form.compared)
                        if program.form.types[s] in kinds]  # fmt: skip

    def state(self, state: State) -> State:
        """The state that stands for all that are like it."""
        images = [self._image(state, number) for number in range(len(self._group))]
        planes, registers, history = min(images)
        return State(planes, state.side, registers, history, self._form, state.seats)

    def _image(self, state: State, number: int) -> tuple[Any, ...]:
        """A state in its new place: planes, registers, history."""
        planes = tuple(self._carried(mask, number) for mask in state.planes)
        registers = self._moved(state.registers, self._placed, number)
        history = tuple((self._earlier(p, number), side) for p, side in state.history)
        return planes, registers, history

    def _earlier(self, position: tuple[int, ...], number: int) -> tuple[int, ...]:
        count = len(self._form.symbols)
        planes = tuple(self._carried(mask, number) for mask in position[:count])
        return self._moved((*planes, *position[count:]), self._before, number)

    def _moved(
        self, values: tuple[int, ...], placed: list[tuple[int, str]], number: int
    ) -> tuple[int, ...]:
        if not placed:
            return values
        found, moved = list(values), self._group[number]
        for at, kind in placed:
            value = values[at]
            if kind == "cells":
                found[at] = self._carried(value, number)
            elif value >= 0:
                found[at] = (moved.cells if kind == "cell" else moved.directions)[value]
        return tuple(found)

    def _carried(self, mask: int, number: int) -> int:
        """A set of cells in its new place, eight cells at a time."""
        found = 0
        for part, byte in zip(
            self._tables[number], mask.to_bytes(self._size, "little"), strict=True
        ):
            found |= part[byte]
        return found

    def _table(self, moved: Automorphism) -> list[list[int]]:
        """For each byte of a set what it comes to."""
        whole = (1 << len(moved.cells)) - 1
        return [
            [moved.mask(byte << shift & whole) for byte in range(256)]
            for shift in range(0, 8 * self._size, 8)
        ]
