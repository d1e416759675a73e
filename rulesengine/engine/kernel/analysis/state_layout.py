"""The values that make up a state of a program in kernel code, and their types."""

from dataclasses import dataclass

from rulesengine.engine.kernel.code.form import Type
from rulesengine.language.ir.program import Program


@dataclass(frozen=True, slots=True)
class StateLayout:
    """The values of a state in order: planes, side, registers, seats, history, incremental values.

    `planes` are the numbers of the planes that have a symbol; a plane without one is always empty.
    `incremental` are the types of the values that a driver maintains with a state: each can be
    computed from the planes.
    """

    planes: tuple[int, ...]
    registers: tuple[Type, ...]
    seats: bool
    history: bool
    cells: int
    incremental: tuple[Type, ...] = ()

    @classmethod
    def of(cls, program: Program) -> "StateLayout":
        form = program.form
        cells: Type = "m"
        number: Type = "i"
        kinds = tuple(cells if t == "cells" else number for t in form.types)
        swaps = any(g.kind == "swap" for g in program.rules.groups)
        planes = tuple(i for i, symbol in enumerate(form.symbols) if symbol)
        return cls(planes, kinds, swaps, program.keeps_history, program.topology.cells)

    @property
    def types(self) -> tuple[Type, ...]:
        """Return the types of the values: planes, side, registers, seats, history, kept."""
        number: Type = "i"
        cells: Type = "m"
        history: Type = "h"
        last = ((number,) if self.seats else (), (history,) if self.history else ())
        first = (*(cells for _ in self.planes), number, *self.registers)
        return (*first, *last[0], *last[1], *self.incremental)
