"""The provenance of sets: what one has more than another, by the instructions that made both.

What a state adds to the one before is so found in the code itself, as finite differencing finds
it in a program (Paige and Koenig, 1982).
"""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.values import union


def added_cells(ctx: Context, new: Value, old: Value) -> Value | None:
    """Cells that make one set of another, which loses none; None if that is not seen."""
    parts, before = _united(ctx, new), _united(ctx, old)
    if len(parts) == len(before) == 1:
        return _added_to_both(ctx, new, old)
    rest, added = [part for part in parts if part not in before], []
    for part in before:
        if part in parts:
            continue
        grown = [(other, added_cells(ctx, other, part)) for other in rest]
        other, more = next(((o, m) for o, m in grown if m is not None), (part, None))
        if more is None:
            return None
        rest.remove(other)
        added.append(more)
    return union(ctx, [*added, *rest])


def _united(ctx: Context, cells: Value) -> list[Value]:
    """The sets that a set is the union of."""
    parts = ctx.b.made("mor", cells)
    return [cells] if parts is None else [v for part in parts for v in _united(ctx, part)]


def _added_to_both(ctx: Context, new: Value, old: Value) -> Value | None:
    """What has been added to the intersection of two sets, none of which loses a cell."""
    b, parts, before = ctx.b, _both(ctx, new), _both(ctx, old)
    if new == old:
        return b.m(0)
    if parts is None or before is None:
        return None
    more = [added_cells(ctx, x, y) for x, y in zip(parts, before, strict=True)]
    if more[0] is None or more[1] is None:
        return None
    return b.op("mor", b.op("mand", more[0], parts[1]), b.op("mand", more[1], parts[0]))


def common_to(ctx: Context, cells: Value) -> list[Value]:
    """The sets that a set is the intersection of."""
    parts = _both(ctx, cells)
    return [cells] if parts is None else [v for part in parts for v in common_to(ctx, part)]


def _both(ctx: Context, cells: Value) -> tuple[Value, ...] | None:
    """Two sets that a set is the intersection of, if it has been made as such."""
    less = ctx.b.made("mless", cells)
    return (less[0], ctx.b.op("mnot", less[1])) if less else ctx.b.made("mand", cells)
