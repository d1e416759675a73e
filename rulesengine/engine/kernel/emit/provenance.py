"""Differences of sets, derived from the instructions that compute them.

The code itself shows the cells that a state adds to its predecessor, as in finite differencing of
programs (Paige and Koenig, 1982). See decision 016.
"""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.values import union


def added_cells(ctx: Context, new: Value, old: Value) -> Value | None:
    """Return the cells added to a set that loses none; None if that cannot be derived."""
    parts, before = _operands_of_union(ctx, new), _operands_of_union(ctx, old)
    if len(parts) == len(before) == 1:
        return _added_to_both(ctx, new, old)
    new_parts, added = [part for part in parts if part not in before], []
    for part in before:
        if part in parts:
            continue
        grown = [(other, added_cells(ctx, other, part)) for other in new_parts]
        other, more = next(((o, m) for o, m in grown if m is not None), (part, None))
        if more is None:
            return None
        new_parts.remove(other)
        added.append(more)
    return union(ctx, [*added, *new_parts])


def _operands_of_union(ctx: Context, cells: Value) -> list[Value]:
    """Return the sets of a union."""
    parts = ctx.b.operands_of("mor", cells)
    return (
        [cells] if parts is None else [v for part in parts for v in _operands_of_union(ctx, part)]
    )


def _added_to_both(ctx: Context, new: Value, old: Value) -> Value | None:
    """Return the cells added to an intersection of two sets that lose no cells."""
    b, parts, before = (
        ctx.b,
        _operands_of_intersection(ctx, new),
        _operands_of_intersection(ctx, old),
    )
    if new == old:
        return b.m(0)
    if parts is None or before is None:
        return None
    more = [added_cells(ctx, x, y) for x, y in zip(parts, before, strict=True)]
    if more[0] is None or more[1] is None:
        return None
    return b.op("mor", b.op("mand", more[0], parts[1]), b.op("mand", more[1], parts[0]))


def common_to(ctx: Context, cells: Value) -> list[Value]:
    """Return the sets of an intersection."""
    parts = _operands_of_intersection(ctx, cells)
    return [cells] if parts is None else [v for part in parts for v in common_to(ctx, part)]


def _operands_of_intersection(ctx: Context, cells: Value) -> tuple[Value, ...] | None:
    """Return the two operands of a set that was computed as an intersection, else None."""
    less = ctx.b.operands_of("mless", cells)
    return (less[0], ctx.b.op("mnot", less[1])) if less else ctx.b.operands_of("mand", cells)
