"""Constant folding and simplification: a table of rewrite rules, each a small function.

No rule drops, adds or reorders an operation that may fail.
"""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.board.topology import Topology
from rulesengine.board.turning import turns_of
from rulesengine.language.ir.constants import ARITHMETIC, divides_by_zero
from rulesengine.language.ir.ops import Op, literal
from rulesengine.language.ir.roles import constant, has_role, is_constant, is_reflexive, is_variable
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

Rule = Callable[[Op, Topology], Op | None]

# The effect that does nothing.
NOTHING = Op("block", "effect", ())


def simplify(op: Op, topology: Topology) -> Op:
    """Apply the first matching rule until none matches; the arguments are simplified already."""
    while rule := RULES.get(op.name):
        changed = rule(op, topology)
        if changed is None or changed == op:
            return op
        op = changed
    return op


def _numbers(op: Op) -> list[int] | None:
    values = [constant(a) for a in op.args]
    known = [v for v in values if v is not None]
    return known if len(known) == len(values) else None


def _and(op: Op, board: Topology) -> Op | None:
    fixed, rest = board.mask, []
    for arg in _flat(op):
        value = constant(arg)
        if value is None:
            rest.append(arg)
        else:
            fixed &= value
    if not rest:
        return literal("cells", fixed)
    if fixed != board.mask:
        rest.insert(0, literal("cells", fixed))
    return rest[0] if len(rest) == 1 else Op("and", "cells", tuple(rest))


def _or(op: Op, board: Topology) -> Op | None:
    fixed, rest = 0, []
    for arg in _flat(op):
        value = constant(arg)
        if value is None:
            rest.append(arg)
        else:
            fixed |= value
    if not rest:
        return literal("cells", fixed)
    if fixed:
        rest.append(literal("cells", fixed))
    return rest[0] if len(rest) == 1 else Op("or", "cells", tuple(rest))


def _flat(op: Op) -> list[Op]:
    """Return the arguments of nested operations of the same name, in order, each object once.

    A repeated operand adds nothing: its first evaluation has already failed or decided.
    """
    inner = [i for a in op.args for i in (a.args if a.name == op.name else (a,))]
    return list({id(i): i for i in inner}.values())


def _minus(op: Op, board: Topology) -> Op | None:
    left, right = constant(op.args[0]), constant(op.args[1])
    if right == 0:
        return op.args[0]
    if left is not None and right is not None:
        return literal("cells", left & ~right)
    return None


def _not(op: Op, board: Topology) -> Op | None:
    value = constant(op.args[0])
    if value is not None:
        return literal("cells", board.mask & ~value)
    return op.args[0].args[0] if has_role(op.args[0], "complement") else None


def _single(op: Op, board: Topology) -> Op | None:
    value = constant(op.args[0])
    return literal("cells", 1 << value) if value is not None and value >= 0 else None


def _just(op: Op, board: Topology) -> Op | None:
    value = constant(op.args[0])
    return literal("directions", 1 << value) if value is not None else None


def _all_directions(op: Op, board: Topology) -> Op | None:
    values = _numbers(op)
    if values is None:
        return None
    mask = 0
    for value in values:
        mask |= value
    return literal("directions", mask)


def _opposite(op: Op, board: Topology) -> Op | None:
    value = constant(op.args[0])
    if value is None:
        return None
    pairs = enumerate(board.directions)
    mask = sum(1 << d.opposite for i, d in pairs if value >> i & 1 and d.opposite >= 0)
    return literal("directions", mask)


def _turned(op: Op, board: Topology) -> Op | None:
    values = _numbers(op)
    if values is None:
        return None
    turns = turns_of(board)
    after = turns[values[1] % len(turns)]
    return literal(
        "directions", sum(1 << direction for i, direction in enumerate(after) if values[0] >> i & 1)
    )


def _turned_one(op: Op, board: Topology) -> Op | None:
    values = _numbers(op)
    if values is None:
        return None
    turns = turns_of(board)
    return literal("direction", turns[values[1] % len(turns)][values[0]])


def _by_side(op: Op, board: Topology) -> Op | None:
    values = op.args[1:]
    side = constant(op.args[0])
    if side is not None and 0 <= side < len(values):
        return values[side]
    same = all(v == values[0] and constant(v) is not None for v in values)
    return values[0] if same and is_variable(op.args[0]) else None


def _by_kind(op: Op, board: Topology) -> Op | None:
    values = op.args[1:]
    kind = constant(op.args[0])
    if kind is not None and 0 <= kind < len(values):
        return values[kind]
    return None


def _select_choice(op: Op, board: Topology) -> Op | None:
    place = constant(op.args[0])
    return None if place is None else op.args[1 + place]


def _if(op: Op, board: Topology) -> Op | None:
    value = constant(op.args[0])
    return None if value is None else op.args[1 if value else 2]


def _both(op: Op, board: Topology) -> Op | None:
    return _stopping(op, 1)


def _either(op: Op, board: Topology) -> Op | None:
    return _stopping(op, 0)


def _stopping(op: Op, neutral: int) -> Op:
    """Join flags from left to right up to the first constant that decides (short circuit)."""
    rest: list[Op] = []
    for arg in _flat(op):
        value = constant(arg)
        if value == neutral:
            continue
        rest.append(arg)
        if value is not None:
            break
    if not rest:
        return literal("flag", neutral)
    return rest[0] if len(rest) == 1 else Op(op.name, "flag", tuple(rest))


def _deny(op: Op, board: Topology) -> Op | None:
    inner = op.args[0]
    value = constant(inner)
    if value is not None:
        return literal("flag", 1 - value)
    if has_role(inner, "complement"):
        return inner.args[0]
    return Op(OPPOSITES[inner.name], "flag", inner.args) if inner.name in OPPOSITES else None


def _arithmetic(op: Op, board: Topology) -> Op | None:
    values = _numbers(op)
    if values is None or divides_by_zero(op, values):
        return None
    result = ARITHMETIC[op.name](values)
    return literal("number", result) if INTEGER_MIN <= result <= INTEGER_MAX else None


def _when(op: Op, board: Topology) -> Op | None:
    value = constant(op.args[0])
    return None if value is None else next(iter(op.args[1:2] if value else op.args[2:]), NOTHING)


def _compare(op: Op, board: Topology) -> Op | None:
    if has_role(op, "equality") and all(map(is_constant, op.args)):
        return literal("flag", int(op.args[0].value == op.args[1].value))
    values = _numbers(op)
    if values is None:
        return None
    if values[0] == values[1]:
        return literal("flag", int(is_reflexive(op)))
    return literal("flag", int(has_role(op, "order") and values[0] < values[1]))


def _rows(op: Op, board: Topology) -> Op | None:
    return _band(op, board, 0)


def _columns(op: Op, board: Topology) -> Op | None:
    return _band(op, board, 1)


def _band(op: Op, board: Topology, axis: int) -> Op | None:
    bounds = _numbers(op)
    if bounds is None:
        return None
    places = enumerate(board.coordinates)
    return literal("cells", sum(1 << i for i, c in places if bounds[0] <= c[axis] <= bounds[1]))


def _count(op: Op, board: Topology) -> Op | None:
    value = constant(op.args[0])
    return None if value is None else literal("number", value.bit_count())


# The complements of flags.
OPPOSITES = MappingProxyType({"any": "none", "none": "any"})

RULES: MappingProxyType[str, Rule] = MappingProxyType(
    {
        "and": _and,
        "or": _or,
        "minus": _minus,
        "not": _not,
        "single": _single,
        "just": _just,
        "all_directions": _all_directions,
        "opposite": _opposite,
        "turned": _turned,
        "turned_one": _turned_one,
        "by_side": _by_side,
        "chosen": _select_choice,
        "by_kind": _by_kind,
        "if": _if,
        "when": _when,
        "both": _both,
        "either": _either,
        "deny": _deny,
        "equal": _compare,
        "less": _compare,
        "at_most": _compare,
        "rows": _rows,
        "columns": _columns,
        "count": _count,
        **dict.fromkeys(ARITHMETIC, _arithmetic),
    }
)
