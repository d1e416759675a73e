"""Kernel code that makes moves: steps on drafts, and the end of a turn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import begin_draft
from rulesengine.engine.kernel.emit.effects import emit_effect
from rulesengine.engine.kernel.emit.occupancy import any_content, content_of
from rulesengine.engine.kernel.emit.piece_effects import carry_piece, put_pieces
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.values import checked_player, position_word
from rulesengine.language.ir.ops import Op, reads_parts
from rulesengine.language.ir.roles import reads_variable
from rulesengine.language.ir.rules import BY_CHANCE, Group, operations

Record = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class StepValue:
    """A step of a constant group; -1 represents a missing component.

    It may also belong to one of `others`, groups with the same effect.
    """

    group: int
    direction: Value
    origin: Value
    target: Value
    choice: Value
    others: tuple[int, ...] = ()


def memoise_result(
    ctx: Context, make: Callable[[Value], tuple[Position, Record]]
) -> Callable[[Value], tuple[Position, Record]]:
    """Memoise a function from a side to a move's result, within the scope of its code."""
    results: dict[Value, tuple[object, tuple[Position, Record]]] = {}

    def result(side: Value) -> tuple[Position, Record]:
        if side not in results or not ctx.b.reaches(results[side][0]):
            results[side] = ctx.b.scope(), make(side)
        return results[side][1]

    return result


def make_step(ctx: Context, step: StepValue, scene: Environment) -> Environment:
    """Return the scene after a step made on a draft, with the step's variables bound."""
    group = ctx.rules.groups[step.group]
    ctx.b.note(f"make {remark(group)}")
    choice = step.choice
    if group.choice and group.choice[0].type == "flag":
        choice = ctx.b.op("ieq", choice, ctx.b.i(1))
    by_chance = ctx.b.f(group.weight is not None)
    scene = scene.with_(
        direction=step.direction,
        from_=step.origin,
        to=step.target,
        choice=choice,
        **{BY_CHANCE: by_chance},
    )
    at = _with_contents(ctx, scene, group, step)
    if group.kind == "place" and group.piece and group.side:
        cells = ctx.b.op("mcell", step.target)
        kind, side = ctx.value(group.piece, scene), ctx.value(group.side, scene)
        known = at.content.get(cells, any_content(ctx))
        at = put_pieces(ctx, at, scene.on(at), kind, side, cells, known)
    elif group.kind == "move":
        at = carry_piece(ctx, at, scene.on(at), step.origin, step.target)
    elif group.kind == "swap":
        assert at.seats is not None
        at = replace(at, seats=ctx.b.op("isub", ctx.b.i(1), at.seats))
    scene = scene.on(at)
    for effect in group.effects:
        scene = emit_effect(ctx, effect, scene)
    return scene


def _with_contents(ctx: Context, scene: Environment, group: Group, step: StepValue) -> Position:
    """Return a draft with the contents of a legal step's cells, as its group implies them."""
    if not ctx.trusts:
        return scene.at
    content = dict(scene.at.content)
    groups = [group, *(ctx.rules.groups[number] for number in step.others)]
    for ops, cell in (
        ([g.origin for g in groups], step.origin),
        ([g.target for g in groups], step.target),
    ):
        if None not in ops:
            single = ctx.b.op("mcell", cell)
            may = 0
            for op in ops:
                may |= content_of(ctx, op, scene) if op else 0
            content[single] = content.get(single, any_content(ctx)) & may
    return replace(scene.at, content=MappingProxyType(content))


def make_move(
    ctx: Context, at: Position, steps: tuple[StepValue, ...], side: Value
) -> tuple[Position, Record]:
    """Return the state after a move by a side, and the record of its changes."""
    scene = Environment(begin_draft(ctx, at), {"player": side})
    for step in steps:
        scene = make_step(ctx, step, scene)
    return finish_move(ctx, at, scene)


def finish_move(ctx: Context, before: Position, scene: Environment) -> tuple[Position, Record]:
    """Return the state and record after the last step of a move."""
    for effect in ctx.rules.effects:
        scene = emit_effect(ctx, effect, scene)
    draft = scene.at
    assert draft.record is not None
    return _end_turn(ctx, before, draft, scene).settled(), draft.record


def _end_turn(ctx: Context, before: Position, draft: Position, scene: Environment) -> Position:
    """Update registers, history and the side to move after the last effect."""
    following = checked_player(ctx, ctx.value(ctx.rules.next, scene))
    if before.seats is not None and draft.seats is not None and before.seats != draft.seats:
        same = ctx.b.op("ieq", before.seats, draft.seats)
        following = ctx.b.op("pick", same, following, before.side)
    history = draft.history
    if before.history is not None:
        history = append_history(ctx, before)
    registers, by_chance = list(draft.registers), scene.variables[BY_CHANCE]
    waits = _waits(ctx, scene)
    stays = ctx.b.op("ieq", following, before.side)
    for register in ctx.rules.registers:
        if register.lives == "game":
            continue
        at = ctx.slots[register.name]
        lives = stays if register.lives == "turn" else ctx.b.op("fand", stays, by_chance)
        lives = ctx.b.op("for", waits, lives)
        for slot in range(at, at + register.slots(ctx.sides)):
            registers[slot] = ctx.b.op("pick", lives, registers[slot], _start_value(ctx, slot))
    if ctx.program.keeps_last:
        last = -2 if ctx.program.keeps_plies else -1
        stays = ctx.b.op("for", waits, by_chance)
        registers[last] = ctx.b.op("pick", stays, registers[last], before.side)
    if ctx.program.keeps_plies:
        is_free = by_chance if ctx.rules.has_free_chance else ctx.b.f(False)
        is_free = ctx.b.op("for", waits, is_free)
        more = ctx.b.op("iadd", registers[-1], ctx.b.i(1))
        registers[-1] = ctx.b.op("pick", is_free, registers[-1], more)
    return replace(draft, side=following, registers=tuple(registers), history=history)


def _waits(ctx: Context, scene: Environment) -> Value:
    """Return a flag: a move was a choice that is not carried out yet, and the round goes on."""
    together = ctx.rules.together
    if together is None or together.pending is None:
        return ctx.b.f(False)
    return ctx.value(together.pending, scene)


def append_history(ctx: Context, at: Position) -> Value:
    """Return the history with a state appended.

    An earlier append of the same state is reused, unless a draft may have overwritten it.
    """
    assert at.history is not None
    side = position_word(ctx, at)
    key = at.history, side, at.planes
    if key in ctx.histories and not _queries_future_of_drafts(ctx):
        scope, history = ctx.histories[key]
        if ctx.b.reaches(scope):
            return history
    history = ctx.b.result("remember", "h", at.history, side, *at.planes)
    ctx.histories[key] = ctx.b.scope(), history
    return history


def op_met(ctx: Context, op: Op, scene: Environment) -> Value:
    b, at = ctx.b, scene.at
    counts = [ctx.value(arg, scene) for arg in op.args]
    if not ctx.appends_late:
        return b.result("met", "f", append_history(ctx, at), *counts)
    assert at.history is not None
    same = b.f(True)
    for cells, count in zip(at.planes, counts, strict=True):
        same = b.op("fand", same, b.op("ieq", b.op("mcount", cells), count))
    return b.op("for", b.result("met", "f", at.history, *counts), same)


def _queries_future_of_drafts(ctx: Context) -> bool:
    """True if effects, or the choice of the next side, query the future of a
    state within a move.
    """
    steps = tuple(group.effects for group in ctx.rules.groups)
    ops = operations((steps, ctx.rules.effects, ctx.rules.next))
    return any(reads_parts(root, "moves", "outcome", "future") for root in ops)


def _start_value(ctx: Context, slot: int) -> Value:
    return ctx.b.const(ctx.layout.registers[slot], ctx.program.form.starts[slot])


def same_effect(ctx: Context, a: int, b: int) -> tuple[bool, bool]:
    """Return two flags: equal steps of two groups have equal effects, and these read the
    direction.
    """
    first, second = ctx.rules.groups[a], ctx.rules.groups[b]
    consequences = [(g.piece, g.side, g.effects, g.then) for g in (first, second)]
    read = any(reads_variable(op, "direction") for op in operations(consequences[0]))
    return consequences[0] == consequences[1], read


def remark(group: Group) -> str:
    """Return the spec's text for a group, as a remark in the code."""
    return group.site.text
