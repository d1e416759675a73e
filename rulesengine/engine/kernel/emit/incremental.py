"""Incremental maintenance, by ply, of the empty cells, their number, and the fills of ends.

A move that only adds pieces extends a fill. The maintained value is its reach: its seeds on all
cells, and the neighbours of its cells. The fill is the intersection of reach and bounds, and a cell
added to the bounds extends it if it is in the reach.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context, Fill
from rulesengine.engine.kernel.emit.fill_growth import bounds_of, is_maintainable
from rulesengine.engine.kernel.emit.provenance import added_cells, common_to
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.emit.values import union
from rulesengine.language.ir.ops import OPS, Op, make, walk
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import Group, Rules, operations


@contextmanager
def maintaining_incremental(ctx: Context, at: Position) -> Iterator[Position]:
    """Yield a state with its incremental values; inside the block all states have them."""
    plain = ctx.layout
    ctx.incremental.fills = _maintained_fills(ctx, at)
    ctx.incremental.counts_empty = any(_fills_one_cell(g) for tier in ctx.rules.tiers for g in tier)
    ctx.incremental.has_empty = only_adds_pieces(ctx.rules)
    fills = [_reach_of(ctx, fill, at) for fill in ctx.incremental.fills]
    if ctx.incremental.has_empty:
        fills.append(_empty(ctx, at))
    if ctx.incremental.counts_empty:
        fills.append(ctx.b.op("mcount", _empty(ctx, at)))
    ctx.layout = replace(plain, incremental=tuple(value.type for value in fills))
    try:
        yield replace(at, incremental=tuple(fills))
    finally:
        ctx.layout, ctx.incremental.fills = plain, []
        ctx.incremental.has_empty = ctx.incremental.counts_empty = False


def _empty(ctx: Context, at: Position) -> Value:
    return ctx.b.op("mnot", union(ctx, at.planes))


def register_incremental(ctx: Context, at: Position) -> None:
    """Register the incremental values of a state as values of the operations that they equal."""
    for fill, reach in zip(ctx.incremental.fills, at.incremental, strict=False):
        _know_fill(ctx, bounds_of(ctx, fill.op, at, fill.side), reach)
    if ctx.incremental.has_empty:
        ctx.b.know("mnot", union(ctx, at.planes), value=at.incremental[len(ctx.incremental.fills)])
    if ctx.incremental.counts_empty:
        _record_count(ctx, _empty(ctx, at), at.incremental[-1])


def _know_fill(ctx: Context, bounds: tuple[Value, Value], reach: Value) -> None:
    filled = ctx.b.op("mand", bounds[1], reach)
    ctx.b.know("mfill", *bounds, detail=ctx.shape.adjacency, value=filled)


def _record_count(ctx: Context, empty: Value, count: Value) -> None:
    ctx.b.know("mcount", empty, value=count)
    ctx.b.know("many", empty, value=ctx.b.op("ilt", ctx.b.i(0), count))


def exchange_incremental(ctx: Context, at: Position) -> tuple[Value, ...]:
    """Return the incremental values of a state after its two sides are exchanged."""
    fills = len(ctx.incremental.fills)
    return (*(at.incremental[i ^ 1] for i in range(fills)), *at.incremental[fills:])


def _maintained_fills(ctx: Context, at: Position) -> list[Fill]:
    """Return the fills of ends and of bans, by side, if moves add pieces or remove some."""
    if not only_adds_pieces(ctx.rules, may_remove=True):
        return []
    read = operations((ctx.rules.ends, tuple(group.decided for group in ctx.rules.groups)))
    ops = [op for root in read for op in walk(root) if is_maintainable(ctx, op)]
    maintained = []
    for op in dict.fromkeys(ops):
        seeds = [_seeds_anywhere(ctx, op, at, side) for side in range(ctx.sides)]
        fills = [Fill(op, side, cells) for side, cells in enumerate(seeds) if cells]
        if len(fills) == ctx.sides and all(_only_grows(ctx, fill, at) for fill in fills):
            maintained += fills
    return maintained


def _only_grows(ctx: Context, fill: Fill, at: Position) -> bool:
    """True if adding a piece to an empty cell provably removes no cell from the bounds."""
    _, within = bounds_of(ctx, fill.op, at, fill.side)
    piece = ctx.b.new("m")
    for i, plane in enumerate(at.planes):
        planes = (*at.planes[:i], ctx.b.op("mor", plane, piece), *at.planes[i + 1 :])
        _, then = bounds_of(ctx, fill.op, replace(at, planes=planes), fill.side)
        if added_cells(ctx, then, within) is None:
            return False
    return True


def _seeds_anywhere(ctx: Context, op: Op, at: Position, side: int) -> Value | None:
    """Return a constant that equals the seeds of a fill within its bounds;
    None if there is none.
    """
    seeds, within = bounds_of(ctx, op, at, side)
    limits, cells = set(common_to(ctx, within)), ctx.b.m(ctx.b.full)
    for part in common_to(ctx, seeds):
        if part not in limits:
            cells = ctx.b.op("mand", cells, part)
    return cells if cells.constant is not None else None


def _reach_of(ctx: Context, fill: Fill, at: Position) -> Value:
    moves = ctx.shape.adjacency
    filled = ctx.b.op("mfill", *bounds_of(ctx, fill.op, at, fill.side), detail=moves)
    return ctx.b.op("mor", ctx.b.op("mmove", filled, detail=moves), fill.seeds)


def update_incremental(ctx: Context, before: Position, after: Position) -> Position:
    """Return the state after a move with its incremental values, updated from those before."""
    values = []
    for fill, reach in zip(ctx.incremental.fills, before.incremental, strict=False):
        _, old = bounds_of(ctx, fill.op, before, fill.side)
        seeds, within = bounds_of(ctx, fill.op, after, fill.side)
        more = added_cells(ctx, within, old)
        if more is None:
            values.append(_extended_or_new(ctx, fill, after, old, reach))
        else:
            values.append(_extended(ctx, (seeds, within), reach, more))
    added = _added_pieces(ctx, before, after)
    if ctx.incremental.has_empty:
        values.append(_empty_after(ctx, before, after, added))
    if ctx.incremental.counts_empty:
        values.append(_count_after(ctx, before, after, added))
    return replace(after, incremental=tuple(values))


def _added_pieces(ctx: Context, before: Position, after: Position) -> Value | None:
    """Return the cells that a move has put pieces on; None if it may have done more."""
    pairs = zip(after.planes, before.planes, strict=True)
    more = [added_cells(ctx, new, old) for new, old in pairs]
    known = [cells for cells in more if cells is not None]
    return union(ctx, known) if len(known) == len(more) else None


def _empty_after(ctx: Context, before: Position, after: Position, added: Value | None) -> Value:
    if added is None:
        return _empty(ctx, after)
    empty = ctx.b.op("mless", _empty(ctx, before), added)
    ctx.b.know("mnot", union(ctx, after.planes), value=empty)
    return empty


def _count_after(ctx: Context, before: Position, after: Position, added: Value | None) -> Value:
    """Return the number of empty cells after a move: one less if it filled an empty cell."""
    b, empty, count = ctx.b, _empty(ctx, after), before.incremental[-1]
    if added is not None and added.constant == 0:
        return count
    drawn = b.operands_of("mpick", added) if added else None
    if drawn is None or drawn[0] != _empty(ctx, before):
        return b.op("mcount", empty)
    count = b.op("isub", count, b.i(1))
    _record_count(ctx, empty, count)
    return count


def _extended_or_new(ctx: Context, fill: Fill, after: Position, old: Value, reach: Value) -> Value:
    """Return the reach of a fill after a move that may have removed cells of its old bounds."""
    b, bounds = ctx.b, bounds_of(ctx, fill.op, after, fill.side)
    more = b.op("mless", bounds[1], old)
    front, rest = b.op("mand", more, reach), b.op("mless", bounds[1], reach)
    grows, shrinks = b.op("many", front), b.op("many", b.op("mless", old, bounds[1]))

    def extend() -> Value:
        return b.choose(grows, lambda: _grow(ctx, reach, more, rest), lambda: reach)

    new = b.choose(shrinks, lambda: _reach_of(ctx, fill, after), extend, odds="seldom")
    _know_fill(ctx, bounds, new)
    ctx.incremental.growth[bounds] = b.scope(), b.op("for", grows, shrinks)
    return new


def _extended(ctx: Context, bounds: tuple[Value, Value], reach: Value, more: Value) -> Value:
    """Return the reach of a fill with `more` added to its bounds, and register the fill."""
    b, (_, within) = ctx.b, bounds
    front = b.op("mand", more, reach)
    grows = b.op("many", front)
    rest = b.op("mless", within, reach)
    new = b.choose(grows, lambda: _grow(ctx, reach, more, rest), lambda: reach)
    _know_fill(ctx, bounds, new)
    ctx.incremental.growth[bounds] = b.scope(), grows
    return new


def _grow(ctx: Context, reach: Value, more: Value, rest: Value) -> Value:
    """Return a reach extended from some new cells through the rest of the bounds."""
    b = ctx.b
    adjacent = _neighbours(ctx, b.op("mand", more, reach), b.operands_of("mpick", more))
    wider, outer, left = (b.let(cells) for cells in (reach, adjacent, rest))

    def grow() -> None:
        adjacent, now = b.get(outer), b.get(left)
        b.set(wider, b.op("mor", b.get(wider), adjacent))
        new_cells = b.op("mand", adjacent, now)
        b.when(b.op("fnot", b.op("many", new_cells)), b.leave)
        b.set(left, b.op("mless", now, new_cells))
        b.set(outer, b.op("mmove", new_cells, detail=ctx.shape.adjacency))

    b.loop(grow)
    return b.get(wider)


def _neighbours(ctx: Context, cells: Value, drawn: tuple[Value, ...] | None) -> Value:
    """Return the neighbours of some cells, by a table lookup if there is a single drawn cell."""
    if drawn is None:
        return ctx.b.op("mmove", cells, detail=ctx.shape.adjacency)
    return ctx.b.op("mlook", ctx.b.op("mnth", *drawn), detail=ctx.shape.around)


def only_adds_pieces(rules: Rules, *, may_remove: bool = False) -> bool:
    """True if moves are single steps that only put pieces on the board, or may remove some."""
    groups = rules.groups
    if rules.stacks or rules.keep or any(g.kind == "move" or g.then or g.choice for g in groups):
        return False
    if any(g.target and g.kind == "place" and not _is_free(g.target) for g in groups):
        return False
    effects = operations((tuple(g.effects for g in groups), rules.effects))
    changes = [op for e in effects for op in walk(e) if "pieces" in OPS[op.name].changes]
    return all(
        has_role(op, "placement") and _is_free(op.args[2])
        for op in changes
        if not (may_remove and has_role(op, "removal"))
    )


def _fills_one_cell(group: Group) -> bool:
    """True if the moves of a group place one piece on any empty cell, without continuation."""
    return group.kind == "place" and group.target == make("empty") and not group.then


def _is_free(cells: Op) -> bool:
    """True if a set provably has empty cells only."""
    if has_role(cells, "difference"):
        return _is_free(cells.args[0])
    is_part = has_role(cells, "meet") and any(map(_is_free, cells.args))
    return is_part or has_role(cells, "vacancy")
