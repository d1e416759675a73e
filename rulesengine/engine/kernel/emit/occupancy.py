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
from rulesengine.language.ir.ops import Op


def whole_planes(ctx: Context, op: Op, scene: Environment) -> Value | None:
    """Return a set as a union of whole planes, or as its complement; None for other sets."""
    which = _exactly(ctx, op, scene)
    if which is None:
        return None
    planes = scene.at.planes
    inverted = which >> len(planes) & 1
    found = union(ctx, [p for i, p in enumerate(planes) if which >> i & 1 != inverted])
    return ctx.b.op("mnot", found) if inverted else found


def _exactly(ctx: Context, op: Op, scene: Environment) -> int | None:
    """Split a set into a mask of planes and of the empty cells; None if it is no such union.

    A cell is in one plane at most, so set operations on cells act on the masks likewise.
    """
    if op.name == "literal":
        return any_content(ctx) if op.value == ctx.b.full else None
    if op.name in ("owned", "of_kind"):
        known = ctx.value(op.args[0], scene).known is not None
        return planes_within(ctx, op, scene) if known else None
    if op.name not in ("empty", "and", "or", "minus", "not"):
        return None
    parts = [_exactly(ctx, arg, scene) for arg in op.args]
    known_parts = [part for part in parts if part is not None]
    if len(known_parts) < len(parts):
        return None
    match op.name:
        case "and":
            return reduce(and_, known_parts)
        case "or":
            return reduce(or_, known_parts)
        case "minus":
            return known_parts[0] & ~known_parts[1]
        case "not":
            return any_content(ctx) & ~known_parts[0]
    return planes_within(ctx, op, scene)


def any_content(ctx: Context) -> int:
    return (1 << len(ctx.layout.planes) + 1) - 1


def content_of(ctx: Context, op: Op, scene: Environment) -> int:
    """Return a mask of the planes that may be on a set's cells; the bit
    after them means no piece.
    """
    if scene.at.content and op.name in ("single", "variable", "and", "or", "minus"):
        value = ctx.value(op, scene)
        if value in scene.at.content:
            return scene.at.content[value]
    match op.name:
        case "and":
            result = any_content(ctx)
            for arg in op.args:
                result &= content_of(ctx, arg, scene)
            return result
        case "or":
            result = 0
            for arg in op.args:
                result |= content_of(ctx, arg, scene)
            return result
        case "minus":
            return content_of(ctx, op.args[0], scene) & ~planes_within(ctx, op.args[1], scene)
        case "not":
            return any_content(ctx) & ~planes_within(ctx, op.args[0], scene)
        case "fill":
            return content_of(ctx, op.args[1], scene)
        case "run" | "run_on":
            return content_of(ctx, op.args[1], scene)
        case "slide" | "slide_on":
            return content_of(ctx, op.args[2], scene)
        case "line":
            return content_of(ctx, op.args[0], scene)
        case "each" if isinstance(op.value, tuple) and op.value[:1] == ("where",):
            return (
                content_of(ctx, op.args[0], scene) if op.value[2] == "cells" else any_content(ctx)
            )
        case "if":
            return content_of(ctx, op.args[1], scene) | content_of(ctx, op.args[2], scene)
        case "owned" | "empty" | "of_kind":
            return planes_within(ctx, op, scene) or any_content(ctx)
    return any_content(ctx)


def planes_within(ctx: Context, op: Op, scene: Environment) -> int:
    """Return a mask of the planes, and of the empty cells, that are subsets of a set."""
    empty = 1 << len(ctx.layout.planes)
    match op.name:
        case "literal":
            return any_content(ctx) if op.value == ctx.b.full else 0
        case "empty":
            return empty
        case "owned":
            side = ctx.value(op.args[0], scene).known
            return _those(ctx, lambda n: n % (ctx.sides + 1) == side, side)
        case "of_kind":
            kind = ctx.value(op.args[0], scene).known
            return _those(ctx, lambda n: n // (ctx.sides + 1) == kind, kind)
        case "and":
            result = any_content(ctx)
            for arg in op.args:
                result &= planes_within(ctx, arg, scene)
            return result
        case "or":
            result = 0
            for arg in op.args:
                result |= planes_within(ctx, arg, scene)
            return result
        case "not":
            return any_content(ctx) & ~content_of(ctx, op.args[0], scene)
        case "minus":
            return planes_within(ctx, op.args[0], scene) & ~content_of(ctx, op.args[1], scene)
    return 0


def _those(ctx: Context, which: Callable[[int], bool], known: int | None) -> int:
    """Return a mask of the planes that satisfy a predicate; 0 if `known` is None."""
    planes = enumerate(ctx.layout.planes)
    return sum(1 << i for i, number in planes if known is not None and which(number))
