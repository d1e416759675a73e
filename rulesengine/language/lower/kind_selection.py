"""Selections by kind move outwards, so that sets are computed from constants in each case.

`shift(from, steps of kind(from))` is a shift in unknown directions; after the pass it is one of
several shifts in constant directions.
"""

from rulesengine.language.ir.ops import Op, literal, walk
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    domain_type,
    has_role,
    is_by_kind,
    is_by_side,
    is_constant,
    is_single,
    is_variable,
    loop_function,
)
from rulesengine.support.frozen import replace


def hoist(op: Op) -> Op | None:
    """Return a selection of operations for an operation on selections by one kind; else None."""
    if not (has_role(op, "shift", "join") or _is_union(op)):
        return None
    places = [i for i, arg in enumerate(op.args) if is_by_kind(arg) and _is_movable(op, i)]
    if not places or len({op.args[i].args[0] for i in places}) > 1:
        return None
    first = op.args[places[0]]
    if any(len(op.args[i].args) != len(first.args) for i in places):
        return None
    cases = [_case(op, places, number) for number in range(len(alternatives(first)))]
    return Op(first.name, op.type, (first.args[0], *cases), first.value)


def _is_movable(op: Op, place: int) -> bool:
    """True if a selection among operands can move out of an operation."""
    arg = op.args[place]
    if has_role(op, "join"):
        others = [a for i, a in enumerate(op.args) if i != place]
        return op.type == "cells" and any(is_by_kind(a) for a in others)
    is_domain = not _is_union(op) or place == 0
    return is_domain and all(map(_is_fixed, alternatives(arg)))


def _is_union(op: Op) -> bool:
    """True if an operation is the union of the sets of some directions."""
    return loop_function(op) == "union" and domain_type(op) == "directions"


def _is_fixed(op: Op) -> bool:
    """True if a value depends only on `player`, the side that reads it."""
    return all(is_constant(o) or is_by_side(o) or is_variable(o, "player") for o in walk(op))


def _case(op: Op, places: list[int], number: int) -> Op:
    """Return the operation for one kind."""
    args = [alternatives(arg)[number] if i in places else arg for i, arg in enumerate(op.args)]
    case = replace(op, args=tuple(args))
    if _is_union(case) and constant(case.args[0]) == 0:
        return literal("cells", 0)
    if has_role(case, "shift") and is_single(case.args[0]) and constant(case.args[-1]) == 0:
        return literal("cells", 0)
    if has_role(case, "join") and any(constant(arg) == 0 for arg in args):
        rest = [arg for arg in args if constant(arg) != 0]
        return rest[0] if len(rest) == 1 else literal("cells", 0) if not rest else case
    return case
