"""Tiles: connected shapes of cells that are turned and mirrored on a regular lattice.

A form of a tile is one of its distinct orientations. On square cells forms 1 to 4 are the drawing
turned clockwise by 0 to 3 quarter turns. Forms 5 to 8 are its mirror image, turned likewise. On
hexagonal cells turns are sixths: 1 to 6 and 7 to 12. Orientations equal to an earlier one are
omitted.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rulesengine.board.lattice import HEXAGONAL, SQUARE, Lattice
from rulesengine.support.frozen import record

Place = tuple[int, int]
CELL, GAP = "#", "."


class TileError(ValueError):
    """A drawing that is no tile; `row` and `sign` are counted from 1, 0 for the whole drawing."""

    def __init__(self, message: str, row: int = 0, sign: int = 0) -> None:
        super().__init__(message)
        self.row = row
        self.sign = sign


@record
class Form:
    """An orientation of a tile.

    - `number`: the number of the form.
    - `places`: the places of its cells in reading order, relative to the first one.
    - `steps`: for each cell after the first, in an order from cell to cell, the index of an earlier
      cell in this order and the index of the direction from there.
    - `paths`: for each place, the indices of the directions of a shortest path from the first cell,
      the same for equal places of all tiles.
    """

    number: int
    places: tuple[Place, ...]
    steps: tuple[tuple[int, int], ...]
    paths: tuple[tuple[int, ...], ...]


@record
class _LatticeTurns:
    """The lattice of a board, its turn clockwise, its mirror image and the number of turns."""

    lattice: Lattice
    turn: Callable[[Place], Place]
    mirror: Callable[[Place], Place]
    turns: int


def read_tile(rows: Sequence[str]) -> tuple[Place, ...]:
    """Return the places of the cells in a drawing; raises TileError for another sign or no cell."""
    places = []
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign not in (CELL, GAP):
                raise TileError(
                    f"a tile is drawn with `{CELL}` for its cells and `{GAP}` for gaps, found"
                    f" `{sign}`",
                    row + 1,
                    column + 1,
                )
            if sign == CELL:
                places.append((row, column))
    if not places:
        raise TileError(f"a tile has at least one cell, drawn as `{CELL}`")
    return tuple(places)


def can_turn(shape: str) -> bool:
    """True if tiles can be turned on boards of this shape."""
    return shape in _TURNINGS


def forms_of(places: Sequence[Place], shape: str) -> tuple[Form, ...]:
    """Return the distinct forms of a tile on boards of a shape, by number.

    Raises TileError if its cells are not connected, KeyError for a shape without turns.
    """
    turning = _TURNINGS[shape]
    forms: dict[tuple[Place, ...], Form] = {}
    for number, cells in enumerate(_orientations(tuple(places), turning), start=1):
        if cells not in forms:
            steps = _connected(cells, turning.lattice)
            paths = tuple(_path(place, turning.lattice) for place in cells)
            forms[cells] = Form(number, cells, steps, paths)
    return tuple(forms.values())


def _orientations(places: tuple[Place, ...], turning: _LatticeTurns) -> list[tuple[Place, ...]]:
    orientations = []
    for image in (places, tuple(map(turning.mirror, places))):
        for _ in range(turning.turns):
            orientations.append(_normal(image))
            image = tuple(map(turning.turn, image))
    return orientations


def _normal(places: tuple[Place, ...]) -> tuple[Place, ...]:
    first, column = min(places)
    return tuple(sorted((row - first, other - column) for row, other in places))


def _connected(places: tuple[Place, ...], lattice: Lattice) -> tuple[tuple[int, int], ...]:
    """Return the steps from cell to cell, breadth first, along edges before corners."""
    directions = [(i, step) for i, (_, step) in enumerate(lattice.steps)]
    directions.sort(key=lambda direction: sum(map(abs, direction[1])) if lattice is SQUARE else 0)
    order, steps = [places[0]], list[tuple[int, int]]()
    for start, (row, column) in enumerate(order):
        for direction, (down, right) in directions:
            place = row + down, column + right
            if place in places and place not in order:
                order.append(place)
                steps.append((start, direction))
    if len(order) < len(places):
        raise TileError("the cells of a tile are connected, by an edge or a corner")
    return tuple(steps)


def _path(place: Place, lattice: Lattice) -> tuple[int, ...]:
    """Return a shortest path to a place: steps to another row, then steps within a row."""
    row, column = place
    path = list[int]()
    slanted = 0 if lattice is SQUARE or row * column >= 0 else min(abs(row), abs(column))
    down, right = (row > 0) - (row < 0), (column > 0) - (column < 0)
    directions = [step for _, step in lattice.steps]
    for step, times in (
        ((down, right), slanted),
        ((down, 0), abs(row) - slanted),
        ((0, right), abs(column) - slanted),
    ):
        path += [directions.index(step)] * times if times else []
    return tuple(path)


_SQUARES: Final = _LatticeTurns(SQUARE, lambda p: (p[1], -p[0]), lambda p: (p[0], -p[1]), 4)
# Rows of hexagons are those of a rhombus: each lies half a cell to the right of the one above.
_HEXAGONS: Final = _LatticeTurns(
    HEXAGONAL, lambda p: (p[0] + p[1], -p[0]), lambda p: (p[0], -p[0] - p[1]), 6
)
_TURNINGS: Final[Mapping[str, _LatticeTurns]] = MappingProxyType(
    {
        **dict.fromkeys(("rectangle", "mesh"), _SQUARES),
        **dict.fromkeys(("rhombus", "hexagon", "triangle", "staggered"), _HEXAGONS),
    }
)
