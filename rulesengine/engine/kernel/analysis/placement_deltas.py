"""Changes of a set when a piece is placed: the cells that it may lose, and those it may gain.

The set of empty cells loses the cell of the piece. Subtracting a set swaps its losses and gains
(monotone frameworks; Kam and Ullman, 1977).
"""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.language.ir.ops import OPS, Op, walk
from rulesengine.support.frozen import record

# Which cells may change, in order: none, at most the cell of the piece, any.
_NONE, _ITS_OWN, _ANY = range(3)
# The result for a set is the union of those for its cells, and of no other set.
SPREADING = frozenset(
    name
    for name, row in OPS.items()
    if row.result == "cells" and row.has("additive", 0) and row.args.count("cells") == 1
)


@record
class SetChange:
    """The cells that a set may lose, and those that it may gain."""

    loses: int
    gains: int


@record
class PlacedPiece:
    """A piece placed on an empty cell: its plane, and the numbers of sides and kinds."""

    plane: int
    sides: int
    kinds: int


def keeps_other_cells(cells: Op, player: int, placed: PlacedPiece) -> bool:
    """True if a set, read for a player, loses no cell other than that of the piece."""
    return _change(cells, player, placed).loses <= _ITS_OWN


def _change(op: Op, player: int, placed: PlacedPiece) -> SetChange:
    planes = planes_of(op, placed.sides, placed.kinds, player)
    if planes is not None:
        had, has = EMPTY in planes, placed.plane in planes
        return SetChange(_ITS_OWN if had and not has else _NONE, _ITS_OWN if has > had else _NONE)
    if all(OPS[inner.name].reads <= {"variables"} for inner in walk(op)):
        return SetChange(_NONE, _NONE)
    changes = [_change(arg, player, placed) for arg in op.args if arg.type == "cells"]
    if op.name in SPREADING:
        return SetChange(
            *(_ANY if part else _NONE for part in (changes[0].loses, changes[0].gains))
        )
    join = _JOINED.get(op.name)
    return join(changes) if join else SetChange(_ANY, _ANY)


def _union_of_changes(parts: list[SetChange]) -> SetChange:
    return SetChange(max(part.loses for part in parts), max(part.gains for part in parts))


def _difference_change(parts: list[SetChange]) -> SetChange:
    first, subtracted = parts
    return SetChange(max(first.loses, subtracted.gains), max(first.gains, subtracted.loses))


def _complement_change(parts: list[SetChange]) -> SetChange:
    return SetChange(parts[0].gains, parts[0].loses)


_JOINED: MappingProxyType[str, Callable[[list[SetChange]], SetChange]] = MappingProxyType(
    {
        "and": _union_of_changes,
        "or": _union_of_changes,
        "minus": _difference_change,
        "not": _complement_change,
    }
)
