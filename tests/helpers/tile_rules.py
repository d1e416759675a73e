"""Placements of tiles on boards of squares and of hexagons, by coordinates alone.

No code of the package is used. Orientations are the isometries that fix a cell: sign changes and
exchanges of two coordinates of a square, permutations of three coordinates of a hexagon with both
signs. Coordinates of cells follow from their names by the description of the shapes in
`docs/language.md`, with the origin at the top left.
"""

from collections.abc import Callable, Iterator
from itertools import permutations, product

Cell = tuple[int, int]
Cells = frozenset[Cell]


def drawn(text: str) -> Cells:
    return frozenset(
        (row, column)
        for row, line in enumerate(text.split())
        for column, sign in enumerate(line)
        if sign == "#"
    )


def on_squares(cells: Cells) -> set[Cells]:
    """Return all images of a shape of squares."""
    found = set()
    for down, right in product((1, -1), repeat=2):
        image = {(down * row, right * column) for row, column in cells}
        found |= {frozenset(image), frozenset((column, row) for row, column in image)}
    return found


def on_hexagons(cells: Cells) -> set[Cells]:
    """Return all images of a shape of hexagons, by cube coordinates."""
    found = set()
    for order, sign in product(permutations(range(3)), (1, -1)):
        image = set()
        for row, column in cells:
            cube = (row, column, -row - column)
            image.add((sign * cube[order[0]], sign * cube[order[1]]))
        found.add(frozenset(image))
    return found


def placements(
    tile: str,
    free: Cells,
    images: Callable[[Cells], set[Cells]],
    periods: tuple[int, int] = (0, 0),
) -> set[Cells]:
    """Return the sets of free cells that a tile can cover; a period joins the ends of an axis."""
    shape, found = drawn(tile), set()
    for image in images(shape):
        for (row, column), (first, other) in product(free, image):
            down, right = row - first, column - other
            cells = frozenset(
                (wrapped(r + down, periods[0]), wrapped(c + right, periods[1])) for r, c in image
            )
            if len(cells) == len(shape) and cells <= free:
                found.add(cells)
    return found


def wrapped(number: int, period: int) -> int:
    return number % period if period else number


def names_of(board: str, size: tuple[int, int]) -> Iterator[tuple[str, Cell]]:
    """Yield the names of cells with their coordinates; rows of hexagons are those of a rhombus."""
    rows, columns = size
    for row, column in product(range(rows), range(columns)):
        name = f"{chr(ord('a') + column)}{row + 1}"
        match board:
            case "rectangle" | "rhombus":
                yield name, (row, column)
            case "staggered":  # the second row is the first that lies further to the right
                yield name, (row, column - row // 2)
            case "triangle" if column <= row:
                yield name, (row, column - row)
            case "hexagon" if abs(row - column) < (rows + 1) // 2:
                yield name, (row, column - row)
