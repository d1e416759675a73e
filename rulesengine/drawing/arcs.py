"""Joins as curves: arcs round a corner of the board if both ends allow one, else Bézier curves."""

import math
from collections.abc import Sequence

from rulesengine.board.topology import Topology
from rulesengine.drawing.scene import Point

_STEPS = 24
_SAME = 1e-6


def arcs(board: Topology, points: Sequence[Point]) -> tuple[tuple[Point, ...], ...]:
    """Return a curve for each join, tangent to the directions at both cells."""
    curves = []
    for cell, direction, to, onward in board.joins:
        back = board.directions[onward].opposite
        if (cell, direction) < (to, back):
            leave, arrive = (
                step_vector(board, points, direction),
                step_vector(board, points, onward),
            )
            curves.append(_curve(points[cell], leave, points[to], arrive))
    return tuple(curves)


def step_vector(board: Topology, points: Sequence[Point], direction: int) -> Point:
    """Return the step of a direction in the plane, taken from its first pair of cells."""
    targets = board.directions[direction].targets
    cell = next((c for c, to in enumerate(targets) if to >= 0), -1)
    if cell < 0:
        return 0.0, 0.0
    (x, y), (u, v) = points[cell], points[targets[cell]]
    return u - x, v - y


def _curve(start: Point, leave: Point, end: Point, arrive: Point) -> tuple[Point, ...]:
    centre = _centre(start, leave, end, arrive)
    return _bow(start, leave, end, arrive) if centre is None else _arc(centre, start, leave, end)


def _centre(start: Point, leave: Point, end: Point, arrive: Point) -> Point | None:
    """Return the centre of the circle through both ends with these tangents, or None."""
    across = leave[0] * arrive[1] - leave[1] * arrive[0]
    if abs(across) < _SAME:
        return None
    # The normals at both ends meet where (p - start)·leave = 0 and (p - end)·arrive = 0.
    a = start[0] * leave[0] + start[1] * leave[1]
    b = end[0] * arrive[0] + end[1] * arrive[1]
    centre = (a * arrive[1] - b * leave[1]) / across, (b * leave[0] - a * arrive[0]) / across
    same = abs(math.dist(centre, start) - math.dist(centre, end)) < _SAME
    return centre if same and math.dist(centre, start) > _SAME else None


def _arc(centre: Point, start: Point, leave: Point, end: Point) -> tuple[Point, ...]:
    """Return an arc from the start to the end in the direction of `leave`."""
    radius = math.dist(centre, start)
    first = math.atan2(start[1] - centre[1], start[0] - centre[0])
    last = math.atan2(end[1] - centre[1], end[0] - centre[0])
    turning = (start[0] - centre[0]) * leave[1] - (start[1] - centre[1]) * leave[0]
    sweep = (last - first) % math.tau if turning > 0 else (last - first) % math.tau - math.tau
    angles = (first + sweep * i / _STEPS for i in range(_STEPS + 1))
    return tuple(
        (centre[0] + radius * math.cos(t), centre[1] + radius * math.sin(t)) for t in angles
    )


def _bow(start: Point, leave: Point, end: Point, arrive: Point) -> tuple[Point, ...]:
    """Return a Bézier curve; a control point is half the distance of the ends away from its end."""
    length = max(1.0, math.dist(start, end) / 2)
    one = start[0] + length * leave[0], start[1] + length * leave[1]
    two = end[0] - length * arrive[0], end[1] - length * arrive[1]
    return tuple(_bezier((start, one, two, end), i / _STEPS) for i in range(_STEPS + 1))


def _bezier(points: tuple[Point, Point, Point, Point], t: float) -> Point:
    parts = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x = sum(part * point[0] for part, point in zip(parts, points, strict=True))
    return x, sum(part * point[1] for part, point in zip(parts, points, strict=True))
