"""Regular lattices: target tables and lines from points and steps."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from rulesengine.board.topology import Direction
from rulesengine.support.frozen import record

Point = tuple[int, ...]


@record
class Lattice:
    """Steps by name, in the board's order of directions, and named groups of them.

    The first component of a step points down the screen, the last one to the right. Each step has
    its opposite among the steps.
    """

    steps: tuple[tuple[str, Point], ...]
    sets: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def forward(self) -> tuple[int, ...]:
        """Return the indices of the steps in reading order, one for each axis."""
        return tuple(i for i, (_, step) in enumerate(self.steps) if step > (0,) * len(step))


def trace_directions(
    lattice: Lattice, points: Sequence[Point], periods: Point
) -> tuple[Direction, ...]:
    """Return the directions of cells at these points; a period of 0 is an axis with ends."""
    cell_at = {point: cell for cell, point in enumerate(points)}
    index = {step: i for i, (_, step) in enumerate(lattice.steps)}

    def targets(step: Point) -> tuple[int, ...]:
        return tuple(cell_at.get(_moved(point, step, periods), -1) for point in points)

    return tuple(
        Direction(name, targets(step), index[tuple(-part for part in step)])
        for name, step in lattice.steps
    )


def trace_lines(
    directions: Sequence[Direction], forward: Sequence[int]
) -> tuple[tuple[tuple[int, ...], bool], ...]:
    """Return the lines along the `forward` directions, by first cell; the flag marks closed ones.

    A cell that is its own neighbour is a line of one cell that is not closed.
    """
    return tuple(
        line
        for i in forward
        for line in sorted(_along(directions[i], directions[directions[i].opposite]))
    )


def _along(ahead: Direction, back: Direction) -> Iterator[tuple[tuple[int, ...], bool]]:
    ends = [cell for cell, before in enumerate(back.targets) if before < 0]
    seen: set[int] = set()
    for start in (*ends, *range(len(ahead.targets))):
        if start in seen:
            continue
        line = [start]
        while (cell := ahead.targets[line[-1]]) not in (-1, start):
            line.append(cell)
        seen.update(line)
        yield tuple(line), cell == start and len(line) > 1


def _moved(point: Point, step: Point, periods: Point) -> Point:
    return tuple((a + b) % n if n else a + b for a, b, n in zip(point, step, periods, strict=True))


def _cubic() -> Lattice:
    """Return the compass on a layer, then the same a layer up, then a layer down."""
    levels = (("", 0), ("up", -1), ("down", 1))
    flat = (("", (0, 0)), *SQUARE.steps)
    steps = tuple(
        ("_".join(part for part in (level, name) if part), (rise, *step))
        for (level, rise), (name, step) in product(levels, flat)
        if rise or any(step)
    )
    straight = tuple(i for i, (_, step) in enumerate(steps) if sum(map(abs, step)) == 1)
    oblique = tuple(i for i in range(len(steps)) if i not in straight)
    every = tuple(range(len(steps)))
    return Lattice(steps, (("orthogonal", straight), ("diagonal", oblique), ("all", every)))


SQUARE: Final = Lattice(
    steps=(
        ("north", (-1, 0)),
        ("northeast", (-1, 1)),
        ("east", (0, 1)),
        ("southeast", (1, 1)),
        ("south", (1, 0)),
        ("southwest", (1, -1)),
        ("west", (0, -1)),
        ("northwest", (-1, -1)),
    ),
    sets=(
        ("orthogonal", (0, 2, 4, 6)),
        ("diagonal", (1, 3, 5, 7)),
        ("all", (0, 1, 2, 3, 4, 5, 6, 7)),
    ),
)

# Rows of hexagons, each shifted right by half a cell from the one above: straight up is northwest.
HEXAGONAL: Final = Lattice(
    steps=(
        ("northeast", (-1, 1)),
        ("east", (0, 1)),
        ("southeast", (1, 0)),
        ("southwest", (1, -1)),
        ("west", (0, -1)),
        ("northwest", (-1, 0)),
    ),
    sets=(("all", (0, 1, 2, 3, 4, 5)),),
)

CUBIC: Final = _cubic()
