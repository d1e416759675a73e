"""The roles of operations: analyses recognise the nodes of expressions by these, not by names.

An operation that is added with a role takes part in every analysis of that role. See decision 091.
"""

from collections.abc import Iterator
from typing import Literal

from rulesengine.language.ir.ops import OPS, Op, bound, walk
from rulesengine.language.ir.scripted_ops import SCRIPTED
from rulesengine.language.ir.signature import Role


def role_of(op: Op) -> Role | Literal[""]:
    """Return the role of an operation by its row, empty for an operation without one."""
    row = OPS.get(op.name) or SCRIPTED.get(op.name)
    return row.role if row else ""


def has_role(op: Op, *roles: Role) -> bool:
    """True if an operation has one of these roles."""
    return role_of(op) in roles


def is_constant(op: Op, *values: int) -> bool:
    """True if an operation is a constant, and one of these values if there are any."""
    return has_role(op, "constant") and (not values or op.value in values)


def constant(op: Op) -> int | None:
    """Return the value of a constant other than a text; None for other operations."""
    return op.value if isinstance(op.value, int) and has_role(op, "constant") else None


def is_variable(op: Op, *names: str) -> bool:
    """True if an operation is a variable, with one of these names if there are any."""
    return has_role(op, "variable") and (not names or op.value in names)


def is_read_elsewhere(op: Op) -> bool:
    """True if the last operand of an operation is read in another position, with the same type."""
    row = OPS.get(op.name)
    if row is None or not op.args or op.args[-1].type != op.type:
        return False
    return not row.reads.isdisjoint(("future", "past")) or "elsewhere" in row.laws


def reads_role(op: Op, *roles: Role) -> bool:
    """True if an operation has one of these roles or contains one that has."""
    return any(has_role(inner, *roles) for inner in walk(op))


def reads_variable(op: Op, *names: str) -> bool:
    """True if an operation is or contains a variable with one of these names."""
    return any(is_variable(inner, *names) for inner in walk(op))


def is_single(op: Op, *names: str) -> bool:
    """True if a set has the value of a variable as its only member."""
    return has_role(op, "singleton") and is_variable(op.args[0], *names)


def is_whole_board(op: Op) -> bool:
    """True if an operation is the name of the set of all cells."""
    return op.type == "cells" and op.value == "all" and has_role(op, "name")


def parts_of(op: Op, role: Role) -> Iterator[Op]:
    """Yield the operands of nested operations with a role, or the operation if it has another."""
    if has_role(op, role):
        for arg in op.args:
            yield from parts_of(arg, role)
    else:
        yield op


def alternatives(op: Op) -> tuple[Op, ...]:
    """Return the operations of which a selection has the value of one; else none."""
    return op.args[1:] if has_role(op, "selection") else ()


def goes_by_adjacency(op: Op) -> bool:
    """True if an operation follows the adjacency of the board in all directions."""
    is_near = has_role(op, "neighbourhood", "closure")
    return is_near and not any(arg.type == "directions" for arg in op.args)


def selector_type(op: Op) -> str:
    """Return the type of the operand by which a selection selects, else an empty text."""
    row = OPS.get(op.name)
    return row.args[0] if row and row.role == "selection" else ""


def is_by_side(op: Op) -> bool:
    """True if an operation selects one of its operands by a side."""
    return selector_type(op) == "side"


def is_by_kind(op: Op) -> bool:
    """True if an operation selects one of its operands by a kind of piece."""
    return selector_type(op) == "kind"


def is_conditional(op: Op) -> bool:
    """True if an operation selects one of its operands by a flag."""
    return selector_type(op) == "flag"


def is_of_side(op: Op) -> bool:
    """True if a set has the pieces of a side, its operand."""
    return has_role(op, "pieces") and op.args[0].type == "side"


def is_of_kind(op: Op) -> bool:
    """True if a set has the pieces of a kind, its operand."""
    return has_role(op, "pieces") and op.args[0].type == "kind"


def is_owner(op: Op) -> bool:
    """True if an operation returns the owner of the piece on a cell, its operand."""
    return has_role(op, "attribute") and op.type == "side"


def is_reflexive(op: Op) -> bool:
    """True if a comparison holds for equal operands."""
    row = OPS.get(op.name)
    return row is not None and "reflexive" in row.laws


def loop_function(op: Op) -> str:
    """Return the function of a loop that returns a value, such as `where`, else an empty text."""
    return op.value[0] if bound(op) and op.type != "effect" and isinstance(op.value, tuple) else ""


def domain_type(op: Op) -> str:
    """Return the type of the domain of a loop, such as `cells`, else an empty text."""
    return op.value[2] if bound(op) and isinstance(op.value, tuple) and len(op.value) > 2 else ""


def is_filter(op: Op) -> bool:
    """True if an operation selects the cells of a set that satisfy a condition."""
    return loop_function(op) == "where" and domain_type(op) == "cells"
