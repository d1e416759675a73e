"""Vectorisation of conditions at emission time, with variables that are constant only there."""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.language.ir.ops import Op, literal
from rulesengine.language.ir.roles import is_variable
from rulesengine.language.lower.simplify import simplify


def emit_cells_where(ctx: Context, question: Op, name: str, scene: Environment) -> Value | None:
    """Emit the cells for which a condition on a cell variable holds; None if unsupported."""
    cells = cells_where(ctx, question, name, scene)
    return None if cells is None else ctx.value(ctx.analysis(Vectoriser).rewritten(cells), scene)


def cells_where(ctx: Context, question: Op, name: str, scene: Environment) -> Op | None:
    """Return these cells as an operation."""
    return ctx.analysis(Vectoriser).satisfying_cells(
        with_constants(ctx, question, name, scene), name
    )


def with_constants(ctx: Context, op: Op, name: str, scene: Environment) -> Op:
    """Substitute the variables of a scene that are constant, except one, in an operation."""
    if is_variable(op):
        value = scene.variables.get(str(op.value))
        known = value.constant if value is not None and op.value != name else None
        return op if known is None else literal(op.type, known)
    args = tuple(with_constants(ctx, arg, name, scene) for arg in op.args)
    if args == op.args:
        return op
    return simplify(Op(op.name, op.type, args, op.value), ctx.program.topology)
