"""Fills that are kept beside a state: which may be, whether one has grown since the last ply."""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Position, Scene
from rulesengine.language.ir.ops import OPS, Op, literal, walk

# What seeds and bounds may be made of, so that they follow from the planes and a side alone: single
# set operations on whole sets, which cost little to be looked at again.
_PLAIN = frozenset(
    name
    for name, row in OPS.items()
    if row.reads <= {"pieces", "variables"}
    and row.cost(64, 8) == 1
    and {row.result, *(arg.rstrip("*?") for arg in row.args)} <= {"cells", "side", "kind", "T"}
)


def is_plain(ctx: Context, op: Op) -> bool:
    """Whether a fill between neighbours follows from the planes and the player."""
    if op.name != "fill" or len(op.args) > 2 or ctx.facts.may_fail(op):
        return False
    names = {o.name for arg in op.args for o in walk(arg)}
    return names <= _PLAIN and ctx.facts.variables(op) <= {"player"}


def bounds_of(ctx: Context, op: Op, at: Position, side: int) -> tuple[Value, Value]:
    """The seeds of a fill and the set that it stays within, of one side in a state."""
    scene = Scene(at, {"player": ctx.b.i(side)})
    return ctx.value(op.args[0], scene), ctx.value(op.args[1], scene)


def has_grown(ctx: Context, op: Op, scene: Scene) -> Value | None:
    """Whether a fill that has been extended here has grown."""
    if not is_plain(ctx, op):
        return None
    bounds = ctx.value(op.args[0], scene), ctx.value(op.args[1], scene)
    scope, grows = ctx.kept.growth.get(bounds, (None, None))
    return grows if ctx.b.reaches(scope) else None


def without_grown(ctx: Context, op: Op, scene: Scene) -> Op:
    """An operation with nothing in the place of the fills that have been extended."""
    if has_grown(ctx, op, scene):
        return literal("cells", 0)
    args = tuple(without_grown(ctx, arg, scene) for arg in op.args)
    return op if args == op.args else Op(op.name, op.type, args, op.value)
