"""Proofs about a program without playing: empty sets and conditions that never hold.

Every proved statement is true in every position; a statement without a proof stays undecided.
"""

from collections.abc import Iterator

from rulesengine.language.ir.ops import Op, has_trait
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    constant,
    domain_type,
    has_role,
    is_constant,
    is_reflexive,
    loop_function,
    role_of,
)
from rulesengine.language.ir.rules import End, Group
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

# The most queries about one program; the rest stays undecided.
_QUESTIONS = 20_000
_ANY = (INTEGER_MIN, INTEGER_MAX)
# Loops that give nothing where they go through no cell.
_OF_DOMAIN = ("where", "union", "reach")


class Proofs:
    """A prover of properties of one program's operations."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.cells = program.topology.cells
        self.registers = {r.name: (r.low, r.high) for r in program.rules.registers}
        self.longest = max(map(len, program.topology.lines), default=self.cells)
        places = (*program.topology.coordinates, *program.topology.screen)
        self.remaining = _QUESTIONS
        self._numbers: dict[int, tuple[Op, int]] = {}
        self._memo: dict[tuple[object, ...], int] = {}
        self.farthest = 1 + max(max(place) for place in places)

    def never_applies(self, group: Group) -> bool:
        """True if a group has no step in any position."""
        needed = [op for op in (group.along, group.origin, group.target) if op is not None]
        if any(_is_zero(op) if op.type == "directions" else self.is_empty(op) for op in needed):
            return True
        return group.when is not None and self.truth(group.when) is False

    def never_holds(self, end: End) -> bool:
        """True if an end decides no position."""
        return self.truth(end.when) is False

    def repeats(self, number: int) -> bool:
        """True if an earlier end, which decides first, has the same condition.

        A claim need not be made, so that a later end may decide.
        """
        ends = self.program.rules.ends
        earlier = (end for end in ends[:number] if not end.claim or ends[number].claim)
        return self.number(ends[number].when) in [self.number(end.when) for end in earlier]

    def is_empty(self, op: Op) -> bool:
        """True if a set has no cell in any position."""
        self.remaining -= 1
        if self.remaining < 0:
            return False
        if is_constant(op):
            return op.value == 0
        if has_role(op, "line") and self.bounds(op.args[1])[0] > self.longest:
            return True
        if has_role(op, "difference") and self.within(op.args[0], op.args[1]):
            return True
        if any(self.is_empty(arg) for arg in _emptying(op)):
            return True
        if has_role(op, "join"):
            return all(map(self.is_empty, op.args))
        if has_role(op, "meet"):
            pairs = [(a, b) for i, a in enumerate(op.args) for b in op.args[i + 1 :]]
            return any(self.are_disjoint(a, b) for a, b in pairs)
        if loop_function(op) in _OF_DOMAIN:
            never = loop_function(op) == "where" and self.truth(op.args[1]) is False
            return never or (domain_type(op) == "cells" and self.is_empty(op.args[0]))
        return False

    def are_disjoint(self, one: Op, other: Op) -> bool:
        """True if two sets are disjoint in every position."""
        self.remaining -= 1
        if self.remaining < 0:
            return False
        left, right = constant(one), constant(other)
        if left is not None and right is not None:
            return left & right == 0
        roles = {role_of(one), role_of(other)}
        if roles == {"vacancy", "pieces"}:
            return True
        if roles == {"pieces"} and one.args[0].type == other.args[0].type:
            return self._different(one.args[0], other.args[0])
        return self._within_less(one, other) or self._within_less(other, one)

    def _within_less(self, one: Op, other: Op) -> bool:
        """True if one set is a subset of a set that is disjoint from the other."""
        if has_role(one, "complement"):
            return self.within(other, one.args[0])
        if has_role(one, "difference"):
            return self.within(other, one.args[1]) or self.are_disjoint(one.args[0], other)
        if has_role(one, "meet"):
            return any(self.are_disjoint(a, other) for a in one.args)
        return has_role(one, "join") and all(self.are_disjoint(a, other) for a in one.args)

    def within(self, small: Op, large: Op) -> bool:
        """True if one set is a subset of the other in every position."""
        self.remaining -= 1
        if self.remaining < 0:
            return False
        if self.number(small) == self.number(large) or self.is_empty(small):
            return True
        if has_role(large, "join") and any(self.within(small, a) for a in large.args):
            return True
        if has_role(large, "complement") and self.are_disjoint(small, large.args[0]):
            return True
        if has_role(small, "difference"):
            return self.within(small.args[0], large)
        return has_role(small, "meet") and any(self.within(a, large) for a in small.args)

    def _different(self, one: Op, other: Op) -> bool:
        """True if two sides or kinds always differ."""
        if is_constant(one) and is_constant(other):
            return one.value != other.value
        a, b = self.number(one), self.number(other)
        follows = (has_role(one, "successor") and self.number(one.args[0]) == b) or (
            has_role(other, "successor") and self.number(other.args[0]) == a
        )
        return follows and len(self.program.rules.players) > 1

    def number(self, op: Op) -> int:
        """Return a value number: equal for operations that are structurally equal, and only for
        those.
        """
        if id(op) not in self._numbers:
            key = op.name, op.type, op.value, *(self.number(arg) for arg in op.args)
            self._numbers[id(op)] = op, self._memo.setdefault(key, len(self._memo))
        return self._numbers[id(op)][1]

    def truth(self, op: Op) -> bool | None:
        """Return the value of a condition if it is the same in every position, otherwise None."""
        match role_of(op):
            case "constant":
                return bool(op.value)
            case "nonempty":
                return self._has_a_cell(op.args[0])
            case "void":
                return _opposite(self._has_a_cell(op.args[0]))
            case "complement":
                return _opposite(self.truth(op.args[0]))
            case "meet":
                return self._joined(op, deciding=False)
            case "join":
                return self._joined(op, deciding=True)
            case "order" | "equality" if op.args[0].type == "number":
                return self._compared(op)
        return None

    def _has_a_cell(self, op: Op) -> bool | None:
        if is_constant(op) and op.value:
            return True
        return False if self.is_empty(op) else None

    def _joined(self, op: Op, *, deciding: bool) -> bool | None:
        parts = [self.truth(arg) for arg in op.args]
        if deciding in parts:
            return deciding
        return not deciding if all(part is not None for part in parts) else None

    def _compared(self, op: Op) -> bool | None:
        (low, high), (least, most) = self.bounds(op.args[0]), self.bounds(op.args[1])
        if has_role(op, "equality"):
            return False if high < least or most < low else None
        strict = not is_reflexive(op)
        if high < least or (high == least and not strict):
            return True
        return False if low > most or (low == most and strict) else None

    def bounds(self, op: Op) -> tuple[int, int]:
        """Return lower and upper bounds of a number."""
        match role_of(op):
            case "constant" if isinstance(op.value, int):
                return op.value, op.value
            case "size":
                return 0, self.cells
            case "clock" | "repetition" | "age":
                return 0, INTEGER_MAX
            case "cell register" if isinstance(op.value, tuple):
                return self.registers.get(str(op.value[0]), _ANY)
            case "register":
                return self.registers.get(str(op.value), _ANY)
            case "coordinate":
                return 1, self.farthest
        return _ANY


def _opposite(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _emptying(op: Op) -> Iterator[Op]:
    """Yield the operands that make the result of an operation empty if they are empty."""
    for number, arg in enumerate(op.args):
        if arg.type == "cells" and (
            has_trait(op, "additive", number) or has_trait(op, "contains", number)
        ):
            yield arg


def _is_zero(op: Op) -> bool:
    return is_constant(op, 0)
