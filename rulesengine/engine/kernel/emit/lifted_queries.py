"""Questions asked of all cells at once, where variables are known that no pass knows."""

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Scene
from rulesengine.language.ir.ops import Op, literal
from rulesengine.language.lower.simplify import simplify


def lifted(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    """The cells for which a flag holds when the variable is this cell; None if unknown how."""
    cells = cells_where(ctx, question, name, scene)
    return None if cells is None else ctx.value(ctx.lifting.rewritten(cells), scene)


def cells_where(ctx: Context, question: Op, name: str, scene: Scene) -> Op | None:
    """These cells before code is made of them."""
    return ctx.lifting.cells_where(_bound(ctx, question, name, scene), name)


def _bound(ctx: Context, op: Op, name: str, scene: Scene) -> Op:
    """An operation with numbers for the variables that are known in a scene, but for one."""
    if op.name == "variable":
        value = scene.variables.get(str(op.value))
        known = value.known if value is not None and op.value != name else None
        return op if known is None else literal(op.type, known)
    args = tuple(_bound(ctx, arg, name, scene) for arg in op.args)
    if args == op.args:
        return op
    return simplify(Op(op.name, op.type, args, op.value), ctx.program.topology)
