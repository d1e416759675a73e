"""Turns of directions: each direction after so many steps clockwise on the screen."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rulesengine.board.lattice import CUBIC, HEXAGONAL, SQUARE, Lattice
from rulesengine.board.topology import Topology

_LATTICES: Final[Mapping[str, Lattice]] = MappingProxyType(
    {
        **dict.fromkeys(("rectangle", "mesh"), SQUARE),
        **dict.fromkeys(("rhombus", "hexagon", "triangle", "staggered"), HEXAGONAL),
        "box": CUBIC,
    }
)


def turns_of(board: Topology) -> tuple[tuple[int, ...], ...]:
    """Return the index of each direction after 0, 1, … steps clockwise, up to a full turn.

    A step is an eighth of a turn on square cells and a sixth on hexagonal ones. In a box directions
    turn within their level; straight up and straight down stay. A board without directions has a
    single empty row.
    """
    if board.shape not in _LATTICES:
        return ((),)
    steps = [step for _, step in _LATTICES[board.shape].steps]
    # The steps of each level are listed clockwise.
    rings: dict[tuple[int, ...], list[int]] = {}
    for direction, step in enumerate(steps):
        if any(step[-2:]):
            rings.setdefault(step[:-2], []).append(direction)
    following = dict[int, int]()
    for ring in rings.values():
        following |= zip(ring, ring[1:] + ring[:1], strict=True)
    rows = [tuple(range(len(steps)))]
    for _ in next(iter(rings.values()))[1:]:
        rows.append(tuple(following.get(direction, direction) for direction in rows[-1]))
    return tuple(rows)
