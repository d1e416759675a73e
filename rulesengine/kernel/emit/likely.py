"""The moves among which random games of a search draw: those that a strategy's keys leave."""

from collections.abc import Callable

from rulesengine.kernel.code.form import Value
from rulesengine.kernel.emit.chancing import is_chance, with_branches
from rulesengine.kernel.emit.choices import leave_best, list_legal, position_of
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.move_list import LIST_TYPES, LISTS
from rulesengine.kernel.emit.move_sets import InLists, MoveSet
from rulesengine.kernel.emit.scene import Position


def with_likely_moves(
    ctx: Context,
    at: Position,
    side: Value,
    use: Callable[[MoveSet], None],
    none: Callable[[], None],
) -> None:
    """As `with_moves` of a game that goes on, with these moves, where a strategy is told."""
    b = ctx.b

    def left() -> None:
        base, first = b.result("size", "i", ctx.lists[1]), b.result("size", "i", ctx.lists[2])
        b.call(_lister(ctx, side), *ctx.lists, *at.values())
        count = b.op("isub", b.result("size", "i", ctx.lists[2]), first)
        found = InLists(ctx, at, side, base, first, count, _may_pass(ctx))
        b.when(b.op("ilt", b.i(0), count), lambda: use(found), none)

    b.when(is_chance(ctx, at, side), lambda: with_branches(ctx, at, side, use), left)


def _may_pass(ctx: Context) -> bool:
    return any(group.kind == "pass" for tier in ctx.rules.tiers for group in tier)


def _lister(ctx: Context, side: Value) -> str:
    """The function that lists them."""
    name = f"likely_{side.known}"
    if name in ctx.b.module.functions:
        return name
    b, outer = ctx.b, ctx.lists
    with b.function(name, (*LIST_TYPES, *ctx.layout.types), ()) as values:
        ctx.lists = list(values[:LISTS])
        at = position_of(ctx, values[LISTS:], side)
        base, first = b.result("size", "i", ctx.lists[1]), b.result("size", "i", ctx.lists[2])
        list_legal(ctx, at)
        leave_best(ctx, at, side, base, first, ctx.rules.likely)
        b.give()
    ctx.lists = outer
    return name
