"""Kernel code for conditions on some group that did not hold before the last move.

Only a group that has grown can satisfy a condition on the group alone. See decision 179.
"""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.loops import each_group
from rulesengine.engine.kernel.emit.provenance import added_cells
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import domain_type, has_role, loop_function


def value_after(ctx: Context, op: Op, scene: Environment, before: Position | None) -> Value:
    """Return a condition that is known to be false in the state before, if there is one."""
    if before is None or ctx.facts.may_fail(op):
        return ctx.value(op, scene)
    if has_role(op, "join"):
        return _first_true(ctx, op.args, scene, before)
    found = _in_grown_group(ctx, op, scene, before)
    return ctx.value(op, scene) if found is None else found


def _first_true(ctx: Context, parts: tuple[Op, ...], scene: Environment, before: Position) -> Value:
    """Return a flag for any of several conditions, tested in their order."""
    first = value_after(ctx, parts[0], scene, before)
    if len(parts) == 1:
        return first
    rest = parts[1:]
    return ctx.b.choose(first, lambda: ctx.b.f(True), lambda: _first_true(ctx, rest, scene, before))


def _in_grown_group(ctx: Context, op: Op, scene: Environment, before: Position) -> Value | None:
    """Return a flag for a group with new cells that satisfies a condition; None if unsupported."""
    if domain_type(op) != "groups" or loop_function(op) != "any":
        return None
    domain, body = op.args
    assert isinstance(op.value, tuple)
    name = str(op.value[1])
    if not ctx.facts.is_fixed(body) or ctx.facts.variables(body) - {name, "player"}:
        return None
    cells, old = ctx.value(domain, scene), ctx.value(domain, scene.on(before))
    more = added_cells(ctx, cells, old)
    if more is None:
        return None
    if more.constant == 0:
        return ctx.b.f(False)
    b, found = ctx.b, ctx.b.let(ctx.b.f(False))

    def test(group: Value) -> None:
        b.when(ctx.value(body, scene.with_(**{name: group})), lambda: b.set(found, b.f(True)))

    grown = b.op("mfill", more, cells, detail=ctx.shape.adjacency)
    if b.operands_of("mpick", more) is not None:
        test(grown)
    else:
        each_group(ctx, grown, test)
    return b.get(found)
