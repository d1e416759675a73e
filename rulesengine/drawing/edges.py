"""Outer edges of the board in the colours of their players."""

import math
from collections.abc import Sequence

from rulesengine.board.geometry import bits
from rulesengine.board.topology import Topology
from rulesengine.drawing.arcs import step_vector
from rulesengine.drawing.layout import Layout
from rulesengine.drawing.scene import Point, Stroke

_FACING = 0.3  # a side belongs to an edge that it faces, by the cosine of the angle
_MORE = 0.1  # the least advantage of a later edge over the edge that is named first
_WIDTH = 0.16

Side = tuple[Point, Point]


def coloured_edges(
    board: Topology, layout: Layout, owned: Sequence[tuple[str, Sequence[int]]]
) -> tuple[Stroke, ...]:
    """Return the outer sides of cells in the colours of their edges.

    At a corner, which is on two edges, a side belongs to the edge that it faces more.
    """
    outer = _outer_sides(layout)
    claims: dict[Side, tuple[float, str]] = {}
    for colour, cells in owned:
        for edge in _connected(board, cells):
            facing = _facing(edge, outer, layout)
            for cell in edge:
                for side in outer[cell]:
                    dot = _dot(_outward(side, layout.points[cell]), facing)
                    if dot > max(_FACING, claims.get(side, (0.0, ""))[0] + _MORE):
                        claims[side] = dot, colour
    return tuple(Stroke(side, f"edge-{colour}", _WIDTH) for side, (_, colour) in claims.items())


def side_facing(board: Topology, layout: Layout, cell: int, way: int) -> Side | None:
    """Return the side of a cell that a direction crosses; None if the cell has no area."""
    outline, (x, y) = layout.outlines[cell], step_vector(board, layout.points, way)
    sides = list(zip(outline, (*outline[1:], *outline[:1]), strict=True))
    at = layout.points[cell]
    return max(sides, key=lambda side: _dot(_outward(side, at), (x, y)), default=None)


def _outer_sides(layout: Layout) -> list[list[Side]]:
    """Return the sides of each cell that no other cell shares."""
    counts: dict[Point, int] = {}
    sides = [list(zip(o, (*o[1:], *o[:1]), strict=True)) for o in layout.outlines]
    for own in sides:
        for side in own:
            counts[_middle(side)] = counts.get(_middle(side), 0) + 1
    return [[side for side in own if counts[_middle(side)] == 1] for own in sides]


def _middle(side: Side) -> Point:
    (x, y), (u, v) = side
    return round((x + u) / 2, 4), round((y + v) / 2, 4)


def _outward(side: Side, at: Point) -> Point:
    x, y = _middle(side)
    away = math.dist((x, y), at)
    return (x - at[0]) / away, (y - at[1]) / away


def _facing(edge: Sequence[int], outer: Sequence[Sequence[Side]], layout: Layout) -> Point:
    """Return the direction that an edge faces: the mean of the normals of its sides."""
    normals = [_outward(side, layout.points[cell]) for cell in edge for side in outer[cell]]
    x, y = sum(n[0] for n in normals), sum(n[1] for n in normals)
    length = math.hypot(x, y)
    return (x / length, y / length) if length > 1e-6 else (0.0, 0.0)


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]


def _connected(board: Topology, cells: Sequence[int]) -> list[list[int]]:
    """Return the cells in connected groups."""
    left, groups = sum(1 << cell for cell in cells), []
    while left:
        group = ring = left & -left
        while ring:
            adjacent = 0
            for cell in bits(ring):
                adjacent |= board.adjacency[cell]
            ring = adjacent & left & ~group
            group |= ring
        left &= ~group
        groups.append(bits(group))
    return groups
