"""Piece-square tables: the gain of a piece on a cell, from its steps on an otherwise empty board.

The terms of a table:

- activity: the central cells that a piece reaches by one step. A piece whose steps never lead back
  has the mean of its cells instead of the sum, since its first steps are not its best.
- promotion: a quarter of the gain in value, halved for each step before the one that promotes;
- goals: see `goals`.

Kinds that a ban or a losing end protects (royal pieces) have no activity.
"""

from collections.abc import Mapping, Sequence

from rulesengine.board.geometry import bits
from rulesengine.engine.evaluation.goals import goal_bonus
from rulesengine.engine.evaluation.lone_pieces import LonePiece, LonePieces
from rulesengine.engine.evaluation.material import Material
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.interpreter import Interpreter

_ACTIVITY = 40  # the gain of a piece with twice the mean activity of its kind
_CENTRE = 16  # the additional weight of the most central cell, in the weight of a corner
_SHARE = 4  # a promotion in one step is worth 1 / _SHARE of the gain
_WORK = 4000  # cells times pieces, above which there are no tables

Table = tuple[int, ...]  # the gain on each cell
# The tables by kind and owner; for each owner, one for each side that counts the piece.
Tables = Mapping[tuple[int, int], tuple[Table, ...]]


def piece_squares(machine: Interpreter, material: Material, lone: LonePieces) -> Tables:
    """Return the tables of the pieces that move; none on boards that are too large."""
    program = machine.program
    sides, kinds = len(program.rules.players), program.rules.kinds
    pieces = [
        (kind, owner)
        for kind, row in enumerate(kinds)
        for owner, symbol in enumerate(row.symbols)
        if symbol
    ]
    if len(pieces) * program.topology.cells > _WORK:
        return {}
    royal = royal_kinds(program)
    centrality = _centrality(lone, pieces, sides)
    tables: dict[tuple[int, int], tuple[Table, ...]] = {}
    for kind, owner in pieces:
        found = []
        for side in range(sides):
            if owner not in (side, sides):
                found.append((0,) * lone.cells)
                continue
            gains = [0] * lone.cells
            piece = lone.of(kind, owner, side)
            if owner == side and kind not in royal and material.captures:
                _add(gains, _activity(piece, centrality))
            if owner == side:
                _add(gains, _promotion(piece, kind, material.values))
            _add(gains, goal_bonus(machine, lone, (kind, owner), side))
            found.append(tuple(gains))
        tables[kind, owner] = tuple(found)
    return tables


def _add(gains: list[int], more: Sequence[int]) -> None:
    for cell, gain in enumerate(more):
        gains[cell] += gain


def _centrality(lone: LonePieces, pieces: Sequence[tuple[int, int]], sides: int) -> tuple[int, ...]:
    """Return the weight of each cell: more where pieces have more steps on the empty board."""
    steps = [0] * lone.cells
    for kind, owner in pieces:
        if owner < sides:
            piece = lone.of(kind, owner, owner)
            if piece.is_reversible:
                _add(steps, [targets.bit_count() for targets in piece.steps])
    least, most = min(steps), max(steps)
    span = max(1, most - least)
    return tuple(_CENTRE + _CENTRE * (number - least) // span for number in steps)


def _activity(piece: LonePiece, centrality: Sequence[int]) -> list[int]:
    """Return the gain of each cell by the weight of the cells that one step reaches."""
    weights = []
    for targets in piece.reach:
        weight = sum(centrality[cell] for cell in bits(targets))
        if not piece.is_reversible:
            weight = 16 * weight // max(1, targets.bit_count())
        weights.append(weight)
    some = [weight for weight in weights if weight]
    if not some:
        return [0] * len(weights)
    total, count = sum(some), len(some)
    return [_ACTIVITY * (weight * count - total) // total if weight else 0 for weight in weights]


def _promotion(piece: LonePiece, kind: int, values: Sequence[int]) -> list[int]:
    """Return the gain of each cell by the steps to the nearest promotion."""
    gains = [
        max((values[other] - values[kind] for other in bits(turned)), default=0)
        for turned in piece.promotions
    ]
    best = max(gains, default=0)
    bonus = [max(0, gain) // _SHARE for gain in gains]
    for _ in range(best.bit_length()):
        bonus = [
            max([bonus[cell], *(bonus[target] // 2 for target in bits(targets))])
            for cell, targets in enumerate(piece.steps)
        ]
    return bonus
