"""Occupancy analysis: the planes that may be on a set's cells; others need no code.

This is a data-flow analysis with one bit for each plane, which follows a draft through its effects.
"""

from collections.abc import Callable
from functools import reduce
from operator import and_, or_

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import Op, contained_in
from rulesengine.language.ir.roles import alternatives, has_role, is_conditional, is_filter, role_of
from rulesengine.language.ir.signature import Role

# The roles of sets with a recorded content.
_RECORDED: tuple[Role, ...] = ("singleton", "variable", "meet", "join", "difference")


def whole_planes(ctx: Context, op: Op, scene: Environment) -> Value | None:
    """Return a set as a union of whole planes, or as its complement; None for other sets."""
    planes_mask = _exactly(ctx, op, scene)
    if planes_mask is None:
        return None
    planes = scene.at.planes
    inverted = planes_mask >> len(planes) & 1
    cells = union(ctx, [p for i, p in enumerate(planes) if planes_mask >> i & 1 != inverted])
    return ctx.b.op("mnot", cells) if inverted else cells


def _exactly(ctx: Context, op: Op, scene: Environment) -> int | None:
    """Split a set into a mask of planes and of the empty cells; None if it is no such union.

    A cell is in one plane at most, so set operations on cells act on the masks likewise.
    """
    role = role_of(op)
    if role == "constant":
        return any_content(ctx) if op.value == ctx.b.full else None
    if role == "pieces":
        known = ctx.value(op.args[0], scene).constant is not None
        return planes_within(ctx, op, scene) if known else None
    if role not in ("vacancy", "meet", "join", "difference", "complement"):
        return None
    parts = [_exactly(ctx, arg, scene) for arg in op.args]
    known_parts = [part for part in parts if part is not None]
    if len(known_parts) < len(parts):
        return None
    match role:
        case "meet":
            return reduce(and_, known_parts)
        case "join":
            return reduce(or_, known_parts)
        case "difference":
            return known_parts[0] & ~known_parts[1]
        case "complement":
            return any_content(ctx) & ~known_parts[0]
    return planes_within(ctx, op, scene)


def any_content(ctx: Context) -> int:
    return (1 << len(ctx.layout.planes) + 1) - 1


def content_of(ctx: Context, op: Op, scene: Environment) -> int:
    """Return a mask of the planes that may be on a set's cells; the bit
    after them means no piece.
    """
    if scene.at.content and role_of(op) in _RECORDED:
        value = ctx.value(op, scene)
        if value in scene.at.content:
            return scene.at.content[value]
    if is_filter(op):
        return content_of(ctx, op.args[0], scene)
    inner = op.args if has_role(op, "join") else alternatives(op) if is_conditional(op) else ()
    if inner:
        return reduce(or_, (content_of(ctx, arg, scene) for arg in inner))
    result = any_content(ctx)
    for superset in contained_in(op):
        result &= content_of(ctx, superset, scene)
    match role_of(op):
        case "difference":
            return result & ~planes_within(ctx, op.args[1], scene)
        case "complement":
            return result & ~planes_within(ctx, op.args[0], scene)
        case "pieces" | "vacancy":
            return planes_within(ctx, op, scene) or result
    return result


def planes_within(ctx: Context, op: Op, scene: Environment) -> int:
    """Return a mask of the planes, and of the empty cells, that are subsets of a set."""
    empty = 1 << len(ctx.layout.planes)
    match role_of(op):
        case "constant":
            return any_content(ctx) if op.value == ctx.b.full else 0
        case "vacancy":
            return empty
        case "pieces" if op.args[0].type == "side":
            side = ctx.value(op.args[0], scene).constant
            return _planes_where(ctx, lambda n: n % (ctx.sides + 1) == side, side)
        case "pieces":
            kind = ctx.value(op.args[0], scene).constant
            return _planes_where(ctx, lambda n: n // (ctx.sides + 1) == kind, kind)
        case "meet":
            result = any_content(ctx)
            for arg in op.args:
                result &= planes_within(ctx, arg, scene)
            return result
        case "join":
            result = 0
            for arg in op.args:
                result |= planes_within(ctx, arg, scene)
            return result
        case "complement":
            return any_content(ctx) & ~content_of(ctx, op.args[0], scene)
        case "difference":
            return planes_within(ctx, op.args[0], scene) & ~content_of(ctx, op.args[1], scene)
    return 0


def _planes_where(ctx: Context, predicate: Callable[[int], bool], known: int | None) -> int:
    """Return a mask of the planes that satisfy a predicate; 0 if `known` is None."""
    planes = enumerate(ctx.layout.planes)
    return sum(1 << i for i, number in planes if known is not None and predicate(number))
