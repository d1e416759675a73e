"""Kernel code that enumerates legal steps by loops."""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.code.form import Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.loops import each_direction
from rulesengine.engine.kernel.emit.make_move import StepValue, remark
from rulesengine.engine.kernel.emit.occupancy import any_content, content_of
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.step_bans import StateBan, is_allowed
from rulesengine.engine.kernel.emit.untouched_bans import BanValues, ban_of_values, state_ban
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Group

_UNROLLED = 8


def each_step(
    ctx: Context,
    scene: Environment,
    number: int,
    use: Callable[[StepValue], None],
    origins: Value | None = None,
    directions: Value | None = None,
    values: BanValues | None = None,
) -> None:
    """Call `use` with the steps of a group in order, optionally from some origins and directions.

    `values` are those of its ban, if they are known.
    """
    group = ctx.rules.groups[number]
    ctx.b.note(remark(group))
    none = ctx.b.i(-1)
    scene = scene.with_(from_=none, to=none, choice=none, direction=none)
    if values is None:
        known = state_ban(ctx, scene, number)
    else:
        known = ban_of_values(ctx, scene, number, values)

    def work(outer: Environment) -> None:
        def from_direction(inner: Environment) -> None:
            _each_of(
                ctx, group.origin, inner, "from", origins, lambda s: _to(ctx, number, s, use, known)
            )

        if group.along is None:
            from_direction(outer)
            return
        along = ctx.value(group.along, outer)
        if directions is not None and directions.constant != -1:
            along = ctx.b.op("iand", along, directions)
        _each_way(ctx, along, lambda d: from_direction(outer.with_(direction=d)))

    if group.chooses_first:
        _each_first_choice(ctx, group, lambda choice: work(scene.with_(choice=choice)))
    else:
        work(scene)


def _each_first_choice(ctx: Context, group: Group, body: Callable[[Value], None]) -> None:
    """Call `body` with each value of a choice that comes before the cells, in a loop."""
    values = tuple(int(str(op.value)) for op in group.choice)
    table = Table("i", values)
    ctx.b.range(
        ctx.b.i(0), ctx.b.i(len(values)), lambda i: body(ctx.b.op("ilook", i, detail=table))
    )


def _each_way(ctx: Context, along: Value, body: Callable[[Value], None]) -> None:
    """Call `body` with each direction of a set: unrolled if there are few, else in a loop."""
    if along.constant is None or len(cells_of(along.constant)) > _UNROLLED:
        each_direction(ctx, along, body)
        return
    for d in cells_of(along.constant & ctx.shape.every):
        body(ctx.b.i(d))


def _each_of(
    ctx: Context,
    op: Op | None,
    scene: Environment,
    name: str,
    among: Value | None,
    body: Callable[[Environment], None],
) -> None:
    if op is None:
        body(scene)
        return
    cells = ctx.value(op, scene)
    if among is not None:
        cells = ctx.b.op("mand", cells, among)
    what = content_of(ctx, op, scene)

    def bound(cell: Value) -> None:
        at = scene.at
        single = ctx.b.op("mcell", cell)
        content = {**at.content, single: at.content.get(single, any_content(ctx)) & what}
        known = replace(at, content=MappingProxyType(content))
        body(scene.on(known).with_(**{"from_" if name == "from" else name: cell}))

    ctx.each_cell(cells, bound)


def _to(
    ctx: Context,
    number: int,
    scene: Environment,
    use: Callable[[StepValue], None],
    known: StateBan | None,
) -> None:
    target = ctx.rules.groups[number].target
    _each_of(ctx, target, scene, "to", None, lambda s: _for_each_choice(ctx, number, s, use, known))


def _for_each_choice(
    ctx: Context,
    number: int,
    scene: Environment,
    use: Callable[[StepValue], None],
    known: StateBan | None,
) -> None:
    """Call `use` with the step of each choice, if it is legal."""
    group = ctx.rules.groups[number]
    if group.chooses_first:
        choice, at = scene.variables["choice"], scene.variables
        step = StepValue(number, at["direction"], at["from"], at["to"], choice)
        ctx.b.when(_permitted(ctx, scene, group, step, known), lambda: use(step))
        return
    for op in group.choice or (None,):
        choice = ctx.value(op, scene) if op else ctx.b.i(-1)
        if choice.type == "f":
            choice = ctx.b.op("fint", choice)
        if choice.type != "i":
            raise Unsupported("a choice of sets")
        shown = choice
        if op is not None and op.type == "flag":
            shown = ctx.b.op("ieq", choice, ctx.b.i(1))
        inner = scene.with_(choice=shown)
        at = inner.variables
        step = StepValue(number, at["direction"], at["from"], at["to"], choice)
        legal = _permitted(ctx, inner, group, step, known)
        ctx.b.when(legal, lambda step=step: use(step))  # type: ignore[misc]


def _permitted(
    ctx: Context, scene: Environment, group: Group, step: StepValue, known: StateBan | None
) -> Value:
    def allowed() -> Value:
        return is_allowed(ctx, scene, group, step, known)

    if group.when is None:
        return allowed()
    return ctx.b.choose(ctx.value(group.when, scene), allowed, lambda: ctx.b.f(False))
