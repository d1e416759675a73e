"""Pieces over several cells: neighbours that a picture shows as parts of one piece.

See decision 116.
"""

from collections.abc import Mapping, Sequence

from rulesengine.drawing.ground import steps_of
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Appearance
from rulesengine.support.frozen import record

_VERTICAL, _HORIZONTAL = ("north", "south"), ("east", "west")


@record
class Joint:
    """Two neighbouring cells, the lower number first."""

    a: int
    b: int


def joints(program: Program, form: str) -> tuple[Joint, ...]:
    """Return the pairs of neighbours that may have joined pieces: no thick line is between them."""
    board = program.topology
    thick = {(c, to) for c, _, to in steps_of(board, (program.rules.look or Appearance()).thick)}
    joined = dict[Joint, None]()
    for direction in board.directions:
        if (form == "row" and direction.name not in _HORIZONTAL) or (
            form == "column" and direction.name not in _VERTICAL
        ):
            continue
        if len(board.directions) == 8 and direction.name not in (*_HORIZONTAL, *_VERTICAL):
            continue
        for cell, to in enumerate(direction.targets):
            if to >= 0 and not thick & {(cell, to), (to, cell)}:
                joined[Joint(min(cell, to), max(cell, to))] = None
    return tuple(sorted(joined, key=lambda joint: (joint.a, joint.b)))


def pairs(there: Sequence[Joint], mask: int, known: Mapping[int, int]) -> list[Joint]:
    """Return disjoint pairs of the cells of a mask, `known` ones first.

    A cell with a single free neighbour is paired before others, so that few remain alone.
    """
    left = {joint for joint in there if mask >> joint.a & 1 and mask >> joint.b & 1}
    chosen = [joint for joint in sorted(left, key=_order) if known.get(joint.a) == joint.b]
    for joint in chosen:
        left = _without(left, joint)
    while left:
        counts: dict[int, int] = {}
        for joint in left:
            for cell in (joint.a, joint.b):
                counts[cell] = counts.get(cell, 0) + 1
        best = min(left, key=lambda j: (min(counts[j.a], counts[j.b]), j.a, j.b))
        chosen.append(best)
        left = _without(left, best)
    return chosen


def _order(joint: Joint) -> tuple[int, int]:
    return joint.a, joint.b


def _without(left: set[Joint], taken: Joint) -> set[Joint]:
    """Return the joints that share no cell with one that is taken."""
    cells = {taken.a, taken.b}
    return {joint for joint in left if not cells & {joint.a, joint.b}}


def groups(there: Sequence[Joint], mask: int) -> list[list[int]]:
    """Return the connected groups of the cells of a mask."""
    group = {cell: {cell} for cell in range(mask.bit_length()) if mask >> cell & 1}
    for joint in there:
        if joint.a in group and joint.b in group:
            union = group[joint.a] | group[joint.b]
            for cell in union:
                group[cell] = union
    return [sorted(cells) for cells in dict.fromkeys(frozenset(g) for g in group.values())]
