"""Mobility as a heuristic evaluation: the number of steps that begin a move of a side.

It applies where the side without a move loses. Where pieces move over empty cells, the cells that
they reach in one step and in two have a greater weight. Each cell counts once: these cells
approximate the territory of a side. Chains count by their first step. Steps of a group with a
`forbid` do not count, because each would have to be made to test the condition. See decisions 052
and 077.
"""

from rulesengine.language.ir.ops import OPS, Op, contained_in, has_trait, literal, make, walk
from rulesengine.language.ir.roles import has_role, is_single, is_variable, reads_variable
from rulesengine.language.ir.rules import End, Group, Rules

# Failures that do not prevent the evaluation of an expression for the side that is not to move.
HARMLESS = frozenset({"unset", "player", "overflow"})
_UNPLACED = frozenset({"pass", "swap"})
REACHED = 8  # the weight of a reachable cell, in steps


def mobility(rules: Rules) -> Op | None:
    """Return the number of steps of `player`, negated in misère games; None if it does not decide
    the game.

    It decides the game if every end with a winner depends on the side without a move, and sides
    differ in their steps.
    """
    signs = _signs(rules)
    if len(signs) != 1 or 0 in signs:
        return None
    groups = [group for tier in rules.tiers for group in tier if _is_counted(group)]
    steps = [_steps(group) for group in groups]
    if not any(_reads(number, "player") for number in steps):
        return None
    if len(groups) == 1:
        steps += _reached(groups[0])
    total = _sum(steps)
    return total if signs == {1} else make("negative", total, value=0)


def last_move_wins(rules: Rules) -> bool:
    """True if every end with a winner is lost by the side without a move."""
    return _signs(rules) == {1}


def weighs_reach(rules: Rules) -> bool:
    """True if the cells count that the pieces of `player` reach in one step and in two."""
    groups = [group for tier in rules.tiers for group in tier if _is_counted(group)]
    return len(groups) == 1 and bool(_reached(groups[0]))


def _signs(rules: Rules) -> set[int]:
    return {_sign(end, misere=rules.misere) for end in rules.ends if end.result != "draw"}


def _sign(end: End, *, misere: bool) -> int:
    """Return 1 if the side without a move loses by this end, -1 if it wins, 0 for another
    condition.
    """
    condition = end.when.args[0] if has_role(end.when, "complement") else end.when
    if (
        not has_role(condition, "mobility")
        or condition is end.when
        or condition.args[0] != end.side
    ):
        return 0
    if end.result not in ("wins", "loses"):
        return 0
    return 1 if (end.result == "loses") is not misere else -1


def _is_counted(group: Group) -> bool:
    parts = (group.along, group.origin, group.target, group.when, *group.choice)
    ops = [op for root in parts if root for op in walk(root)]
    is_sure = all(op.name in OPS and OPS[op.name].fails <= HARMLESS for op in ops)
    is_plain = group.kind not in _UNPLACED and group.forbid is None
    return is_plain and group.target is not None and is_sure


def _steps(group: Group) -> Op:
    """Return the number of steps of a group, over its directions, origins and choices."""
    assert group.target is not None
    number = make("count", group.target)
    if group.when is not None and _reads(group.when, "to"):
        number = _loop("count", "to", group.target, group.when)
    elif group.when is not None:
        number = make("if", group.when, number, literal("number", 0), type="number")
    if len(group.choice) > 1:
        number = _sum([_with_choice(number, choice) for choice in group.choice])
    if group.origin is not None:
        number = _loop("sum", "from", group.origin, number)
    if group.along is not None:
        number = _loop("sum", "direction", group.along, number)
    return number


def _reached(group: Group) -> list[Op]:
    """Return the weights of the cells that pieces reach in one step and in two."""
    first = _walked(group, group.origin) if group.origin is not None else None
    second = _walked(group, first) if first is not None else None
    if first is None or second is None:
        return []
    each = (make("count", first), make("count", second))
    return [make("multiply", count, literal("number", REACHED), value=0) for count in each]


def _walked(group: Group, cells: Op) -> Op | None:
    """Return the empty cells that a group reaches from some cells; None if unknown."""
    if group.kind != "move" or group.along is not None or group.when is not None:
        return None
    return _spread(group.target, cells) if group.target and _is_empty(group.target) else None


def _is_empty(cells: Op) -> bool:
    """True if an expression is known to contain empty cells only."""
    if has_role(cells, "meet", "ray"):
        return any(map(_is_empty, contained_in(cells)))
    return has_role(cells, "vacancy")


def _spread(op: Op, cells: Op) -> Op | None:
    """Return the union of a set over every cell `from`; None if it cannot be expressed."""
    if not _reads(op, "from"):
        return op
    if is_single(op):
        return cells
    reading = [number for number, arg in enumerate(op.args) if _reads(arg, "from")]
    if len(reading) > 1 or not has_trait(op, "additive", reading[0]):
        return None
    args = [_spread(arg, cells) for arg in op.args]
    known = tuple(arg for arg in args if arg is not None)
    return Op(op.name, op.type, known, op.value) if len(known) == len(args) else None


def _sum(numbers: list[Op]) -> Op:
    total, *rest = numbers
    for number in rest:
        total = make("add", total, number, value=0)
    return total


def _loop(function: str, variable: str, domain: Op, body: Op) -> Op:
    value = (function, variable, domain.type, "0")
    return make("each", domain, body, value=value, type="number")


def _reads(op: Op, variable: str) -> bool:
    return reads_variable(op, variable)


def _with_choice(op: Op, choice: Op) -> Op:
    """Return the expression with a choice substituted for the variable."""
    if is_variable(op, "choice"):
        return choice
    return Op(op.name, op.type, tuple(_with_choice(arg, choice) for arg in op.args), op.value)
