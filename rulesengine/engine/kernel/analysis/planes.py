"""Sets of cells that are unions of whole planes of a state, for one player."""

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import constant, has_role, is_variable, role_of
from rulesengine.language.ir.signature import Role

# The number of the plane of cells without a piece.
EMPTY = -1


def planes_of(op: Op, sides: int, kinds: int, player: int) -> frozenset[int] | None:
    """Split a set into whole planes, `EMPTY` included; None if it is no union of planes.

    A cell is in one plane at most, so set operations on cells act on the planes likewise.
    """
    owners = sides + 1
    match role_of(op):
        case "vacancy":
            return frozenset({EMPTY})
        case "pieces" if op.args[0].type == "side":
            owner = side_of(op.args[0], sides, player)
            return None if owner is None else frozenset(range(owner, kinds * owners, owners))
        case "pieces":
            kind = constant(op.args[0])
            return None if kind is None else frozenset(range(kind * owners, (kind + 1) * owners))
        case "meet" | "join" | "difference" | "complement" as role:
            parts = [planes_of(arg, sides, kinds, player) for arg in op.args]
            known = [part for part in parts if part is not None]
            everything = frozenset(range(EMPTY, kinds * owners))
            return _joined(role, known, everything) if len(known) == len(parts) else None
    return None


def _joined(role: Role, parts: list[frozenset[int]], everything: frozenset[int]) -> frozenset[int]:
    if role == "meet":
        return everything.intersection(*parts)
    if role == "join":
        return frozenset().union(*parts)
    return parts[0] - parts[1] if role == "difference" else everything - parts[0]


def side_of(op: Op, sides: int, player: int) -> int | None:
    """Return the number of a side for a player; None if it is not constant."""
    if is_variable(op, "player"):
        return player
    if has_role(op, "successor"):
        before = side_of(op.args[0], sides, player)
        return None if before is None else (before + 1) % sides
    side = constant(op)
    return side if side is not None and side >= 0 else None
