"""Positions of the cells of a board in the plane, and the lines between them."""

import math
from collections.abc import Sequence

from rulesengine.board.topology import Topology
from rulesengine.drawing.arcs import arcs
from rulesengine.drawing.graphs import place_cells
from rulesengine.drawing.scene import Point
from rulesengine.support.frozen import record

Line = tuple[Point, ...]

ROW = math.sqrt(3) / 2  # distance between rows of hexagons
_FACE = 0.6  # half the width of a face of a mesh
_NEAR = 1.2  # cells further apart than this are not adjacent in the plane
_STRAIGHT = ("east", "south", "southeast", "southwest")


@record
class Layout:
    """The centre of each cell, its outline if it has an area, and the lines between centres.

    `corners` are the points of a mesh, with or without a cell.
    """

    points: tuple[Point, ...]
    outlines: tuple[Line, ...]
    lines: tuple[Line, ...]
    arcs: tuple[Line, ...] = ()
    corners: tuple[Point, ...] = ()


def lay_out(board: Topology) -> Layout:
    """Return the layout of a board, by its shape."""
    match board.shape:
        case "graph":
            return _graph(board)
        case "mesh":
            return _mesh(board)
        case "box":
            points = _box(board)
            return Layout(points, _around(points, _SQUARE), _runs(board, points))
    if has_hexagons(board):
        points = tuple(virtual(board, line, column) for line, column in board.screen)
        return Layout(points, _around(points, _HEXAGON), _runs(board, points))
    points = tuple(virtual(board, line, column) for line, column in board.screen)
    joined = arcs(board, points)
    return Layout(points, _around(points, _SQUARE), _runs(board, points), joined)


def has_hexagons(board: Topology) -> bool:
    """True if cells have six sides."""
    return len(board.directions) == len(_HEXAGON)


def virtual(board: Topology, line: int, column: float) -> Point:
    """Return the point of a line and a column of the screen, with or without a cell."""
    if not has_hexagons(board):
        return float(column), float(line)
    first = board.indents[max(0, min(line, len(board.indents) - 1))]
    return column + first / 2, line * ROW


def layers_of(board: Topology) -> int:
    """Return the number of lines of the screen in a layer of a box."""
    down = next(d for d in board.directions if d.name == "down")
    rises = (
        board.screen[to][0] - board.screen[cell][0]
        for cell, to in enumerate(down.targets)
        if to >= 0
    )
    return next(rises, len(board.indents))


def shifts(board: Topology) -> tuple[Point, ...]:
    """Return the beginning of each line of the screen of a box, with its layer's offset."""
    rows = layers_of(board)
    columns = len(board.column_labels) + 1.6
    count = len(board.indents) // rows
    across = math.ceil(math.sqrt(count)) if count > 3 else count
    return tuple(
        (layer % across * columns, layer // across * (rows + 1.6) + row)
        for layer, row in (divmod(line, rows) for line in range(len(board.indents)))
    )


def _box(board: Topology) -> tuple[Point, ...]:
    """Return the points of layers placed next to each other."""
    begins = shifts(board)
    return tuple((begins[line][0] + column, begins[line][1]) for line, column in board.screen)


def _mesh(board: Topology) -> Layout:
    """Return the layout of a mesh: faces have an area, borders and points none."""
    points = tuple((column * _FACE, line * _FACE) for line, column in board.screen)
    faces = [is_face(place) for place in board.screen]
    square = tuple((x * 2 * _FACE, y * 2 * _FACE) for x, y in _SQUARE)
    outlines = tuple(
        _moved(square, at) if face else () for at, face in zip(points, faces, strict=True)
    )
    corners = {(round(x, 3), round(y, 3)) for outline in outlines for x, y in outline}
    return Layout(points, outlines, (), (), tuple(sorted(corners)))


def is_face(place: tuple[int, int]) -> bool:
    """True if a place of a mesh is a face, by its line and column."""
    return place[0] % 2 == 1 and place[1] % 2 == 1


def _graph(board: Topology) -> Layout:
    points = place_cells(board)
    lines = tuple(
        (points[a], points[b])
        for a, near in enumerate(board.adjacency)
        for b in range(a + 1, board.cells)
        if near >> b & 1
    )
    return Layout(points, ((),) * board.cells, lines)


def _runs(board: Topology, points: Sequence[Point]) -> tuple[Line, ...]:
    """Return maximal straight lines through cells that are adjacent in the plane."""
    found = []
    wanted = ("east", "south") if not has_hexagons(board) else _STRAIGHT
    for direction in board.directions:
        if direction.name in wanted:
            begun = {
                to
                for cell, to in enumerate(direction.targets)
                if to >= 0 and _near(points[cell], points[to])
            }
            for first in range(board.cells):
                if first not in begun:
                    last = _end(points, direction.targets, first)
                    found += [(points[first], points[last])] if last != first else []
    return tuple(found)


def _end(points: Sequence[Point], targets: Sequence[int], cell: int) -> int:
    """Return the last cell of a run."""
    while (to := targets[cell]) >= 0 and _near(points[cell], points[to]):
        cell = to
    return cell


def _near(a: Point, b: Point) -> bool:
    return math.dist(a, b) < _NEAR


def _around(points: Sequence[Point], form: Line) -> tuple[Line, ...]:
    return tuple(_moved(form, at) for at in points)


def _moved(form: Line, at: Point) -> Line:
    return tuple((x + at[0], y + at[1]) for x, y in form)


_SQUARE: Line = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_HEXAGON: Line = tuple(
    (math.sin(math.radians(60 * i)) / math.sqrt(3), -math.cos(math.radians(60 * i)) / math.sqrt(3))
    for i in range(6)
)
