"""Kernel code for the payoff of each side at the end of a game, as in `interpreter.payoffs`."""

from collections.abc import Sequence

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.outcomes import EndSearch, first_end
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.rules import OUT, End
from rulesengine.language.ir.score_decided import by_score
from rulesengine.support.limits import INTEGER_MAX


def payoff(ctx: Context, at: Position, side: int) -> Value:
    """Return the payoff of a side in a state, 0 if the game is not over."""

    def value_of(end: End, scene: Environment) -> Value:
        if end.pays is not None:
            paid = ctx.value(end.pays, Environment(at, {"player": ctx.b.i(side)}))
            return ctx.b.op("isub", ctx.b.i(0), paid) if ctx.rules.misere else paid
        return _rank_of(ctx, _ranking(ctx, end, scene), _leaving_moves(ctx, at), side)

    return first_end(ctx, at, None, EndSearch(value_of, ctx.b.i(0), ctx.rules.ends))


def _ranking(ctx: Context, end: End, scene: Environment) -> list[Value]:
    """Return a number for each side by which an end ranks them."""
    b, score = ctx.b, ctx.rules.score
    players = [b.i(side) for side in range(ctx.sides)]
    if by_score(end):
        assert score is not None
        ranks = [ctx.value(score, Environment(scene.at, {"player": player})) for player in players]
        turned = (end.result == "lowest") != ctx.rules.misere
    elif end.side is not None:
        named = ctx.value(end.side, scene)
        ranks = [b.op("fint", b.op("ieq", named, player)) for player in players]
        turned = (end.result == "loses") != ctx.rules.misere
    else:
        return [b.i(0)] * ctx.sides
    return [b.op("isub", b.i(0), number) for number in ranks] if turned else ranks


def _leaving_moves(ctx: Context, at: Position) -> list[Value]:
    """Return the move at which each side left the game, the maximum if it has not."""
    b = ctx.b
    if not ctx.rules.outs:
        return [b.i(0)] * ctx.sides
    first, last = ctx.slots[OUT], b.i(INTEGER_MAX)
    left = at.registers[first : first + ctx.sides]
    return [b.op("pick", b.op("ieq", move, b.i(0)), last, move) for move in left]


def _rank_of(ctx: Context, ranks: Sequence[Value], stays: Sequence[Value], side: int) -> Value:
    """Return the number of sides ranked below one, minus the number ranked above it.

    The payoff of a single side is its rank value.
    """
    if ctx.sides == 1:
        return ranks[0]
    total = ctx.b.i(0)
    for other in range(ctx.sides):
        if other != side:
            first = _compared(ctx, ranks[side], ranks[other])
            then = _compared(ctx, stays[side], stays[other])
            are_equal = ctx.b.op("ieq", first, ctx.b.i(0))
            total = ctx.b.op("iadd", total, ctx.b.op("pick", are_equal, then, first))
    return total


def _compared(ctx: Context, one: Value, other: Value) -> Value:
    """Return 1, 0 or -1 if a number is greater than, equal to or less than another."""
    more, less = (ctx.b.op("fint", ctx.b.op("ilt", *pair)) for pair in ((other, one), (one, other)))
    return ctx.b.op("isub", more, less)
