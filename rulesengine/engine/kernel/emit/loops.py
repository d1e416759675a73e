"""Kernel code for loops over cells, groups, directions, numbers and sides."""

from collections.abc import Callable

from rulesengine.engine.kernel.analysis.facts import inside
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.cells import has_direction
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.tracks import each_along
from rulesengine.engine.kernel.emit.values import type_of
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import (
    constant,
    has_role,
    is_reflexive,
    is_variable,
    parts_of,
)
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN


def op_each(ctx: Context, op: Op, scene: Environment) -> Value:
    assert isinstance(op.value, tuple)
    function, name, domain = (str(part) for part in op.value[:3])
    if domain == "cells" and function in ("where", "count"):
        filtered = _filtered_cells(ctx, op, name, scene)
        return filtered if function == "where" else ctx.b.op("mcount", filtered)
    if function == "reach":
        return _reached(ctx, op, name, domain, scene)
    if domain == "groups" and function == "any" and (size := least_size(op.args[1], name)):
        cells = ctx.b.op("mcount", ctx.value(op.args[0], scene))
        return ctx.b.choose(
            ctx.b.op("ile", ctx.b.i(size), cells),
            lambda: _folded(ctx, op, function, name, domain, scene),
            lambda: ctx.b.f(False),
        )
    return _folded(ctx, op, function, name, domain, scene)


def least_size(op: Op, name: str) -> int:
    """Return a number of cells that a set has at least where a condition on it holds; 0 if
    unknown.
    """
    least = 0
    for part in parts_of(op, "meet"):
        low = constant(part.args[0]) if has_role(part, "order") else None
        is_size = low is not None and has_role(part.args[1], "size")
        if low is not None and is_size and is_variable(part.args[1].args[0], name):
            least = max(least, low if is_reflexive(part) else low + 1)
    return least


def _filtered_cells(ctx: Context, op: Op, name: str, scene: Environment) -> Value:
    filtered = ctx.b.let(ctx.b.m(0))

    def test(cell: Value) -> None:
        flag = ctx.value(op.args[1], scene.with_(**{name: cell}))

        def add() -> None:
            cells = ctx.b.op("mor", ctx.b.get(filtered), ctx.b.op("mcell", cell))
            ctx.b.set(filtered, cells)

        ctx.b.when(flag, add)

    ctx.each_cell(ctx.value(op.args[0], scene), test)
    return ctx.b.get(filtered)


def _reached(ctx: Context, op: Op, name: str, domain: str, scene: Environment) -> Value:
    """Return the closure of a set under an expression, by a worklist of
    cells or whole frontiers.
    """
    b, start = ctx.b, ctx.value(op.args[0], scene)
    left, seen, reached = b.let(start), b.let(start), b.let(b.m(0))

    def one() -> None:
        now = b.get(left)
        b.when(b.op("fnot", b.op("many", now)), b.leave)
        first = now if domain == "frontier" else b.op("mfirst", now)
        if domain != "frontier":
            ctx.cells_on_board.add(first)
        step = ctx.value(op.args[1], scene.with_(**{name: first}))
        rest = b.m(0) if domain == "frontier" else b.op("mless", now, b.op("mcell", first))
        b.set(left, b.op("mor", rest, b.op("mless", step, b.get(seen))))
        b.set(seen, b.op("mor", b.get(seen), step))
        b.set(reached, b.op("mor", b.get(reached), step))

    b.loop(one)
    return b.get(reached)


def _folded(
    ctx: Context, op: Op, function: str, name: str, domain: str, scene: Environment
) -> Value:
    """Emit a loop that folds the values of its body into a total."""
    body = op.args[1]
    start = {"every": 1, "none": 1}.get(function, 0)
    type_ = "f" if function in ("any", "every", "none") else "m" if function == "union" else "i"
    if function in ("least", "most"):
        type_ = type_of(body)
    total = ctx.b.let(ctx.b.const(type_, start))  # type: ignore[arg-type]
    some = ctx.b.let(ctx.b.f(False))
    sure = inside(ctx.facts.range(op), (INTEGER_MIN, INTEGER_MAX))

    def take(value: Value) -> None:
        inner = scene.with_(**{name: value})
        new = ctx.value(body, inner)
        if function in ("any", "every", "none"):
            stop = ctx.b.op("fnot", new) if function == "every" else new

            def decided() -> None:
                ctx.b.set(total, ctx.b.f(function == "any"))
                ctx.b.leave()

            ctx.b.when(stop, decided)
            return
        old = ctx.b.get(total)
        match function:
            case "union":
                ctx.b.set(total, ctx.b.op("mor", old, new))
            case "count":
                ctx.b.set(total, ctx.b.op("iadd", old, ctx.b.op("fint", new)))
            case "sum":
                ctx.b.set(total, ctx.b.op("iadd" if sure else "cadd", old, new))
            case "where":
                bit = ctx.b.op("pick", new, ctx.b.op("ishl", ctx.b.i(1), value), ctx.b.i(0))
                ctx.b.set(total, ctx.b.op("ior", old, bit))
            case _:
                best = ctx.b.op("imin" if function == "least" else "imax", old, new)
                ctx.b.set(total, ctx.b.op("pick", ctx.b.get(some), best, new))
                ctx.b.set(some, ctx.b.f(True))

    each_value(ctx, op.args[0], domain, scene, take)
    if function in ("least", "most"):
        ctx.fail_unless(ctx.b.get(some))
    return ctx.b.get(total)


def each_value(
    ctx: Context, op: Op, domain: str, scene: Environment, take: Callable[[Value], None]
) -> None:
    """Call `take` for each value of a domain, which is evaluated before the first."""
    match domain:
        case "cells":
            ctx.each_cell(ctx.value(op, scene), take)
        case "groups":
            each_group(ctx, ctx.value(op, scene), take)
        case "numbers":
            low, high = (ctx.value(a, scene) for a in op.args)
            ctx.b.range(low, ctx.b.op("iadd", high, ctx.b.i(1)), take)
        case "track":
            each_along(ctx, op, scene, take)
        case "sides":
            ctx.b.range(ctx.b.i(0), ctx.value(op, scene), take)
        case "directions":
            each_direction(ctx, ctx.value(op, scene), take)
        case _:
            raise Unsupported(f"a loop over {domain}")


def each_group(ctx: Context, mask: Value, take: Callable[[Value], None]) -> None:
    """Emit a loop over the connected groups of a set."""
    rest = ctx.b.let(mask)

    def one() -> None:
        left = ctx.b.get(rest)
        ctx.b.when(ctx.b.op("fnot", ctx.b.op("many", left)), ctx.b.leave)
        seed = ctx.b.op("mcell", ctx.b.op("mfirst", left))
        group = ctx.b.op("mfill", seed, left, detail=ctx.shape.adjacency)
        ctx.b.set(rest, ctx.b.op("mless", left, group))
        take(group)

    ctx.b.loop(one)


def each_direction(ctx: Context, directions: Value, take: Callable[[Value], None]) -> None:
    """Emit a loop over directions; its body may leave the loop."""

    def one(direction: Value) -> None:
        on = has_direction(ctx, direction, directions)
        if on.constant is None:
            ctx.b.when(on, lambda: take(direction))
        elif on.constant:
            take(direction)

    count = len(ctx.shape.targets)
    ctx.b.range(ctx.b.i(0), ctx.b.i(count), one)
