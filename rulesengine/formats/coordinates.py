"""Coordinates of cells in protocols, which may differ from the names that a spec gives.

UCI and XBoard write columns by letters and rows by numbers. On boards of ten rows, XBoard and UCCI
count the rows from 0. USI numbers the columns from the right and has letters for rows from the top.
"""

import re
from collections.abc import Callable
from string import ascii_lowercase
from types import MappingProxyType

from rulesengine.formats.options import option
from rulesengine.language.ir.program import Program

_ROWS_FROM_ZERO = 10  # on boards of so many rows XBoard and UCCI count them from 0
_DROP = re.compile(r"^([A-Za-z]+)[@*]")
_USI = "usi"


class Coordinates:
    """Texts of moves in the coordinates of a protocol.

    - `is_changed` is true if a cell has another name than in the game.
    """

    def __init__(self, program: Program, protocol: str) -> None:
        own = list(program.form.cells)
        names = _NAMES[protocol](program) if protocol in _NAMES else own
        self._names = {cell: name for cell, name in zip(own, names, strict=True) if cell}
        self.is_changed = any(cell != name for cell, name in self._names.items())
        longest = sorted(self._names, key=lambda name: (-len(name), name))
        self._pattern = re.compile("|".join(map(re.escape, longest)) or r"(?!)")
        self._drop = r"\1*" if protocol == _USI else r"\1@"

    def write(self, text: str) -> str:
        """Return a move of the game as the protocol writes it."""
        if not self.is_changed:
            return text
        text = self._pattern.sub(lambda match: self._names[match[0]], text)
        return _DROP.sub(self._drop, text)


def _declared(program: Program) -> list[str]:
    """Return the names that the spec declares for UCI: its own ones, or algebraic ones."""
    is_algebraic = option(program, "uci", "cells", ()) == ("algebraic",)
    return _algebraic(program) if is_algebraic else list(program.form.cells)


def _algebraic(program: Program) -> list[str]:
    """Return a letter for the column from the left and a number for the row from the bottom."""
    rows = len(program.form.lines)
    return _by_place(program, lambda row, column, _: f"{ascii_lowercase[column]}{rows - row}")


def _from_zero(program: Program) -> list[str]:
    """Return the names with rows from 0 if the board has ten rows and letters for columns."""
    cells = program.form.cells
    rows = [cell.lstrip(ascii_lowercase) for cell in cells]
    if len(program.form.lines) != _ROWS_FROM_ZERO or not all(map(str.isdigit, rows)):
        return list(cells)
    least = min(map(int, rows))
    return [
        cell[: len(cell) - len(row)] + str(int(row) - least)
        for cell, row in zip(cells, rows, strict=True)
    ]


def _from_right(program: Program) -> list[str]:
    """Return a number for the column from the right and a letter for the row from the top."""
    return _by_place(program, lambda row, column, width: f"{width - column}{ascii_lowercase[row]}")


def _by_place(program: Program, name: Callable[[int, int, int], str]) -> list[str]:
    """Return a name for each row, column and width; the own names if the board is no rectangle."""
    names = list(program.form.cells)
    lines = program.form.lines
    width = max(map(len, lines), default=0)
    if max(width, len(lines)) > len(ascii_lowercase) or any(len(line) != width for line in lines):
        return names
    for row, line in enumerate(lines):
        for column, cell in enumerate(line):
            if cell >= 0:
                names[cell] = name(row, column, width)
    return names


_NAMES: MappingProxyType[str, Callable[[Program], list[str]]] = MappingProxyType(
    {"uci": _declared, "xboard": _from_zero, "ucci": _from_zero, _USI: _from_right}
)
