"""Expressions as one side reads them: `own` becomes the pieces of white."""

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import constant, has_role, is_by_side, is_variable


def seen_by(op: Op, side: int, sides: int) -> Op:
    """Return an expression with a side in place of `player`, and the values of that side."""
    if is_variable(op, "player") and op.type == "side":
        return Op("literal", "side", (), side)
    args = tuple(seen_by(arg, side, sides) for arg in op.args)
    known = constant(args[0]) if args and args[0].type == "side" else None
    if known is not None and 0 <= known < sides:
        if has_role(op, "successor"):
            return Op("literal", "side", (), (known + 1) % sides)
        if is_by_side(op):
            return args[1 + known]
    return Op(op.name, op.type, args, op.value)
