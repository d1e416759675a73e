"""Whether a set has a cell at all, which may be known before the set is."""

from rulesengine.ir.ops import Op
from rulesengine.kernel.code.form import Value
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.growth import has_grown
from rulesengine.kernel.emit.lines import some_line
from rulesengine.kernel.emit.scene import Scene


def op_any(ctx: Context, op: Op, scene: Scene) -> Value:
    return some_cell(ctx, op.args[0], scene)


def op_none(ctx: Context, op: Op, scene: Scene) -> Value:
    return ctx.b.op("fnot", some_cell(ctx, op.args[0], scene))


def some_cell(ctx: Context, op: Op, scene: Scene) -> Value:
    """Whether a set has any cell: of lines it is enough to know where one begins."""
    if op.name == "line":
        return some_line(ctx, op, scene)
    if op.name == "fill" and not ctx.facts.may_fail(op):
        # What is filled holds the seeds inside it.
        seeds, within = (ctx.value(a, scene) for a in op.args[:2])
        return ctx.b.op("many", ctx.b.op("mand", seeds, within))
    if op.name == "and" and not ctx.facts.may_fail(op):
        return _some_of_both(ctx, op, scene)
    return ctx.b.op("many", ctx.value(op, scene))


def _some_of_both(ctx: Context, op: Op, scene: Scene) -> Value:
    """A fill can only meet a set that its bounds meet."""
    fills = [a for a in op.args if a.name == "fill"]
    if len(fills) != 1 or any(has_grown(ctx, arg, scene) for arg in op.args):
        return ctx.b.op("many", ctx.value(op, scene))
    met = ctx.value(fills[0].args[1], scene)
    for arg in op.args:
        if arg is not fills[0]:
            met = ctx.b.op("mand", met, ctx.value(arg, scene))
    return ctx.b.choose(
        ctx.b.op("many", met),
        lambda: ctx.b.op("many", ctx.value(op, scene)),
        lambda: ctx.b.f(False),
    )
