"""Kernel code for arithmetic, comparisons and flags."""

from collections.abc import Sequence
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.facts import inside
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import has_role
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_WORD = (INTEGER_MIN, INTEGER_MAX)
# The instructions of the operations that `op_arithmetic` emits.
_INSTRUCTIONS = MappingProxyType({"add": "add", "subtract": "sub", "multiply": "mul"})


def op_arithmetic(ctx: Context, op: Op, scene: Environment) -> Value:
    name = _INSTRUCTIONS[op.name]
    sure = inside(ctx.facts.range(op), _WORD)
    a, b = (ctx.value(arg, scene) for arg in op.args)
    return ctx.b.op(("i" if sure else "c") + name, a, b)


def op_divide(ctx: Context, op: Op, scene: Environment) -> Value:
    a, b = (ctx.value(arg, scene) for arg in op.args)
    return ctx.b.op("cdiv", a, b)


def op_modulo(ctx: Context, op: Op, scene: Environment) -> Value:
    a, b = (ctx.value(arg, scene) for arg in op.args)
    return ctx.b.op("cmod", a, b)


def op_negative(ctx: Context, op: Op, scene: Environment) -> Value:
    return _minus(ctx, ctx.value(op.args[0], scene), inside(ctx.facts.range(op), _WORD))


def _minus(ctx: Context, value: Value, sure: bool) -> Value:
    return ctx.b.op("isub" if sure else "csub", ctx.b.i(0), value)


def op_abs(ctx: Context, op: Op, scene: Environment) -> Value:
    value = ctx.value(op.args[0], scene)
    negative = ctx.b.op("ilt", value, ctx.b.i(0))
    sure = inside(ctx.facts.range(op), _WORD)
    return ctx.b.choose(negative, lambda: _minus(ctx, value, sure), lambda: value)


def op_smaller(ctx: Context, op: Op, scene: Environment) -> Value:
    return _extreme(ctx, op, scene, "imin")


def op_greater(ctx: Context, op: Op, scene: Environment) -> Value:
    return _extreme(ctx, op, scene, "imax")


def _extreme(ctx: Context, op: Op, scene: Environment, name: str) -> Value:
    result = ctx.value(op.args[0], scene)
    for arg in op.args[1:]:
        result = ctx.b.op(name, result, ctx.value(arg, scene))
    return result


def op_both(ctx: Context, op: Op, scene: Environment) -> Value:
    return _stopping(ctx, ordered(ctx, op.args, scene), scene, "fand")


def op_either(ctx: Context, op: Op, scene: Environment) -> Value:
    return _stopping(ctx, ordered(ctx, op.args, scene), scene, "for")


def _stopping(ctx: Context, args: Sequence[Op], scene: Environment, name: str) -> Value:
    first = ctx.value(args[0], scene)
    if len(args) == 1:
        return first
    if name == "fand":
        return ctx.b.choose(
            first, lambda: _stopping(ctx, args[1:], scene, name), lambda: ctx.b.f(False)
        )
    return ctx.b.choose(first, lambda: ctx.b.f(True), lambda: _stopping(ctx, args[1:], scene, name))


def op_deny(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("fnot", ctx.value(op.args[0], scene))


def op_equal(ctx: Context, op: Op, scene: Environment) -> Value:
    a, b = (ctx.value(arg, scene) for arg in op.args)
    if a.type == "m":
        return ctx.b.op("meq", a, b)
    if a.type == "f":
        a, b = ctx.b.op("fint", a), ctx.b.op("fint", b)
    return ctx.b.op("ieq", a, b)


def op_less(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("ilt", *(ctx.value(a, scene) for a in op.args))


def op_at_most(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.op("ile", *(ctx.value(a, scene) for a in op.args))


def op_if(ctx: Context, op: Op, scene: Environment) -> Value:
    return ctx.b.choose(
        ctx.value(op.args[0], scene),
        lambda: ctx.value(op.args[1], scene),
        lambda: ctx.value(op.args[2], scene),
    )


def ordered(ctx: Context, args: Sequence[Op], scene: Environment) -> Sequence[Op]:
    """Reorder flags that cannot fail: those that need the list of moves come first."""
    if any(ctx.facts.may_fail(arg) for arg in args):
        return args

    def rank(arg: Op) -> int:
        players = [op.args[0] for op in walk(arg) if has_role(op, "mobility")]
        if not players:
            return 1
        return 0 if all(ctx.value(side, scene) == scene.at.side for side in players) else 2

    return sorted(args, key=rank)
