"""Kernel code for immediate wins and threats of a state, from the sets of a pass."""

from rulesengine.engine.drivers.protocol import LOST_NEXT, NO_THREAT, PARRIED, WON_NOW
from rulesengine.engine.kernel.code.form import Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.passes.goal_moves import MoveAnswers
from rulesengine.engine.kernel.passes.threats import PlacementAnswers, Threats


def urgent(ctx: Context, at: Position) -> Value:
    """Implement `SearchFunctions.urgent` for a state with a constant side to move."""
    b, urgency = ctx.b, ctx.optional(Threats)
    if urgency is None:
        return b.i(NO_THREAT)
    mine, other = (Environment(at, {"player": b.i(side)}) for side in (_side(at), 1 - _side(at)))

    def threatened() -> Value:
        if urgency.parries is not None:
            return _urgency_of_moves(ctx, mine, other, urgency.parries)
        if urgency.answers is None:
            return b.i(NO_THREAT)
        lost, answers = ctx.value(urgency.wins, other), urgency.answers
        is_free = b.op("fnot", b.op("many", lost))
        return b.choose(
            is_free, lambda: b.i(NO_THREAT), lambda: _answer_to(ctx, lost, mine, answers)
        )

    def urgency_of_mover() -> Value:
        wins = b.op("many", ctx.value(urgency.wins, mine))
        return b.choose(wins, lambda: b.i(WON_NOW), threatened)

    return b.choose(is_over(ctx, at), lambda: b.i(NO_THREAT), urgency_of_mover)


def parries(ctx: Context, at: Position, cell: Value) -> Value:
    """Implement `SearchFunctions.parries` for a move to a cell, with a constant side to move."""
    b, urgency = ctx.b, ctx.optional(Threats)
    if urgency is None or urgency.parries is None:
        return b.i(1)
    other = Environment(at, {"player": b.i(1 - _side(at))})
    parry = b.op("mand", ctx.value(urgency.parries.cells, other), b.op("mcell", cell))
    return b.op("fint", b.op("many", parry))


def threats(ctx: Context, at: Position) -> Value:
    """Implement `SearchFunctions.threats` for a state with a constant side to move."""
    b, urgency = ctx.b, ctx.optional(Threats)
    if urgency is None or urgency.threats is None:
        return b.i(0)
    other = Environment(at, {"player": b.i(1 - _side(at))})
    return b.op("mcount", ctx.value(urgency.threats, other))


def _urgency_of_moves(
    ctx: Context, mine: Environment, other: Environment, answers: MoveAnswers
) -> Value:
    """Return the urgency of a state by moves that may answer a threat, if there is one."""
    b = ctx.b

    def urgency_of_reply() -> Value:
        moves = ctx.value(answers.moves, mine)
        some = b.op("many", b.op("mand", moves, ctx.value(answers.cells, other)))
        lost = b.op("pick", b.op("many", moves), b.i(LOST_NEXT), b.i(NO_THREAT))
        return b.op("pick", some, b.i(PARRIED), lost)

    is_threatened = b.op("many", ctx.value(answers.threats, other))
    return b.choose(is_threatened, urgency_of_reply, lambda: b.i(NO_THREAT))


def _side(at: Position) -> int:
    assert at.side.constant is not None
    return at.side.constant


def _answer_to(ctx: Context, lost: Value, mine: Environment, answers: PlacementAnswers) -> Value:
    """Return the number of the move that answers the only threat, or `LOST_NEXT`.

    If all other moves lose at once, the result is `NO_THREAT`: the answer may be worth less then.
    """
    b = ctx.b
    cell = b.op("mfirst", lost)
    threat = b.op("mcell", cell)
    moves, not_losing = ctx.value(answers.moves, mine), ctx.value(answers.not_losing, mine)
    more = b.op("many", b.op("mless", lost, threat))
    is_met = b.op("fand", b.op("fnot", more), b.op("many", b.op("mand", moves, threat)))
    before = b.op("mlook", cell, detail=_cells_before(ctx))
    number = b.op("mcount", b.op("mand", moves, before))
    answer = b.op("pick", is_met, number, b.i(LOST_NEXT))
    return b.op("pick", b.op("many", b.op("mless", not_losing, threat)), answer, b.i(NO_THREAT))


def _cells_before(ctx: Context) -> Table:
    return Table("m", tuple((1 << cell) - 1 for cell in range(ctx.shape.cells)))
