"""Positions of cells: on the screen, by row and column, and on the sides of the board."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from rulesengine.board.topology import BoardError, require_cells
from rulesengine.support.frozen import record

ORIGINS: Final = ("top-left", "top-right", "bottom-left", "bottom-right")

Holes = Collection[tuple[int, int]]


@record
class Places:
    """Cells in reading order, and the row and column of the board for each line and column of the
    screen.

    0 means that a column of the screen is no column of the board.
    """

    screen: tuple[tuple[int, int], ...]
    coordinates: tuple[tuple[int, int], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    indents: tuple[int, ...]

    def without(self, holes: Holes) -> "Places":
        """Return the places without the holes; raise BoardError for a hole off the board."""
        missing = frozenset(holes)
        for row, column in sorted(missing.difference(self.coordinates)):
            raise BoardError(f"the hole at row {row}, column {column} is off the board")
        remaining = [i for i, place in enumerate(self.coordinates) if place not in missing]
        return Places(
            tuple(self.screen[i] for i in remaining),
            tuple(self.coordinates[i] for i in remaining),
            self.rows,
            self.columns,
            self.indents,
        )


@record
class Side:
    """Two opposite sides: the cells with value 0 and those with value `last`.

    For a side without an opposite one, `high` is empty and no cell has the value `last`.
    """

    low: str
    high: str
    values: Sequence[int]
    last: int


def grid(rows: int, columns: int, origin: str, indents: Sequence[int] = ()) -> Places:
    """Return rows by columns, numbered from the origin; `indents` shift lines by half cells."""
    require_sizes(rows=rows, columns=columns)
    require_cells(rows * columns)
    require_word(origin, ORIGINS, "origin")
    row_of = _numbered(rows, backwards=origin.startswith("bottom"))
    column_of = _numbered(columns, backwards=origin.endswith("right"))
    screen = tuple((i, j) for i in range(rows) for j in range(columns))
    coordinates = tuple((row_of[i], column_of[j]) for i, j in screen)
    return Places(screen, coordinates, row_of, column_of, tuple(indents) or (0,) * rows)


def hexagonal_places(size: int, origin: str) -> Places:
    """Return a hexagon with `size` cells a side; columns start at 1 in the row of the origin."""
    require_word(origin, ORIGINS, "origin")
    count = 2 * size - 1
    row_of = _numbered(count, backwards=origin.startswith("bottom"))
    indents = tuple(abs(size - 1 - i) for i in range(count))
    screen, coordinates = [], []
    for i, row in enumerate(row_of):
        width = count - indents[i]
        column_of = _numbered(width, backwards=origin.endswith("right"))
        screen += [(i, k) for k in range(width)]
        coordinates += [(row, column + max(0, row - size)) for column in column_of]
    return Places(tuple(screen), tuple(coordinates), row_of, (0,) * count, indents)


def triangular_places(size: int, origin: str) -> Places:
    """Return a triangle with `size` cells a side and a corner on top; each row starts at column 1.

    Columns are lines along the side of the origin.
    """
    require_word(origin, ORIGINS, "origin")
    row_of = _numbered(size, backwards=origin.startswith("bottom"))
    screen = tuple((i, k) for i in range(size) for k in range(i + 1))
    right = origin.endswith("right")
    coordinates = tuple((row_of[i], i - k + 1 if right else k + 1) for i, k in screen)
    indents = tuple(reversed(range(size)))
    return Places(screen, coordinates, row_of, (0,) * size, indents)


def _numbered(count: int, *, backwards: bool) -> tuple[int, ...]:
    numbers = range(1, count + 1)
    return tuple(reversed(numbers) if backwards else numbers)


def regions_of(sides: Sequence[Side], axes_of_corner: int) -> tuple[tuple[str, int], ...]:
    """Return the sides of each axis, their union, and the cells on sides of enough axes."""
    if not sides:
        return ()
    named: list[tuple[str, int]] = []
    for side in sides:
        named.append((side.low, mask_of(value == 0 for value in side.values)))
        if side.high:
            named.append((side.high, mask_of(value == side.last for value in side.values)))
    axes_met = [
        sum(value in (0, side.last) for side, value in zip(sides, values, strict=True))
        for values in zip(*(side.values for side in sides), strict=True)
    ]
    named.append(("edge", mask_of(count > 0 for count in axes_met)))
    if len(sides) >= axes_of_corner:
        named.append(("corners", mask_of(count >= axes_of_corner for count in axes_met)))
    return tuple(named)


def mask_of(chosen: Iterable[bool]) -> int:
    """Return the mask of the cells with a true flag, in cell order."""
    return sum(1 << cell for cell, holds in enumerate(chosen) if holds)


def require_sizes(**sizes: int) -> None:
    """Raise BoardError for a size below 1, with the name of its option."""
    for word, size in sizes.items():
        if size < 1:
            raise BoardError(f"`{word}` must be at least 1, found {size}", word)


def require_word(word: str, words: Sequence[str], subject: str) -> None:
    """Raise BoardError for a word that is not among the given ones."""
    if word not in words:
        raise BoardError(f"`{subject}` must be one of {', '.join(words)}, found `{word}`")
