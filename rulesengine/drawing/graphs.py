"""Positions of the cells of a graph: as drawn in the spec, by their names, or a graph drawing.

The last starts with a circle and moves cells until distances in the plane approximate those along
edges. This is stress majorization, by Gansner, Koren and North, "Graph Drawing by Stress
Majorization", 2004.
"""

import math
import re
from collections.abc import Sequence
from itertools import islice, pairwise

from rulesengine.board.topology import Topology
from rulesengine.drawing.scene import Point

_NAME = re.compile(r"([a-z])([0-9]{1,2})")
_WORK = 400_000  # pairs of cells that are evaluated in all
_MOST = 300  # cells of a graph that is optimised; a larger one remains a circle
_APART = 1.4  # distance of the nearest two cells if names are printed next to them
_LEAST = 0.3  # of the median edge length: a drawing with closer cells is rejected


def place_cells(board: Topology) -> tuple[Point, ...]:
    """Return a point for each cell; no two are closer than 1."""
    if len({line for line, _ in board.screen}) > 1:
        return _spread(_grid_points(board), 1)
    if named := by_names(board):
        return _spread(named, 1)
    circle = _circle(board)
    points = _settled(board, circle) if board.cells <= _MOST else circle
    return _spread(points if _is_clear(board, points) else circle, _APART)


def _grid_points(board: Topology) -> list[Point]:
    """Return the lines and columns of the drawing as points.

    The cells of each rank are aligned exactly if all lines have the same number of cells, and some
    column of cells is aligned. Names differ in length, which shifts them in a drawing.
    """
    lines: dict[int, list[int]] = {}
    for line, column in sorted(board.screen):
        lines.setdefault(line, []).append(column)
    if len({len(columns) for columns in lines.values()}) == 1:
        ranks = list(zip(*lines.values(), strict=True))
        apart = all(max(a) < min(b) for a, b in pairwise(ranks))
        if apart and any(len(set(columns)) == 1 for columns in ranks):
            return [
                (float(lines[line].index(column)), float(line)) for line, column in board.screen
            ]
    return [(float(column), float(line)) for line, column in board.screen]


def by_names(board: Topology) -> list[Point]:
    """Return points from names such as `a1`; none if a cell has another form of name."""
    matches = [_NAME.fullmatch(name) for name in board.names]
    points = [(float(ord(m[1]) - ord("a")), -float(m[2])) for m in matches if m]
    is_plane = all(len({point[i] for point in points}) > 1 for i in (0, 1))
    return points if len(points) == board.cells and is_plane else []


def _spread(points: Sequence[Point], apart: float) -> tuple[Point, ...]:
    """Scale the points to a distance of the nearest two, and move them to the origin."""
    least = _nearest(points)
    left, top = (min(point[i] for point in points) for i in (0, 1))
    scale = apart / least
    return tuple(((x - left) * scale, (y - top) * scale) for x, y in points)


def _nearest(points: Sequence[Point]) -> float:
    """Return the distance of the nearest two points; 1 if there are no two."""
    ordered, least = sorted(points), math.inf
    for i, (x, y) in enumerate(ordered):
        for u, v in islice(ordered, i + 1, None):
            if u - x >= least:
                break
            least = min(least, math.dist((x, y), (u, v)))
    return least if 0 < least < math.inf else 1.0


def _circle(board: Topology) -> list[Point]:
    """Return points on a circle; a cell that is adjacent to all others is its centre."""
    hubs = [
        c for c, adjacent in enumerate(board.adjacency) if adjacent.bit_count() == board.cells - 1
    ]
    hub = hubs[0] if len(hubs) == 1 else -1
    rim = [cell for cell in range(board.cells) if cell != hub]
    radius = max(len(rim) / math.tau, 1)
    places = {hub: (0.0, 0.0)}
    for i, cell in enumerate(rim):
        angle = math.tau * i / max(1, len(rim))
        places[cell] = radius * math.sin(angle), -radius * math.cos(angle)
    return [places[cell] for cell in range(board.cells)]


def _settled(board: Topology, points: list[Point]) -> list[Point]:
    """Return the points after as many rounds of optimisation as the number of cells allows."""
    distances = [_distances(board, cell) for cell in range(board.cells)]
    rounds = min(200, _WORK // max(1, board.cells**2))
    for _ in range(rounds):
        points = [_better(cell, points, distances[cell]) for cell in range(board.cells)]
    return points


def _better(cell: int, points: Sequence[Point], distances: Sequence[int]) -> Point:
    """Return the place of a cell by its distances from the others, weighted by 1 / distance²."""
    x = y = total = 0.0
    at = points[cell]
    for other, point in enumerate(points):
        if other != cell:
            weight = distances[other] ** -2
            pull = distances[other] / max(math.dist(at, point), 1e-9)
            x += weight * (point[0] + pull * (at[0] - point[0]))
            y += weight * (point[1] + pull * (at[1] - point[1]))
            total += weight
    return (x / total, y / total) if total else at


def _distances(board: Topology, start: int) -> list[int]:
    """Return the graph distance of each cell from a cell; the number of cells if unreachable."""
    distances = [board.cells] * board.cells
    distances[start], ring, steps = 0, 1 << start, 0
    reached = ring
    while ring:
        steps += 1
        adjacent = 0
        for cell in range(board.cells):
            adjacent |= board.adjacency[cell] if ring >> cell & 1 else 0
        ring = adjacent & ~reached
        reached |= ring
        for cell in range(board.cells):
            if ring >> cell & 1:
                distances[cell] = steps
    return distances


def _is_clear(board: Topology, points: Sequence[Point]) -> bool:
    """True if no two cells are too close; False for a graph without edges."""
    if board.cells > _MOST:
        return False
    pairs = [(a, b) for a in range(board.cells) for b in range(a)]
    edges = sorted(math.dist(points[a], points[b]) for a, b in pairs if board.adjacency[a] >> b & 1)
    middle = edges[len(edges) // 2] if edges else 0.0
    return bool(edges) and all(math.dist(points[a], points[b]) > _LEAST * middle for a, b in pairs)
