"""Moves in the coordinates of a protocol, which differ from the names of the cells.

UCI and XBoard write columns by letters and rows by numbers. On boards of ten rows, XBoard and UCCI
count the rows from 0. USI numbers the columns from the right and has letters for rows from the top.
"""

import re
from collections.abc import Callable
from string import ascii_lowercase
from types import MappingProxyType

from rulesengine.formats.options import is_declared
from rulesengine.formats.registry_types import MoveNotation
from rulesengine.game import Game
from rulesengine.state import Move, State

_ROWS_FROM_ZERO = 10  # on boards of so many rows XBoard and UCCI count them from 0
_DROP = re.compile(r"^([A-Za-z]+)@")


class MoveTexts:
    """Moves of one game as a protocol writes them; `find` also accepts the texts of the game."""

    def __init__(self, game: Game, protocol: str) -> None:
        self._game = game.without_claims
        names = _NAMES.get(protocol, _unchanged)(game)
        self._names = {own: name for own, name in zip(_cells(game), names, strict=True) if own}
        self._is_changed = any(own != name for own, name in self._names.items())
        longest = sorted(self._names, key=lambda name: (-len(name), name))
        self._pattern = re.compile("|".join(map(re.escape, longest)) or r"(?!)")
        self._drop = r"\1*" if protocol == "usi" else r"\1@"
        self._uci: MoveNotation | None = None
        if not self._is_changed and is_declared(game.program, "uci"):
            self._uci = game.formats.moves("uci")

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none."""
        if self._uci is not None:
            return self._uci.find(text, state)
        if not self._is_changed:
            return self._game.find(text, state)
        moves = self._game.legal_moves(state)
        return next((move for move in moves if self.write(move, state) == text), None)

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        text = str(move)
        if not self._is_changed:
            return text
        text = self._pattern.sub(lambda match: self._names[match[0]], text)
        return _DROP.sub(self._drop, text)


def _cells(game: Game) -> tuple[str, ...]:
    return tuple(game.program.form.cells)


def _unchanged(game: Game) -> list[str]:
    return list(_cells(game))


def _from_zero(game: Game) -> list[str]:
    """Return the names with rows from 0 if the board has ten rows and letters for columns."""
    cells = _cells(game)
    rows = [cell.lstrip(ascii_lowercase) for cell in cells]
    if len(game.program.form.lines) != _ROWS_FROM_ZERO or not all(map(str.isdigit, rows)):
        return list(cells)
    least = min(map(int, rows))
    return [
        cell[: len(cell) - len(row)] + str(int(row) - least)
        for cell, row in zip(cells, rows, strict=True)
    ]


def _from_right(game: Game) -> list[str]:
    """Return a number for the column from the right and a letter for the row from the top."""
    names = list(_cells(game))
    lines = game.program.form.lines
    width = max(map(len, lines), default=0)
    if len(lines) > len(ascii_lowercase) or any(len(line) != width for line in lines):
        return names
    for row, line in enumerate(lines):
        for column, cell in enumerate(line):
            if cell >= 0:
                names[cell] = f"{width - column}{ascii_lowercase[row]}"
    return names


_NAMES: MappingProxyType[str, Callable[[Game], list[str]]] = MappingProxyType(
    {"xboard": _from_zero, "ucci": _from_zero, "usi": _from_right}
)
