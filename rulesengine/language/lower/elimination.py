"""Players who leave while the others go on: `out` in ends, as effects and ends.

The program form needs no further construct. A register holds the move at which each player has
left. It is set after the effects of a move, the turn skips players who have left, and the last
remaining player wins. See decision 026.
"""

from functools import reduce

from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import is_variable
from rulesengine.language.ir.rules import OUT, End, Rules
from rulesengine.support.frozen import replace

# The number of ends that precede those of the rules if players can leave.
MORE_ENDS = 2
_LAST_PLAYER_LEFT, _NO_PLAYER_LEFT = "the last one left", "nobody is left"
_ONE_OR_NONE = literal("number", 1), literal("number", 0)


def with_departures(rules: Rules) -> Rules:
    """Return the rules with the conditions `outs` as effects and ends."""
    if not rules.outs:
        return rules
    sides = len(rules.players)
    pairs = [(out, side) for out in rules.outs for side in range(sides if out.each else 1)]
    return replace(
        rules,
        effects=(*rules.effects, *(_departure(out, side) for out, side in pairs)),
        next=_passing_over(rules.next, sides),
        alternates=False,
        ends=(*_last_ends(sides), *rules.ends),
    )


def _departure(out: End, number: int) -> Op:
    """Return the effect that removes a player, with the condition read by side `number`."""
    side = literal("side", number)
    assert out.side is not None
    when, leaves = (_as_read_by(side, op) for op in (out.when, out.side))
    move = make("add", make("plies"), literal("number", 1), value=0)
    leave = make("set", move, leaves, value=(OUT, "0"))
    return make("when", make("both", when, _is_in(leaves)), leave)


def _as_read_by(side: Op, op: Op) -> Op:
    """Substitute a side for the variable `player` of an expression."""
    if is_variable(op, "player"):
        return side
    return Op(op.name, op.type, tuple(_as_read_by(side, arg) for arg in op.args), op.value)


def _is_in(side: Op) -> Op:
    return make("equal", make("register", side, value=OUT, type="number"), literal("number", 0))


def _passing_over(following: Op, sides: int) -> Op:
    """Return the first side from `following` on that is still in the game."""
    choices = [following]
    for _ in range(sides - 1):
        choices.append(make("next", choices[-1]))
    return reduce(_unless_in, reversed(choices[:-1]), choices[-1])


def _unless_in(other: Op, side: Op) -> Op:
    return make("if", _is_in(side), side, other, type="side")


def _last_ends(sides: int) -> tuple[End, ...]:
    """Return the ends for a game with at most one remaining player."""
    players = [literal("side", side) for side in range(sides)]
    counted = [make("if", _is_in(side), *_ONE_OR_NONE, type="number") for side in players]
    left = reduce(lambda total, one: make("add", total, one, value=0), counted)
    winner = reduce(_unless_in, players, literal("side", -1))
    alone, none = (make("equal", left, literal("number", number)) for number in (1, 0))
    return (
        End(alone, "wins", winner, _LAST_PLAYER_LEFT, each=False),
        End(none, "draw", None, _NO_PLAYER_LEFT, each=False),
    )
