"""Kernel code for tests of an empty set, which may be cheaper than the set itself."""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.fill_growth import has_grown
from rulesengine.engine.kernel.emit.lines import some_line
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role

_FEW_CELLS = 3  # cells; so few need no count
_DIRECTED = 3  # number of arguments of a fill with directions


def op_any(ctx: Context, op: Op, scene: Environment) -> Value:
    return is_nonempty(ctx, op.args[0], scene)


def op_none(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("fnot", is_nonempty(ctx, op.args[0], scene))


def is_nonempty(ctx: Context, op: Op, scene: Environment) -> Value:
    """Return a flag that is true if a set has a cell; for lines, first cells suffice."""
    if has_role(op, "line"):
        return some_line(ctx, op, scene)
    if has_role(op, "closure") and not ctx.facts.may_fail(op):
        # A fill contains its seeds within its bounds.
        seeds, within = (ctx.value(a, scene) for a in op.args[:2])
        return ctx.b.op("many", ctx.b.op("mand", seeds, within))
    if has_role(op, "meet") and not ctx.facts.may_fail(op):
        return _some_of_both(ctx, op, scene)
    return ctx.b.op("many", ctx.value(op, scene))


def _some_of_both(ctx: Context, op: Op, scene: Environment) -> Value:
    """Test the bounds of a fill first: they must intersect the set, with
    enough cells for a path.
    """
    fills = [a for a in op.args if has_role(a, "closure")]
    if len(fills) != 1 or any(has_grown(ctx, arg, scene) for arg in op.args):
        return ctx.b.op("many", ctx.value(op, scene))
    within = common = ctx.value(fills[0].args[1], scene)
    region, length = ctx.shape.full, 0
    for arg in op.args:
        if arg is not fills[0]:
            common = ctx.b.op("mand", common, ctx.value(arg, scene))
            region &= _bounds(ctx, arg, scene)
    if len(fills[0].args) < _DIRECTED:
        length = ctx.shape.chain(_bounds(ctx, fills[0].args[0], scene), region)

    def emit_test() -> Value:
        return ctx.b.op("many", ctx.value(op, scene))

    def many() -> Value:
        if length < _FEW_CELLS:
            return emit_test()
        enough = ctx.b.op("ile", ctx.b.i(length), ctx.b.op("mcount", within))
        return ctx.b.choose(enough, emit_test, lambda: ctx.b.f(False))

    return ctx.b.choose(ctx.b.op("many", common), many, lambda: ctx.b.f(False))


def _bounds(ctx: Context, op: Op, scene: Environment) -> int:
    """Return a constant superset of a set, from its fixed parts."""
    if has_role(op, "meet"):
        return _bounds(ctx, op.args[0], scene) & _bounds(ctx, op.args[1], scene)
    if ctx.facts.is_fixed(op) and not ctx.facts.may_fail(op):
        known = ctx.value(op, scene).constant
        return ctx.shape.full if known is None else known
    return ctx.shape.full
