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

    - `corners`: the points of a mesh, with or without a cell.
    - `triangles`: a triangle below each cell of a board of triangles.
    - `steps`: the step from each cell to the next piece of a stack on it; () for the usual one.
    """

    points: tuple[Point, ...]
    outlines: tuple[Line, ...]
    lines: tuple[Line, ...]
    arcs: tuple[Line, ...] = ()
    corners: tuple[Point, ...] = ()
    triangles: tuple[Line, ...] = ()
    steps: tuple[Point, ...] = ()


Cut = frozenset[tuple[int, int]]
_NO_CUT: Cut = frozenset()


def lay_out(board: Topology, style: str = "") -> Layout:
    """Return the layout of a board, by its shape and its style."""
    if style in TWO_ROWS and fits_rows(board, style):
        points = _of_two_rows(board)
        return triangles(points) if style == "triangles" else pits(points)
    return _by_shape(board)


def fits_rows(board: Topology, style: str) -> bool:
    """True if a style of rows fits the board: two lines, or for pits one or two."""
    rows = len({line for line, _ in board.screen})
    return rows == 2 or (rows == 1 and style == "pits")


def _of_two_rows(board: Topology) -> tuple[Point, ...]:
    if board.shape == "graph":
        return place_cells(board)
    return tuple(virtual(board, line, column) for line, column in board.screen)


def _by_shape(board: Topology) -> Layout:
    match board.shape:
        case "graph":
            return _graph(board)
        case "mesh":
            return _mesh(board)
        case "box" if has_levels(board):
            points = _box(board)
            return Layout(points, _around(points, _LEVEL), runs(board, points))
    if has_hexagons(board):
        points = tuple(virtual(board, line, column) for line, column in board.screen)
        return Layout(points, _around(points, _HEXAGON), runs(board, points))
    points = tuple(virtual(board, line, column) for line, column in board.screen)
    joined = arcs(board, points)
    return Layout(points, _around(points, _SQUARE), runs(board, points), joined)


def has_hexagons(board: Topology) -> bool:
    """True if cells have six sides."""
    return len(board.directions) == len(_HEXAGON)


def virtual(board: Topology, line: int, column: float) -> Point:
    """Return the point of a line and a column of the screen, with or without a cell."""
    if not has_hexagons(board):
        return float(column), float(line)
    first = board.indents[max(0, min(line, len(board.indents) - 1))]
    return column + first / 2, line * ROW


def has_levels(board: Topology) -> bool:
    """True if the board has several layers, which are seen from the side."""
    return board.shape == "box" and layers_of(board) < len(board.indents)


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
    """Return the beginning of each line of the screen of a box: its layers are levels of a tower.

    Each level is below the one that is printed before it, and its rear is shifted to the right.
    """
    rows = layers_of(board)
    offsets = []
    for line in range(len(board.indents)):
        layer, row = divmod(line, rows)
        offsets.append(((rows - 1 - row) * SLANT, layer * (rows + 0.9) * DEPTH + row * DEPTH))
    return tuple(offsets)


def _box(board: Topology) -> tuple[Point, ...]:
    """Return the points of levels, one below the other."""
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
        for a, adjacent in enumerate(board.adjacency)
        for b in range(a + 1, board.cells)
        if adjacent >> b & 1
    )
    return Layout(points, ((),) * board.cells, lines)


def runs(board: Topology, points: Sequence[Point], cut: Cut = _NO_CUT) -> tuple[Line, ...]:
    """Return maximal straight lines through cells that are adjacent in the plane.

    No line passes between two cells of a pair in `cut`.
    """

    def goes_on(cell: int, to: int) -> bool:
        return to >= 0 and _near(points[cell], points[to]) and not cut & {(cell, to), (to, cell)}

    segments = []
    wanted = ("east", "south") if not has_hexagons(board) else _STRAIGHT
    for direction in board.directions:
        if direction.name in wanted:
            continued = {to for cell, to in enumerate(direction.targets) if goes_on(cell, to)}
            for first in range(board.cells):
                if first not in continued:
                    last = first
                    while goes_on(last, direction.targets[last]):
                        last = direction.targets[last]
                    segments += [(points[first], points[last])] if last != first else []
    return tuple(segments)


def _near(a: Point, b: Point) -> bool:
    return math.dist(a, b) < _NEAR


def _around(points: Sequence[Point], form: Line) -> tuple[Line, ...]:
    return tuple(_moved(form, at) for at in points)


def _moved(form: Line, at: Point) -> Line:
    return tuple((x + at[0], y + at[1]) for x, y in form)


def triangles(points: Sequence[Point]) -> Layout:
    """Return the layout of two rows of long triangles with stacks of pieces.

    A triangle begins at the edge of the board, where its cell's point is.
    """
    top = min(y for _, y in points)
    places, outlines, tips, steps = [], [], [], []
    for x, y in points:
        edge, inward = (0.0, 1) if y == top else (_POINT_ROWS, -1)
        places.append((x, edge + 0.5 * inward))
        half = edge + inward * (_POINT_ROWS / 2)
        tip_row = edge + inward * _TIP
        outlines.append(((x - 0.5, edge), (x + 0.5, edge), (x + 0.5, half), (x - 0.5, half)))
        tips.append(((x - 0.47, edge), (x + 0.47, edge), (x, tip_row)))
        steps.append((0.0, inward * _POINT_STEP))
    return Layout(tuple(places), tuple(outlines), (), triangles=tuple(tips), steps=tuple(steps))


def pits(points: Sequence[Point]) -> Layout:
    """Return the layout of two rows of pits; a pit that is alone in its column is twice as high."""
    top = min(y for _, y in points)
    columns = [x for x, _ in points]
    rows = len({y for _, y in points})
    places, outlines = [], []
    for x, y in points:
        is_alone = columns.count(x) < rows
        at = (x * PIT, (0.5 if is_alone else float(y != top)) * PIT)
        places.append(at)
        outlines.append(_moved(_oval(0.46, 1.0 if is_alone else 0.46), at))
    return Layout(tuple(places), tuple(outlines), ())


def store_outline(at: Point) -> Line:
    """Return the outline of a pit that is as high as a board of two rows."""
    return _moved(_oval(0.46, 1.0), at)


def _oval(wide: float, high: float) -> Line:
    angles = [math.tau * i / _OVAL for i in range(_OVAL)]
    stretch = high - wide
    return tuple(
        (wide * math.cos(t), wide * math.sin(t) + math.copysign(stretch, math.sin(t)))
        for t in angles
    )


def hull(points: Sequence[Point]) -> Line:
    """Return the convex hull of some points, by Andrew's monotone chain algorithm (1979)."""
    ordered = sorted(set(points))

    def half(chain: Sequence[Point]) -> list[Point]:
        corners: list[Point] = []
        for point in chain:
            while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= 0:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    return tuple(half(ordered) + half(ordered[::-1])) if len(ordered) > 1 else tuple(ordered)


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


TWO_ROWS = ("triangles", "pits")
SLANT, DEPTH = 0.42, 0.58  # of a level that is seen from the side: shift and height of a row
_POINT_ROWS, _TIP, _POINT_STEP = 11.4, 5.0, 0.92  # of a board of triangles
PIT, _OVAL = 1.12, 32
_LEVEL: Line = tuple(
    (x - SLANT * y, y * DEPTH) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
)
_SQUARE: Line = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_HEXAGON: Line = tuple(
    (math.sin(math.radians(60 * i)) / math.sqrt(3), -math.cos(math.radians(60 * i)) / math.sqrt(3))
    for i in range(6)
)
