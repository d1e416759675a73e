"""Sets of cells that are unions of whole planes of a state, for one player."""

from rulesengine.language.ir.ops import Op

# The number of the plane of cells without a piece.
EMPTY = -1


def planes_of(op: Op, sides: int, kinds: int, player: int) -> frozenset[int] | None:
    """Split a set into whole planes, `EMPTY` included; None if it is no union of planes.

    A cell is in one plane at most, so set operations on cells act on the planes likewise.
    """
    owners = sides + 1
    match op:
        case Op(name="empty"):
            return frozenset({EMPTY})
        case Op(name="owned", args=(side,)):
            owner = side_of(side, sides, player)
            return None if owner is None else frozenset(range(owner, kinds * owners, owners))
        case Op(name="of_kind", args=(Op(name="literal", value=int(kind)),)):
            return frozenset(range(kind * owners, (kind + 1) * owners))
        case Op(name="and" | "or" | "minus" | "not", args=args):
            parts = [planes_of(arg, sides, kinds, player) for arg in args]
            known = [part for part in parts if part is not None]
            everything = frozenset(range(EMPTY, kinds * owners))
            return _joined(op.name, known, everything) if len(known) == len(parts) else None
    return None


def _joined(name: str, parts: list[frozenset[int]], everything: frozenset[int]) -> frozenset[int]:
    if name == "and":
        return everything.intersection(*parts)
    if name == "or":
        return frozenset().union(*parts)
    return parts[0] - parts[1] if name == "minus" else everything - parts[0]


def side_of(op: Op, sides: int, player: int) -> int | None:
    """Return the number of a side for a player; None if it is not constant."""
    match op:
        case Op(name="literal", value=int(side)):
            return side if side >= 0 else None
        case Op(name="variable", value="player"):
            return player
        case Op(name="next", args=(before,)):
            side_before = side_of(before, sides, player)
            return None if side_before is None else (side_before + 1) % sides
    return None
