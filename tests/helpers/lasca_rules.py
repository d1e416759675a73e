"""An independent program of Lasca, written from the rules and without the package.

A position maps cells, (column, row) from the lower left corner, to columns. A column is a text from
the bottom to the top: `w W` are a soldier and an officer of white, `b B` those of black. Moves have
the notation of the bundled game.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

SIZE = 7
PIECES = ("wW", "bB")
Cell = tuple[int, int]
Columns = dict[Cell, str]


def first_columns() -> Columns:
    """Return the columns of the initial position."""
    dark = [(x, y) for y in range(SIZE) for x in range(SIZE) if (x + y) % 2 == 0]
    return {(x, y): "w" if y < 3 else "b" for x, y in dark if y != 3}


@dataclass
class Lasca:
    """A position; `earlier` counts the positions of the game with this one."""

    columns: Columns = field(default_factory=first_columns)
    side: int = 0
    quiet: int = 0
    earlier: Counter[object] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.earlier = self.earlier + Counter([self._key()])

    def moves(self) -> dict[str, "Lasca"]:
        """Return the positions after all legal moves, by the texts of the moves."""
        return dict(self._captures()) or dict(self._steps())

    def winner(self) -> int | None:
        """Return the side that has won, 2 for a draw, None if the game goes on."""
        if not self.moves():
            return 1 - self.side
        return 2 if self.earlier[self._key()] >= 3 or self.quiet >= 80 else None

    def rows(self) -> list[str]:
        """Return the board as it is printed, the last row first."""
        lines = [[self.columns.get((x, y), ".") for x in range(SIZE)] for y in range(SIZE)]
        return [" ".join(line) for line in reversed(lines)]

    def _key(self) -> object:
        return self.side, frozenset(self.columns.items())

    def _after(self, columns: Columns, quiet: int) -> "Lasca":
        return Lasca(columns, 1 - self.side, quiet, self.earlier)

    def _steps(self) -> Iterator[tuple[str, "Lasca"]]:
        for cell, column in self.columns.items():
            for dx, dy in self._ways(column):
                target = cell[0] + dx, cell[1] + dy
                if _is_on_board(target) and target not in self.columns:
                    columns = {c: s for c, s in self.columns.items() if c != cell}
                    columns[target] = _promoted(column, target)
                    quiet = 0 if column[-1] in "wb" else self.quiet + 1
                    yield f"{_name(cell)}-{_name(target)}", self._after(columns, quiet)

    def _captures(self) -> Iterator[tuple[str, "Lasca"]]:
        for cell, column in self.columns.items():
            others = {c: s for c, s in self.columns.items() if c != cell}
            for path, columns in self._jumps(cell, column, others, ()):
                if len(path) > 1:
                    yield "x".join(map(_name, path)), self._after(columns, 0)

    def _jumps(
        self, cell: Cell, column: str, others: Columns, jumped: tuple[Cell, ...]
    ) -> Iterator[tuple[list[Cell], Columns]]:
        """Yield the ways to go on from a cell, each with the columns at its end."""
        goes_on = False
        for dx, dy in self._ways(column):
            over, target = (cell[0] + dx, cell[1] + dy), (cell[0] + 2 * dx, cell[1] + 2 * dy)
            enemy = others.get(over, "")
            is_free = _is_on_board(target) and target not in others and over not in jumped
            if not enemy or enemy[-1] in PIECES[self.side] or not is_free:
                continue
            goes_on = True
            left = {c: s for c, s in others.items() if c != over}
            if enemy[:-1]:
                left[over] = enemy[:-1]
            longer = enemy[-1] + column
            if _promoted(longer, target) != longer:
                yield [cell, target], left | {target: _promoted(longer, target)}
                continue
            for path, columns in self._jumps(target, longer, left, (*jumped, over)):
                yield [cell, *path], columns
        if not goes_on:
            yield [cell], others | {cell: column}

    def _ways(self, column: str) -> list[tuple[int, int]]:
        if column[-1] not in PIECES[self.side]:
            return []
        rows = (1, -1) if column[-1] in "WB" else (1 - 2 * self.side,)
        return [(dx, dy) for dy in rows for dx in (-1, 1)]


def _promoted(column: str, cell: Cell) -> str:
    last = {"w": SIZE - 1, "b": 0}.get(column[-1])
    return column[:-1] + column[-1].upper() if cell[1] == last else column


def _is_on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE


def _name(cell: Cell) -> str:
    return f"{'abcdefg'[cell[0]]}{cell[1] + 1}"
