"""Kernel code for the test of `forbid` after a step, unless its value is known before the step."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import (
    Record,
    StepValue,
    make_move,
    memoise_result,
)
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import Op, reads_parts, walk
from rulesengine.language.ir.rules import Group

_LARGE = 16  # operations; a smaller condition costs less than the call of a function


@dataclass(frozen=True, slots=True)
class StateBan:
    """A ban in a state before a step, and the steps that may change it; see `untouched_bans`.

    - `targets`, `origins`: a step to or from one of these cells may change the ban.
    - `holds`: the value of the ban in the state.
    - `lone`: the only piece that the ban reads, if its forbidden targets are known; else no cell.
    - `forbidden`: the targets that the ban forbids to this piece.
    - `exceptions`: conditions of steps that may change it in another way.
    - `safe`: true if no effect of a step can fail; None if that is unknown.
    """

    targets: Value
    origins: Value
    holds: Value
    lone: Value
    forbidden: Value
    exceptions: tuple[Op, ...] = ()
    safe: Value | None = None


def is_allowed(
    ctx: Context,
    scene: Environment,
    group: Group,
    step: StepValue,
    known: StateBan | None = None,
) -> Value:
    """Return a flag that is true unless `forbid` holds after a step.

    With the ban `known` in the state before, it is evaluated only for steps that may change it.
    Other steps are made only if an effect may fail.
    """
    ban = ctx.ban(step.group)
    if ban is None:
        return ctx.b.f(True)
    if known is None:
        return ctx.b.op("fnot", _is_banned(ctx, scene, group, step, ban)())
    touched = ctx.b.op("mhas", known.targets, step.target)
    if step.origin.constant != -1:
        touched = ctx.b.op("for", touched, ctx.b.op("mhas", known.origins, step.origin))
    for condition in known.exceptions:
        touched = ctx.b.op("for", touched, ctx.value(condition, scene))
    if known.safe is None:
        holds = _is_banned(ctx, scene, group, step, ban)
        return ctx.b.op("fnot", ctx.b.choose(touched, holds, lambda: known.holds))
    unsafe = ctx.b.op("fnot", known.safe)
    banned = known.holds
    if step.origin.constant != -1:
        is_lone = ctx.b.op("mhas", known.lone, step.origin)
        touched = ctx.b.op("fand", touched, ctx.b.op("fnot", is_lone))
        banned = ctx.b.op("pick", is_lone, ctx.b.op("mhas", known.forbidden, step.target), banned)
    tried = ctx.b.op("for", touched, unsafe)
    return ctx.b.op(
        "fnot", ctx.b.choose(tried, lambda: _try(ctx, scene, group, step, ban), lambda: banned)
    )


def _try(ctx: Context, scene: Environment, group: Group, step: StepValue, ban: Op) -> Value:
    """Return the ban after a step by a function, which few steps call."""
    player = scene.variables["player"]
    if player.constant is None or scene.at.record is not None or not ctx.trusts:
        return _is_banned(ctx, scene, group, step, ban)()
    word = "try_answer" if ctx.answers else "try"
    name = ctx.named(f"{word}_{step.group}_{player.constant}")
    step_parts = (step.direction, step.origin, step.target, step.choice)
    if name not in ctx.b.module.functions:
        with ctx.b.function(name, (*ctx.layout.types, *"iiii"), ("f",)) as values:
            at = Position.of(ctx.layout, values[:-4], player)
            direction, origin, target, choice = (
                value if known.constant != -1 else known
                for known, value in zip(step_parts, values[-4:], strict=True)
            )
            for cell, there in ((origin, group.origin), (target, group.target)):
                if there is not None:
                    ctx.cells_on_board.add(cell)
            inner = Environment(at, {"player": player}).with_(
                direction=direction, from_=origin, to=target, choice=choice
            )
            again = StepValue(step.group, direction, origin, target, choice)
            ctx.b.emit_return(_is_banned(ctx, inner, group, again, ban)())
    return ctx.b.call(name, *replace(scene.at, side=player).values(), *step_parts)[0]


def _is_banned(
    ctx: Context, scene: Environment, group: Group, step: StepValue, ban: Op
) -> Callable[[], Value]:
    """Make a step; return a function that evaluates its ban."""
    player = scene.variables["player"]
    state, record = _made_for_ban(ctx, scene.at, step, player, ban)

    def from_state(start: Position) -> Callable[[Value], tuple[Position, Record]]:
        def emit_for_side(side: Value) -> tuple[Position, Record]:
            with ctx.trusting(False):
                return make_move(ctx, start, (step,), side)

        return memoise_result(ctx, emit_for_side)

    def holds() -> Value:
        if group.decided is None and _is_shared(ctx, ban):
            return _call_forbid(ctx, ban, player, state)
        return ctx.value(ban, Environment(state, scene.variables, result, from_state))

    by_other = from_state(state)

    def result(side: Value) -> tuple[Position, Record]:
        return (state, record) if side == player else by_other(side)

    return holds


def _made_for_ban(
    ctx: Context, at: Position, step: StepValue, player: Value, ban: Op
) -> tuple[Position, Record]:
    """Return the state and record after a step, without positions that its ban does not read."""
    reads_history = reads_parts(ban, "history", "moves", "outcome", "future")
    if at.history is None or reads_history:
        return make_move(ctx, at, (step,), player)
    state, record = make_move(ctx, replace(at, history=None), (step,), player)
    return replace(state, history=at.history), record


def _is_shared(ctx: Context, forbid: Op) -> bool:
    """True if a condition is large, and depends on the state after a move and the player alone.

    All steps then call one function. Inlined in each of them, it would be most of the code.
    """
    if ctx.facts.variables(forbid) - {"player"} or len([*walk(forbid)]) < _LARGE:
        return False
    return not reads_parts(forbid, "step", "record", "history", "moves", "outcome", "future")


def _call_forbid(ctx: Context, forbid: Op, player: Value, state: Position) -> Value:
    """Return the value of a condition in the state after a move by a player, by a function."""
    number = next(i for i in range(len(ctx.rules.groups)) if ctx.ban(i) == forbid)
    side = state.side if state.side.constant is not None else None
    word = "forbid_answer" if ctx.answers else "forbid"
    name = ctx.named(f"{word}_{number}_{_ahead(ctx, player, side)}_{_shown(player)}")
    if name not in ctx.b.module.functions:
        with ctx.b.function(name, ctx.layout.types, ("f",), pure=True) as values:
            at = Position.of(ctx.layout, values, side)
            ctx.b.emit_return(ctx.value(forbid, Environment(at, {"player": player})))
    return ctx.b.call(name, *state.values())[0]


def _ahead(ctx: Context, player: Value, side: Value | None) -> str:
    """Return the distance from a player to the side to move, which is the same for all players."""
    if side is None or player.constant is None or side.constant is None:
        return _shown(side)
    return str((side.constant - player.constant) % ctx.sides)


def _shown(side: Value | None) -> str:
    return "any" if side is None or side.constant is None else str(side.constant)
