"""Coordinates: rows and columns next to the board, or the names of cells if it has neither."""

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from rulesengine.board.geometry import bits
from rulesengine.board.topology import Topology
from rulesengine.drawing.graphs import by_names
from rulesengine.drawing.layout import (
    DEPTH,
    SLANT,
    TWO_ROWS,
    Layout,
    has_hexagons,
    has_levels,
    shifts,
    virtual,
)
from rulesengine.drawing.scene import Label, Point

_SMALL, _LARGE = 0.36, 0.7
_WIDE = 26  # width of boards from which on labels grow, to be legible in a small picture
_GLYPH = 0.62  # the width of a letter relative to its height
_WAYS = 16  # candidate directions for the name of a point, clockwise from the right
_PREFERRED: Final = MappingProxyType({4: 0, 12: 1, 0: 2, 8: 3})  # below, above, right, left
_MOST = 200  # names of points: more would be illegible
_AROUND = 2.0  # distance from a point within which other points and lines are considered
_NEAR, _FARTHER = 0.5, (0.8, 1.1, 1.4)  # distances of a name from its point
_TOUCHING = 0.1  # distance from a line at which a name is not legible
_FREE = 0.4  # sufficient distance from lines and other points


def labels(
    board: Topology, layout: Layout, style: str = "", panel: float = 0.0
) -> tuple[Label, ...]:
    """Return the coordinates of a board; none of them is on a cell.

    `panel` is the distance by which a panel extends beyond the cells.
    """
    size = label_size(layout)
    if style in TWO_ROWS:
        return _of_two_rows(board, layout, min(size, _SMALL))
    if board.shape == "graph":
        return _of_graph(board, layout, size, panel)
    if has_levels(board):
        return _of_layers(board, size)
    if board.shape == "mesh":
        return _of_mesh(board, layout, size, panel)
    if any(board.column_labels):
        reach = panel or _reach(layout)
        return (*_rows(board, size, reach), *_columns(board, size, reach))
    return _ends(board, layout, size)


def _of_two_rows(board: Topology, layout: Layout, size: float) -> tuple[Label, ...]:
    """Return the name of each cell above the upper row or below the lower one."""
    ys = [y for outline in layout.outlines for _, y in outline]
    top, bottom = min(ys) - 0.55 - size / 2, max(ys) + 0.55 + size / 2
    middle = (top + bottom) / 2
    return tuple(
        Label((x, top if y < middle - 1e-6 else bottom), name, size, "label")
        for name, (x, y) in zip(board.names, layout.points, strict=True)
    )


def has_names_inside(board: Topology, points: Sequence[Point]) -> bool:
    """True if names are next to their cells, where a panel has to have room for them."""
    if board.shape == "graph":
        return as_grid(board, points) is None
    return not any(board.column_labels)


def label_size(layout: Layout) -> float:
    """Return the height of labels; large boards have larger ones."""
    xs = [x for x, _ in layout.points]
    return max(_SMALL, min(_LARGE, (max(xs) - min(xs) + 1) / _WIDE))


def half_width(text: str, size: float) -> float:
    """Return half the width of a text."""
    return len(text) * size * _GLYPH / 2


def _left_label(text: str, at: Point, size: float) -> Label:
    """Return a label that ends to the left of a cell."""
    return Label((at[0] - 0.7 - half_width(text, size), at[1]), text, size, "label")


def _rows(board: Topology, size: float, reach: float) -> list[Label]:
    shown = ((virtual(board, i, 0), text) for i, text in enumerate(board.row_labels) if text)
    return [_left_label(text, (x - reach, y), size) for (x, y), text in shown]


def _columns(board: Topology, size: float, reach: float) -> list[Label]:
    """Return column labels above or below the board, at its first row."""
    last = len(board.row_labels) - 1
    above = board.row_labels.index(min(board.row_labels, key=_order)) == 0
    away = 0.66 + size / 2 + reach
    drawn = []
    used = {column for _, column in board.screen}
    for column, text in enumerate(board.column_labels):
        x, y = virtual(board, 0 if above else last, column)
        slant = away / 2 if has_hexagons(board) and board.shape == "rhombus" else 0.0
        at = (x - slant, y - away) if above else (x + slant, y + away)
        drawn += [Label(at, text, size, "label")] if text and column in used else []
    return drawn


def _order(label: str) -> tuple[int, str]:
    return len(label), label


def _reach(layout: Layout) -> float:
    """Return the distance by which arcs extend beyond the cells."""
    if not layout.arcs:
        return 0.0
    return min(x for x, _ in layout.points) - min(x for arc in layout.arcs for x, _ in arc)


def _ends(board: Topology, layout: Layout, size: float) -> tuple[Label, ...]:
    """Return the names of the first and the last cell of each line."""
    lines: dict[int, list[int]] = {}
    for cell, (line, _) in enumerate(board.screen):
        lines.setdefault(line, []).append(cell)
    drawn = []
    for cells in lines.values():
        first, last = cells[0], cells[-1]
        drawn.append(_left_label(board.names[first], layout.points[first], size))
        if last != first:
            x, y = layout.points[last]
            right = x + 0.7 + half_width(board.names[last], size)
            drawn.append(Label((right, y), board.names[last], size, "label"))
    return tuple(drawn)


def _of_layers(board: Topology, size: float) -> tuple[Label, ...]:
    """Return row labels to the left of each level, and column labels below the lowest one."""
    begins = shifts(board)
    drawn = []
    for (x, y), text in zip(begins, board.row_labels, strict=True):
        drawn += [_left_label(text, (x - SLANT / 2, y), size)] if text else []
    x, y = begins[-1]
    for column, text in enumerate(board.column_labels):
        drawn.append(
            Label((x + column - SLANT / 2, y + 0.2 + DEPTH / 2 + size / 2), text, size, "label")
        )
    return tuple(drawn)


def _of_mesh(board: Topology, layout: Layout, size: float, panel: float) -> tuple[Label, ...]:
    """Return row and column labels of places, smaller than those of cells."""
    small = size * 0.75
    step = max((x for x, _ in layout.points), default=1) / max(1, len(board.column_labels) - 1)
    bottom = step * (len(board.row_labels) - 1) + 0.4 + panel + small / 2
    rows = [
        Label((-0.4 - panel - half_width(text, small), step * i), text, small, "label")
        for i, text in enumerate(board.row_labels)
    ]
    columns = [
        Label((step * i, bottom), text, small, "label")
        for i, text in enumerate(board.column_labels)
    ]
    return (*rows, *columns)


def _of_graph(board: Topology, layout: Layout, size: float, panel: float) -> tuple[Label, ...]:
    """Return row and column labels if names imply them, else names next to the points."""
    grid = as_grid(board, layout.points)
    if grid is not None:
        return _grid(grid, layout.points, size, panel)
    if board.cells > _MOST:
        return ()
    places = (_label_place(cell, board, layout.points, size) for cell in range(board.cells))
    return tuple(
        Label(place, name, size * 0.8, "label")
        for name, place in zip(board.names, places, strict=True)
        if place is not None
    )


def as_grid(
    board: Topology, points: Sequence[Point]
) -> tuple[dict[float, str], dict[float, str]] | None:
    """Return the letters of columns and the numbers of rows, if all names consist of them."""
    if not by_names(board):
        return None
    columns = {x: name[0] for name, (x, _) in zip(board.names, points, strict=True)}
    rows = {y: name[1:] for name, (_, y) in zip(board.names, points, strict=True)}
    is_one = len(set(columns.values())) == len(columns) and len(set(rows.values())) == len(rows)
    named = [columns[x] + rows[y] for x, y in points]
    return (columns, rows) if is_one and named == list(board.names) else None


def _grid(
    grid: tuple[dict[float, str], dict[float, str]],
    points: Sequence[Point],
    size: float,
    panel: float,
) -> tuple[Label, ...]:
    left, bottom = min(x for x, _ in points) - panel, max(y for _, y in points) + panel
    columns, rows = grid
    return (
        *(_left_label(text, (left, y), size) for y, text in sorted(rows.items())),
        *(
            Label((x, bottom + 0.62 + size / 2), t, size, "label")
            for x, t in sorted(columns.items())
        ),
    )


def _label_place(cell: int, board: Topology, points: Sequence[Point], size: float) -> Point | None:
    """Return the place next to a point with the greatest distance from lines and other points.

    The name of a point with many lines is further away, where they are further apart. None if there
    is no room, as at the centre of a wheel.
    """
    x, y = points[cell]
    half = half_width(board.names[cell], size * 0.8)
    others = [p for p in points if 0 < math.dist(p, (x, y)) < _AROUND + half]
    edges = [
        (points[a], points[b])
        for a, neighbours in enumerate(board.adjacency)
        for b in bits(neighbours & ((1 << a) - 1))
        if _from_line((x, y), points[a], points[b]) < _AROUND + half
    ]

    def place(way: int, away: float) -> Point:
        angle = math.tau * way / _WAYS
        return x + away * math.cos(angle), y + away * math.sin(angle)

    def free(at: Point, along: float) -> float:
        if any(math.dist(at, p) < math.dist(at, (x, y)) for p in others):
            return 0.0
        spots = [(at[0] + dx, at[1]) for dx in (-along, -along / 2, 0, along / 2, along)]
        from_points = [math.dist(spot, p) - 0.3 for spot in spots for p in others]
        from_lines = [_from_line(spot, a, b) for spot in spots for a, b in edges]
        return min([*from_points, *from_lines], default=1.0)

    ways = sorted(range(_WAYS), key=lambda way: _PREFERRED.get(way, len(_PREFERRED)))
    neighbours = [place(way, _NEAR + size * 0.5) for way in ways]
    if best := next((at for at in neighbours if free(at, 0.0) > _FREE), None):
        return best
    far = [place(way, away + size * 0.5) for away in _FARTHER for way in ways]
    if best := next((at for at in far if free(at, half) > size * 0.45), None):
        return best
    best = max([*neighbours, *far], key=lambda at: free(at, half))
    return best if free(best, half) > _TOUCHING else None


def _from_line(at: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from a line segment."""
    length = math.dist(a, b) ** 2
    along = ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / max(length, 1e-12)
    t = max(0.0, min(1.0, along))
    return math.dist(at, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
