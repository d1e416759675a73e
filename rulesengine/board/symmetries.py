"""The symmetries of a board: cell permutations, for whoever may count equal positions once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rulesengine.board.topology import Topology

Permutation = tuple[int, ...]
Point = tuple[int, int]
Turn = Callable[[int, int], Point]


def symmetries(topology: Topology) -> tuple[Permutation, ...]:
    """Turns and mirrorings of the printed board that keep directions and adjacency.

    `permutation[cell]` is where the cell goes. The identity is first, then come the turns
    (clockwise), then each turn followed by one mirroring; equal permutations once. Boards
    without a known group, such as graphs and boxes, have the identity alone; shifts of a
    wrapped board are not listed.
    """
    identity = tuple(range(topology.cells))
    found = (identity, *(p for p in _candidates(topology) if _keeps(topology, p)))
    return tuple(dict.fromkeys(found))


def image(mask: int, permutation: Permutation) -> int:
    """Where the cells of a mask go."""
    moved = 0
    while mask:
        lowest = mask & -mask
        moved |= 1 << permutation[lowest.bit_length() - 1]
        mask ^= lowest
    return moved


def _candidates(topology: Topology) -> Iterator[Permutation]:
    if topology.shape not in _GROUPS:
        return
    locate, turn, mirror = _GROUPS[topology.shape]
    points = _centred(locate(topology))
    cell_at = {point: cell for cell, point in enumerate(points)}
    turns = [points]
    while (turned := [turn(a, b) for a, b in turns[-1]]) != points:
        turns.append(turned)
    for moved in (*turns, *([mirror(a, b) for a, b in t] for t in turns)):
        if all(point in cell_at for point in moved):
            yield tuple(cell_at[point] for point in moved)


def _keeps(topology: Topology, permutation: Permutation) -> bool:
    """Each direction becomes a direction, and neighbours become neighbours."""
    tables = {direction.targets for direction in topology.directions}
    adjacency = topology.adjacency
    return all(_carried(table, permutation) in tables for table in tables) and all(
        image(adjacency[cell], permutation) == adjacency[permutation[cell]]
        for cell in range(topology.cells)
    )


def _carried(targets: Sequence[int], permutation: Permutation) -> tuple[int, ...]:
    carried = [-1] * len(targets)
    for cell, target in enumerate(targets):
        carried[permutation[cell]] = permutation[target] if target >= 0 else -1
    return tuple(carried)


def _centred(points: Sequence[Point]) -> list[Point]:
    """The points seen from their centroid, which every symmetry keeps; scaled to integers."""
    count = len(points)
    middle_a, middle_b = sum(a for a, _ in points), sum(b for _, b in points)
    return [(a * count - middle_a, b * count - middle_b) for a, b in points]


def _oblique(topology: Topology) -> list[Point]:
    """Points of hexagonal cells where a step to the southeast is (2, 0) and one east (0, 2)."""
    return [
        (2 * line, 2 * column + topology.indents[line] - line) for line, column in topology.screen
    ]


# Per shape: the points of the cells, a turn by one step clockwise, a mirroring.
_Group = tuple[Callable[[Topology], Sequence[Point]], Turn, Turn]
_SQUARE: Final[_Group] = (lambda t: t.screen, lambda a, b: (b, -a), lambda a, b: (a, -b))
_HEXAGONAL: Final[_Group] = (_oblique, lambda a, b: (a + b, -a), lambda a, b: (b, a))
_GROUPS: Final[Mapping[str, _Group]] = MappingProxyType(
    {"rectangle": _SQUARE, "rhombus": _HEXAGONAL, "hexagon": _HEXAGONAL}
)
