"""Build a topology from the options of a spec's `board`: a function and a row of SHAPES each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rulesengine.board.cell_positions import (
    Holes,
    Places,
    Side,
    grid,
    hexagonal_places,
    mask_of,
    regions_of,
    require_sizes,
    require_word,
    triangular_places,
)
from rulesengine.board.coordinates import CellNames
from rulesengine.board.lattice import (
    CUBIC,
    HEXAGONAL,
    SQUARE,
    Lattice,
    Point,
    trace_directions,
    trace_lines,
)
from rulesengine.board.topology import BoardError, Topology, masks_of, require_cells, union_of
from rulesengine.support.frozen import record

WRAPS: Final = ("none", "rows", "columns", "both")
STAGGERS: Final = ("even", "odd")
PLAIN: Final = CellNames()


@record
class Shape:
    """A function that builds a board, its required and its optional options."""

    make: Callable[..., Topology]
    needs: tuple[str, ...]
    takes: tuple[str, ...]


def make_board(shape: str, options: Mapping[str, object]) -> Topology:
    """Build the board of a shape, with options named as in the spec.

    Raises BoardError for an unknown shape, an option missing or unknown, and an impossible board.
    """
    if shape not in SHAPES:
        raise BoardError(f"expected a shape of board ({', '.join(SHAPES)}), found `{shape}`")
    known = SHAPES[shape]
    for option in known.needs:
        if option not in options:
            raise BoardError(f"a {shape} needs `{option}`")
    for option in options:
        if option not in known.needs + known.takes:
            raise BoardError(f"a {shape} takes no `{option}`", option)
    return known.make(**options)


def rectangle(
    rows: int,
    columns: int,
    *,
    origin: str = "top-left",
    wrap: str = "none",
    holes: Holes = (),
    names: CellNames = PLAIN,
) -> Topology:
    """Build a board of square cells with eight directions, clockwise from north (up).

    `wrap="columns"` joins left and right (a cylinder), "rows" top and bottom, "both" makes a torus.
    `holes` are (row, column) from the origin. Joined sides are no regions. Sides are those of the
    whole rectangle: a cell next to a hole is not on the edge because of it. Raises BoardError, as
    all shapes do, for an impossible board.
    """
    places = grid(rows, columns, origin).without(holes)
    periods, sides = _wrapped(places, rows, columns, wrap)
    regions = regions_of(sides, 2)
    return _assemble("rectangle", places, SQUARE, places.screen, periods, regions, names)


def rhombus(
    rows: int,
    columns: int,
    *,
    origin: str = "top-left",
    wrap: str = "none",
    holes: Holes = (),
    names: CellNames = PLAIN,
) -> Topology:
    """Build a board of hexagonal cells, each row shifted right by half a cell.

    The cell above in the same column is northwest, the one above and one column further northeast.
    `wrap` joins sides as on a rectangle. See decision 169.
    """
    places = grid(rows, columns, origin, range(rows)).without(holes)
    periods, sides = _wrapped(places, rows, columns, wrap)
    regions = regions_of(sides, 2)
    return _assemble("rhombus", places, HEXAGONAL, places.screen, periods, regions, names)


def hexagon(
    size: int, *, origin: str = "top-left", holes: Holes = (), names: CellNames = PLAIN
) -> Topology:
    """Build a hexagon of hexagonal cells with `size` cells a side, one side on top.

    Rows are lines of the screen, columns slanted lines: the row of the origin starts at column 1,
    and so does every row up to the widest. The six sides are regions, each with its corners.
    """
    require_sizes(size=size)
    require_cells(3 * size * (size - 1) + 1)
    last = 2 * size - 2
    places = hexagonal_places(size, origin).without(holes)
    points = [(i, k + max(0, size - 1 - i)) for i, k in places.screen]
    sides = [
        Side("top", "bottom", [a for a, _ in points], last),
        Side("lower_left", "upper_right", [b for _, b in points], last),
        Side("upper_left", "lower_right", [a + b - (size - 1) for a, b in points], last),
    ]
    return _assemble("hexagon", places, HEXAGONAL, points, (0, 0), regions_of(sides, 2), names)


def triangle(
    size: int, *, origin: str = "top-left", holes: Holes = (), names: CellNames = PLAIN
) -> Topology:
    """Build a triangle of hexagonal cells with `size` cells a side, one corner on top.

    Rows are lines of the screen, columns lines along the left or the right side, by the origin. The
    three sides are regions, each with its corners.
    """
    require_sizes(size=size)
    require_cells(size * (size + 1) // 2)
    places = triangular_places(size, origin).without(holes)
    points = [(i, k + size - 1 - i) for i, k in places.screen]
    sides = [
        Side("left", "", [k for _, k in places.screen], -1),
        Side("right", "", [i - k for i, k in places.screen], -1),
        Side("bottom", "", [size - 1 - i for i, _ in places.screen], -1),
    ]
    return _assemble("triangle", places, HEXAGONAL, points, (0, 0), regions_of(sides, 2), names)


def staggered(
    rows: int,
    columns: int,
    *,
    stagger: str = "even",
    origin: str = "top-left",
    holes: Holes = (),
    names: CellNames = PLAIN,
) -> Topology:
    """Build a board of hexagonal cells in which every second row is shifted right by half a cell.

    `stagger` selects the even or the odd lines of the screen, counted from 1: offset coordinates,
    called odd-r and even-r where lines count from 0.
    """
    require_word(stagger, STAGGERS, "stagger")
    require_sizes(rows=rows, columns=columns)
    first = STAGGERS.index(stagger)
    indents = [(i + first) % 2 for i in range(rows)]
    places = grid(rows, columns, origin, indents).without(holes)
    points = [(i, j + (indents[i] - i) // 2) for i, j in places.screen]
    sides = [
        Side("top", "bottom", [line for line, _ in places.screen], rows - 1),
        Side("left", "right", [column for _, column in places.screen], columns - 1),
    ]
    return _assemble("staggered", places, HEXAGONAL, points, (0, 0), regions_of(sides, 2), names)


def box(
    layers: int,
    rows: int,
    columns: int,
    *,
    origin: str = "top-left",
    holes: Holes = (),
    names: CellNames = PLAIN,
) -> Topology:
    """Build a board of cubic cells with 26 directions: the compass, then the same `up` and `down`.

    The screen shows the layers one below the other, the uppermost first; row numbers continue from
    layer to layer. `top` and `bottom` are layers, `back` and `front` the outermost rows.
    """
    require_sizes(layers=layers, rows=rows, columns=columns)
    require_cells(layers * rows * columns)
    places = grid(layers * rows, columns, origin).without(holes)
    points = [(*divmod(line, rows), column) for line, column in places.screen]
    sides = [
        Side("top", "bottom", [layer for layer, _, _ in points], layers - 1),
        Side("back", "front", [row for _, row, _ in points], rows - 1),
        Side("left", "right", [column for _, _, column in points], columns - 1),
    ]
    return _assemble("box", places, CUBIC, points, (0, 0, 0), regions_of(sides, 3), names)


def mesh(
    rows: int,
    columns: int,
    *,
    origin: str = "top-left",
    holes: Holes = (),
    names: CellNames = PLAIN,
) -> Topology:
    """Build a board of `rows` by `columns` square faces with their borders and points as places.

    The places are the cells of a rectangle with a row and a column for each row and column of faces
    and of points. A step from a face leads to its border, one from a border to a face or a point.
    Regions are the three kinds of places, and sides as of a rectangle. See decision 029.
    """
    require_sizes(rows=rows, columns=columns)
    places = grid(2 * rows + 1, 2 * columns + 1, origin).without(holes)
    points = places.screen
    kinds = [line % 2 + column % 2 for line, column in points]
    sides = [
        Side("top", "bottom", [line for line, _ in points], 2 * rows),
        Side("left", "right", [column for _, column in points], 2 * columns),
    ]
    named = (("points", 0), ("borders", 1), ("faces", 2))
    regions = tuple((name, mask_of(kind == number for kind in kinds)) for name, number in named)
    regions = (*regions, *regions_of(sides, 2))
    return _assemble("mesh", places, SQUARE, points, (0, 0), regions, names)


def graph(
    cells: Sequence[str],
    edges: Iterable[Sequence[str]] = (),
    lines: Iterable[Sequence[str]] = (),
    *,
    screen: Sequence[tuple[int, int]] | None = None,
) -> Topology:
    """Build a board of named cells with edges (pairs of names) and lines, without directions.

    A line that returns to its first cell is cyclic. `screen` places the cells on the printed board,
    by default all on one line. Cell i is at row 1, column i + 1.
    """
    require_cells(len(cells))
    numbers = {name: i for i, name in enumerate(cells)}
    if not all(name and not any(map(str.isspace, name)) for name in cells):
        raise BoardError("the name of a cell is one word, without blanks", "cells")
    places = tuple(screen) if screen is not None else tuple((0, i) for i in range(len(cells)))
    if len(places) != len(cells) or len(set(places)) != len(places):
        raise BoardError("each cell needs a place of its own on the screen")
    walked = [_walk(numbers, line) for line in lines]
    height, width = (1 + max(part) for part in zip(*places, strict=True))
    return Topology(
        shape="graph",
        screen=places,
        coordinates=tuple((1, i + 1) for i in range(len(cells))),
        names=tuple(cells),
        row_labels=("",) * height,
        column_labels=("",) * width,
        indents=(0,) * height,
        directions=(),
        direction_sets=(("all", ()),),
        adjacency=masks_of([_ends(numbers, edge) for edge in edges], len(cells)),
        lines=tuple(line for line, _ in walked),
        cyclic=tuple(closed for _, closed in walked),
        regions=(),
    )


SHAPES: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "rectangle": Shape(rectangle, ("rows", "columns"), ("origin", "wrap", "holes", "names")),
        "rhombus": Shape(rhombus, ("rows", "columns"), ("origin", "wrap", "holes", "names")),
        "hexagon": Shape(hexagon, ("size",), ("origin", "holes", "names")),
        "triangle": Shape(triangle, ("size",), ("origin", "holes", "names")),
        "staggered": Shape(staggered, ("rows", "columns"), ("stagger", "origin", "holes", "names")),
        "box": Shape(box, ("layers", "rows", "columns"), ("origin", "holes", "names")),
        "mesh": Shape(mesh, ("rows", "columns"), ("origin", "holes", "names")),
        "graph": Shape(graph, ("cells",), ("edges", "lines", "screen")),
    }
)


def _wrapped(
    places: Places, rows: int, columns: int, wrap: str
) -> tuple[tuple[int, int], list[Side]]:
    """Return the periods of lines and columns of the screen, and the sides that are not joined."""
    require_word(wrap, WRAPS, "wrap")
    tall, wide = wrap in ("rows", "both"), wrap in ("columns", "both")
    sides = []
    if not tall:
        sides.append(Side("top", "bottom", [line for line, _ in places.screen], rows - 1))
    if not wide:
        sides.append(Side("left", "right", [column for _, column in places.screen], columns - 1))
    return (rows if tall else 0, columns if wide else 0), sides


def _assemble(
    shape: str,
    places: Places,
    lattice: Lattice,
    points: Sequence[Point],
    periods: Point,
    regions: tuple[tuple[str, int], ...],
    names: CellNames,
) -> Topology:
    require_cells(len(points))
    directions = trace_directions(lattice, points, periods)
    lines = trace_lines(directions, lattice.forward)
    return Topology(
        shape=shape,
        screen=places.screen,
        coordinates=places.coordinates,
        names=tuple(
            names.name(place, (line + 1, column + 1))
            for place, (line, column) in zip(places.coordinates, places.screen, strict=True)
        ),
        row_labels=tuple(names.row(row) for row in places.rows),
        column_labels=tuple(names.column(c) if c else "" for c in places.columns),
        indents=places.indents,
        directions=directions,
        direction_sets=lattice.sets,
        adjacency=union_of(directions, len(points)),
        lines=tuple(line for line, _ in lines),
        cyclic=tuple(closed for _, closed in lines),
        regions=regions,
    )


def _walk(numbers: Mapping[str, int], line: Sequence[str]) -> tuple[tuple[int, ...], bool]:
    cells = tuple(_number(numbers, name, "lines") for name in line)
    closed = len(cells) > 2 and cells[0] == cells[-1]
    cells = cells[:-1] if closed else cells
    if not cells:
        raise BoardError("a line has no cells, expected at least one", "lines")
    if len(set(cells)) != len(cells):
        shown = "-".join(line)
        raise BoardError(f"the line `{shown}` meets a cell twice", "lines", shown)
    return cells, closed


def _ends(numbers: Mapping[str, int], edge: Sequence[str]) -> tuple[int, int]:
    if len(edge) != 2 or edge[0] == edge[1]:
        shown = "-".join(edge)
        raise BoardError(f"an edge joins two cells, found `{shown}`", "edges", shown)
    return _number(numbers, edge[0], "edges"), _number(numbers, edge[1], "edges")


def _number(numbers: Mapping[str, int], name: str, key: str) -> int:
    if name not in numbers:
        raise BoardError(f"no cell is named `{name}`", key, name)
    return numbers[name]
