"""Questions asked of all cells at once.

`where` and its like ask a question of each cell. Most questions can be asked of all cells at
once: "does a run from here meet that set?" is the set of cells from which one does. `_all` gives
this set; it follows the shape of the question, and where it does not know how, a loop asks.
"""

from rulesengine.interpreter.frame import Frame
from rulesengine.ir.ops import Op
from rulesengine.kernel.cells import along, image
from rulesengine.kernel.code import Rays, Runs, Value
from rulesengine.kernel.context import Context
from rulesengine.kernel.position import Scene
from rulesengine.kernel.rays import optional_directions
from rulesengine.kernel.values import owned, union

_UNROLLED = 32


def lifted(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    """The cells for which a flag holds when the variable is this cell; None if unknown how."""
    variables = ctx.facts.variables(question)
    if ctx.facts.may_fail(question):
        return None
    if name not in variables:
        everywhere, nowhere = ctx.b.m(ctx.b.full), ctx.b.m(0)
        return ctx.b.op("pick", ctx.value(question, scene), everywhere, nowhere)
    match question.name:
        case "both" | "either":
            return _all_of_flags(ctx, question, name, scene)
        case "deny":
            inner = lifted(ctx, question.args[0], name, scene)
            return ctx.b.op("mnot", inner) if inner is not None else None
        case "any":
            return meeting(ctx, question.args[0], name, scene, ctx.b.m(ctx.b.full))
        case "none":
            found = meeting(ctx, question.args[0], name, scene, ctx.b.m(ctx.b.full))
            return ctx.b.op("mnot", found) if found is not None else None
        case "member":
            return _members(ctx, question, name, scene)
        case "equal":
            return _equals(ctx, question, name, scene)
        case "inside":
            return _insides(ctx, question, name, scene)
        case "if":
            return _if_all(ctx, question, name, scene)
    return _asked_before(ctx, question, name, scene)


def _all_of_flags(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    meet = question.name == "both"
    result = ctx.b.m(ctx.b.full if meet else 0)
    for arg in question.args:
        part = lifted(ctx, arg, name, scene)
        if part is None:
            return None
        result = ctx.b.op("mand" if meet else "mor", result, part)
    return result


def _members(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    cell, cells = question.args
    if name not in ctx.facts.variables(cells):
        if cell.name == "variable":
            return ctx.value(cells, scene)
    elif name not in ctx.facts.variables(cell):
        return meeting(ctx, cells, name, scene, ctx.b.op("mcell", ctx.value(cell, scene)))
    return _asked_before(ctx, question, name, scene)


def _equals(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    """`it = cell`, `owner(it) = side`, `kind(it) = kind`, or what can be said beforehand."""
    for left, right in (question.args, question.args[::-1]):
        if name in ctx.facts.variables(right):
            continue
        if left.name == "variable":
            if left.type == "cell":
                return ctx.b.op("mcell", ctx.value(right, scene))
        elif left.name == "owner" and left.args[0].name == "variable":
            side = ctx.value(right, scene)
            if side.known is not None and side.known >= 0:
                return owned(ctx, scene.at, side)
    return _asked_before(ctx, question, name, scene)


def _insides(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    left, right = question.args
    if name in ctx.facts.variables(right):
        return _asked_before(ctx, question, name, scene)
    outside = ctx.b.op("mnot", ctx.value(right, scene))
    found = meeting(ctx, left, name, scene, outside)
    return ctx.b.op("mnot", found) if found is not None else None


def _if_all(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    flag, yes, no = (lifted(ctx, a, name, scene) for a in question.args)
    if flag is None or yes is None or no is None:
        return None
    kept = ctx.b.op("mand", flag, yes)
    return ctx.b.op("mor", kept, ctx.b.op("mless", no, flag))


def _asked_before(ctx: Context, question: Op, name: str, scene: Scene) -> Value | None:
    """The answer for each cell if it follows from the board alone."""
    others = ctx.facts.variables(question) - {name}
    known = {v: scene.variables[v].known for v in others if v in scene.variables}
    if len(known) < len(others) or None in known.values() or not ctx.facts.is_fixed(question):
        return None
    frame = Frame(ctx.machine.initial_state(), dict(known))
    found = 0
    for cell in range(ctx.shape.cells):
        frame.variables[name] = cell
        found |= bool(ctx.machine.value(question, frame)) << cell
    return ctx.b.m(found)


def meeting(ctx: Context, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
    """The cells for which a set made of the variable meets another set."""
    if name not in ctx.facts.variables(op):
        some = ctx.b.op("many", ctx.b.op("mand", ctx.value(op, scene), met))
        return ctx.b.op("pick", some, ctx.b.m(ctx.b.full), ctx.b.m(0))
    match op.name:
        case "single":
            return met if op.args[0].name == "variable" else None
        case "and":
            return _meeting_and(ctx, op, name, scene, met)
        case "or":
            parts = [meeting(ctx, a, name, scene, met) for a in op.args]
            known = [p for p in parts if p is not None]
            return union(ctx, known) if len(known) == len(parts) else None
        case "minus":
            if name in ctx.facts.variables(op.args[1]):
                return None
            left = ctx.b.op("mless", met, ctx.value(op.args[1], scene))
            return meeting(ctx, op.args[0], name, scene, left)
        case "shift" | "neighbours":
            return _meeting_steps(ctx, op, name, scene, met)
        case "run":
            return _meeting_run(ctx, op, name, scene, met)
        case "slide":
            return _meeting_slide(ctx, op, name, scene, met)
    return None


def _meeting_and(ctx: Context, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
    asked = [a for a in op.args if name in ctx.facts.variables(a)]
    if len(asked) > 1:
        return None
    for arg in op.args:
        if arg is not asked[0]:
            met = ctx.b.op("mand", met, ctx.value(arg, scene))
    return meeting(ctx, asked[0], name, scene, met)


def _meeting_steps(ctx: Context, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
    if any(name in ctx.facts.variables(a) for a in op.args[1:]):
        return None
    if op.name == "neighbours" and len(op.args) == 1:
        return meeting(ctx, op.args[0], name, scene, image(ctx, met, ctx.shape.beside))
    for arg in reversed(op.args[1:]):
        ways = ctx.value(arg, scene)
        met = along(ctx, ways, met, lambda m, d: image(ctx, m, ctx.shape.back(d)))
    return meeting(ctx, op.args[0], name, scene, met)


def _meeting_run(ctx: Context, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
    """Cells with a run that meets a set; any run at all if that set is everything."""
    if any(name in ctx.facts.variables(a) for a in op.args[1:]):
        return None
    # A run ends where `over` does: a cell in both sets is no end.
    end = Op("minus", "cells", (op.args[2], op.args[1]))
    over, until, low, high = (
        ctx.value(a, scene) for a in (op.args[1], end, op.args[3], op.args[4])
    )
    ways = optional_directions(ctx, op, 5, scene)
    if ways.known is None or low.known is None or high.known is None:
        return None
    rays = _even_rays(ctx, ways.known & ctx.shape.every)
    if rays is None or not rays.cells:
        return ctx.b.m(0) if rays else None
    if met.known != ctx.b.full:
        return None
    found = _toward(ctx, rays, over, until, max(low.known, 1), high.known)
    return None if found is None else meeting(ctx, op.args[0], name, scene, found)


def _even_rays(ctx: Context, directions: int) -> Rays | None:
    """The rays in some directions, if it is known for each when a line has come round."""
    rays = ctx.shape.rays(directions)
    alike = not rays.cyclic or ctx.shape.comes_round_alike(directions)
    return rays if alike else None


def _toward(
    ctx: Context, rays: Rays, over: Value, until: Value, low: int, high: int
) -> Value | None:
    """Cells with a run of a length from low to high, if these are not too many."""
    longest = max(len(ray) for of in rays.cells for ray in of) - 1
    if low > min(longest, high):
        return ctx.b.m(0)
    most = high if high < longest else None
    if (low if most is None else most) > _UNROLLED:
        return None
    return ctx.b.op("mtoward", over, until, detail=Runs(rays, low, most))


def _meeting_slide(ctx: Context, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
    """Cells that slide onto a set: back from it through cells that are passed."""
    start, ways_op, through_op = op.args
    if any(name in ctx.facts.variables(a) for a in op.args[1:]):
        return None
    ways, through = ctx.value(ways_op, scene), ctx.value(through_op, scene)
    if ways.known is None:
        return None
    rays = _even_rays(ctx, ways.known & ctx.shape.every)
    if rays is None or not rays.cells:
        return ctx.b.m(0) if rays else None
    last = ctx.b.op("mand", met, through)
    found = ctx.b.op("mtoward", through, last, detail=Runs(rays, 0, None))
    return meeting(ctx, start, name, scene, found)
