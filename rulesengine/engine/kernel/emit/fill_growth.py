"""Fills that are maintained with a state: eligible ones, and detection
of growth in the last ply.
"""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import OPS, Op, literal, walk
from rulesengine.language.ir.roles import has_role

# Operations allowed in seeds and bounds: single set operations on planes and sides, which cost
# little to evaluate again.
_PLAIN = frozenset(
    name
    for name, row in OPS.items()
    if row.reads <= {"pieces", "variables"}
    and row.cost(64, 8) == 1
    and {row.result, *(arg.rstrip("*?") for arg in row.args)} <= {"cells", "side", "kind", "T"}
)


def is_maintainable(ctx: Context, op: Op) -> bool:
    """True if a fill between neighbours depends on the planes and the player alone."""
    if not has_role(op, "closure") or len(op.args) > 2 or ctx.facts.may_fail(op):
        return False
    names = {o.name for arg in op.args for o in walk(arg)}
    return names <= _PLAIN and ctx.facts.variables(op) <= {"player"}


def bounds_of(ctx: Context, op: Op, at: Position, side: int) -> tuple[Value, Value]:
    """Return the seeds and the bounds of a fill for one side in a state."""
    scene = Environment(at, {"player": ctx.b.i(side)})
    return ctx.value(op.args[0], scene), ctx.value(op.args[1], scene)


def has_grown(ctx: Context, op: Op, scene: Environment) -> Value | None:
    """Return a flag that is true if a maintained fill has grown; None if it is not maintained
    here.
    """
    if not is_maintainable(ctx, op):
        return None
    bounds = ctx.value(op.args[0], scene), ctx.value(op.args[1], scene)
    scope, grows = ctx.incremental.growth.get(bounds, (None, None))
    return grows if ctx.b.reaches(scope) else None


def without_grown(ctx: Context, op: Op, scene: Environment) -> Op:
    """Replace maintained fills in an operation by the empty set."""
    if has_grown(ctx, op, scene):
        return literal("cells", 0)
    args = tuple(without_grown(ctx, arg, scene) for arg in op.args)
    return op if args == op.args else Op(op.name, op.type, args, op.value)
