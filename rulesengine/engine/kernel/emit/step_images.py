"""Kernel code that counts the steps from all cells of a set by the sizes of their targets.

The targets of several origins are one image if no target has two of them. Pieces that slide through
empty cells block each other, and a fixed path from each origin leads to another cell.
"""

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.lifted_queries import with_constants
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.engine.kernel.passes.step_paths import StepPaths
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import constant, has_role, is_single
from rulesengine.language.ir.rules import Group

_MAX_IMAGES = 8


def target_images(ctx: Context, group: Group, scene: Environment) -> list[Value] | None:
    """Return sets of targets, one for each step from all origins; None if they are not disjoint.

    All origins have pieces. In each set, no target has two origins; no origin has the same target
    in two sets.
    """
    assert group.origin is not None
    assert group.target is not None
    target = with_constants(ctx, group.target, "from", scene)
    parts = [target] if _traced(ctx, target) is not None else _ends_of_paths(ctx, target)
    if parts is None:
        return None
    lifting = ctx.analysis(Vectoriser)
    origins = with_constants(ctx, group.origin, "from", scene)
    images = [lifting.image(part, "from", origins) for part in parts]
    known = [image for image in images if image is not None]
    return [ctx.value(image, scene) for image in known] if len(known) == len(images) else None


def _ends_of_paths(ctx: Context, target: Op) -> list[Op] | None:
    """Return the ends of fixed paths that have no common targets from one origin."""
    steps = StepPaths(ctx.shape, ctx.facts, "from")
    paths = steps.of(target)
    if paths is None or len(paths) > _MAX_IMAGES or not steps.are_distinct(paths):
        return None
    if not all(steps.is_injective(path.ways) for path in paths):
        return None
    return [path.cells for path in paths]


def _reads_origin(ctx: Context, op: Op) -> bool:
    return "from" in ctx.facts.variables(op)


def _traced(ctx: Context, op: Op) -> int | None:
    """Return a direction against which a target's origin is the first cell with a piece, if any."""
    if has_role(op, "ray"):
        start, directions, through = op.args
        return (
            _way(ctx, directions)
            if is_single(start, "from") and has_role(through, "vacancy")
            else None
        )
    if has_role(op, "shift") and len(op.args) == 2:
        direction = _way(ctx, op.args[1])
        parts = op.args[0].args if has_role(op.args[0], "join") else op.args[:1]
        ways_of_parts = {_ray_way(ctx, part) for part in parts if not is_single(part, "from")}
        return direction if ways_of_parts <= {direction} else None
    if has_role(op, "join"):
        traced = {_traced(ctx, arg) for arg in op.args}
        return traced.pop() if len(traced) == 1 else None
    if has_role(op, "meet"):
        reading = [arg for arg in op.args if _reads_origin(ctx, arg)]
        return _traced(ctx, reading[0]) if len(reading) == 1 else None
    if has_role(op, "difference") and not _reads_origin(ctx, op.args[1]):
        return _traced(ctx, op.args[0])
    return None


def _ray_way(ctx: Context, op: Op) -> int | None:
    return _traced(ctx, op) if has_role(op, "ray") else None


def _way(ctx: Context, directions: Op) -> int | None:
    """Return a single direction in which no two cells have the same next cell; else None."""
    known = constant(directions)
    if known is None or (known & ctx.shape.every).bit_count() != 1:
        return None
    direction = cells_of(known & ctx.shape.every)[0]
    return direction if StepPaths(ctx.shape, ctx.facts, "from").is_injective((direction,)) else None


def image_cells(ctx: Context, images: list[Value]) -> Value:
    """Return the union of images."""
    cells = ctx.b.m(0)
    for image in images:
        cells = ctx.b.op("mor", cells, image)
    return cells


def image_size(ctx: Context, images: list[Value]) -> Value:
    """Return the number of steps that images have."""
    total = ctx.b.i(0)
    for image in images:
        total = ctx.b.op("iadd", total, ctx.b.op("mcount", image))
    return total
