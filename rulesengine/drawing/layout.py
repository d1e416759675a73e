"""Where the cells of a board lie in the plane, and what runs between them."""

import math
from collections.abc import Sequence

from rulesengine.board.topology import Topology
from rulesengine.drawing.arcs import arcs
from rulesengine.drawing.graphs import placed
from rulesengine.drawing.scene import Point
from rulesengine.support.frozen import record

Line = tuple[Point, ...]

ROW = math.sqrt(3) / 2  # from one row of hexagons to the next
_FACE = 0.6  # half a face of a mesh
_NEAR = 1.2  # cells further apart than this are no neighbours in the plane
_STRAIGHT = ("east", "south", "southeast", "southwest")


@record
class Layout:
    """The middle of each cell, its outline if it has an area, the lines between the middles.

    `corners` are points of a mesh that no cell need be at.
    """

    points: tuple[Point, ...]
    outlines: tuple[Line, ...]
    lines: tuple[Line, ...]
    arcs: tuple[Line, ...] = ()
    corners: tuple[Point, ...] = ()


def lay_out(board: Topology) -> Layout:
    """The layout of a board, by its shape."""
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
    """Whether cells have six sides."""
    return len(board.directions) == len(_HEXAGON)


def virtual(board: Topology, line: int, column: float) -> Point:
    """Where a line and a column of the screen meet, whether there is a cell or not."""
    if not has_hexagons(board):
        return float(column), float(line)
    first = board.indents[max(0, min(line, len(board.indents) - 1))]
    return column + first / 2, line * ROW


def layers_of(board: Topology) -> int:
    """How many lines of the screen a layer of a box has."""
    down = next(d for d in board.directions if d.name == "down")
    rises = (
        board.screen[to][0] - board.screen[cell][0]
        for cell, to in enumerate(down.targets)
        if to >= 0
    )
    return next(rises, len(board.indents))


def shifts(board: Topology) -> tuple[Point, ...]:
    """For each line of the screen of a box where its layer begins, and the line within it."""
    rows = layers_of(board)
    columns = len(board.column_labels) + 1.6
    count = len(board.indents) // rows
    across = math.ceil(math.sqrt(count)) if count > 3 else count
    return tuple(
        (layer % across * columns, layer // across * (rows + 1.6) + row)
        for layer, row in (divmod(line, rows) for line in range(len(board.indents)))
    )


def _box(board: Topology) -> tuple[Point, ...]:
    """Layers side by side."""
    begins = shifts(board)
    return tuple((begins[line][0] + column, begins[line][1]) for line, column in board.screen)


def _mesh(board: Topology) -> Layout:
    """Faces with an area; borders and points are where they meet."""
    points = tuple((column * _FACE, line * _FACE) for line, column in board.screen)
    faces = [is_face(place) for place in board.screen]
    square = tuple((x * 2 * _FACE, y * 2 * _FACE) for x, y in _SQUARE)
    outlines = tuple(
        _moved(square, at) if face else () for at, face in zip(points, faces, strict=True)
    )
    corners = {(round(x, 3), round(y, 3)) for outline in outlines for x, y in outline}
    return Layout(points, outlines, (), (), tuple(sorted(corners)))


def is_face(place: tuple[int, int]) -> bool:
    """Whether a place of a mesh is a face, by its line and column."""
    return place[0] % 2 == 1 and place[1] % 2 == 1


def _graph(board: Topology) -> Layout:
    points = placed(board)
    lines = tuple(
        (points[a], points[b])
        for a, near in enumerate(board.adjacency)
        for b in range(a + 1, board.cells)
        if near >> b & 1
    )
    return Layout(points, ((),) * board.cells, lines)


def _runs(board: Topology, points: Sequence[Point]) -> tuple[Line, ...]:
    """Straight lines over cells that touch one another, as long as they go."""
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
    """The last cell of a run."""
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
