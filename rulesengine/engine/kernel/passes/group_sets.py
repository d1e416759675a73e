"""Loops over connected groups as set operations: the groups that satisfy a condition, as one set.

The groups that a set meets are a fill from it. Other conditions are combinations of such sets,
since a set that consists of whole groups has a complement that does. See decision 179.
"""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.kernel.passes.images import Images
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    constant,
    domain_type,
    has_role,
    is_conditional,
    is_variable,
    loop_function,
    role_of,
)
from rulesengine.language.ir.rules import rewrite
from rulesengine.support.frozen import replace


def lift_group_loops(program: Program) -> Program:
    """Return a program with set operations instead of loops over groups, where possible."""
    return replace(program, rules=rewrite(program.rules, GroupSets(program).rewritten))


class GroupSets(Images):
    """The sets of groups of one program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._memo: dict[int, tuple[Op, Op]] = {}

    def rewritten(self, op: Op) -> Op:
        """Rewrite the loops over groups inside an operation, memoised."""
        if id(op) not in self._memo:
            args = tuple(map(self.rewritten, op.args))
            same = all(a is b for a, b in zip(args, op.args, strict=True))
            new = op if same else replace(op, args=args)
            self._memo[id(op)] = op, self._as_sets(new) or self._with_largest(new)
        return self._memo[id(op)][1]

    def _as_sets(self, op: Op) -> Op | None:
        """Return a loop over groups as set operations; None for other operations."""
        if domain_type(op) != "groups" or not isinstance(op.value, tuple):
            return None
        cells, body = op.args
        if self.facts.may_fail(cells) or self.facts.may_fail(body):
            return None
        function, name = loop_function(op), str(op.value[1])
        if function == "union":
            return self._union(body, name, cells)
        if function == "every":
            body = make("deny", body)
        if function not in _JOINED:
            return None
        satisfying = self.satisfying(body, name, cells)
        if satisfying is not None and _JOINED[function]:
            return self.build(_JOINED[function], satisfying)
        return self._restricted(op, body, name, cells, satisfying)

    def _with_largest(self, op: Op) -> Op:
        """Replace a bound for the largest number of some groups by one for any of them.

        Another part of the condition must state that there are groups; else the number is an error.
        """
        if not has_role(op, "meet") or op.type != "flag":
            return op
        there, args = set[Op](), []
        for arg in op.args:
            args.append(self._some_group(arg, there))
            there.update(arg.args if has_role(arg, "nonempty") else ())
        loops = {arg.args[0] for arg in args if arg not in op.args}
        others = [a for a in args if not (has_role(a, "nonempty") and a.args[0] in loops)]
        return others[0] if len(others) == 1 else replace(op, args=tuple(others))

    def _some_group(self, flag: Op, there: set[Op]) -> Op:
        """Return `any(g, c <= n)` for `c <= most(g, n)` if there are groups, else the flag."""
        if not has_role(flag, "order") or constant(flag.args[0]) is None:
            return flag
        most = flag.args[1]
        if loop_function(most) != "most" or domain_type(most) != "groups":
            return flag
        cells, number = most.args
        if cells not in there or self.facts.may_fail(number) or not isinstance(most.value, tuple):
            return flag
        body = replace(flag, args=(flag.args[0], number))
        return Op("each", "flag", (cells, body), ("any", *most.value[1:]))

    def _restricted(self, op: Op, body: Op, name: str, cells: Op, result: Op | None) -> Op | None:
        """Return the loop over those groups only that satisfy the parts of its condition that are
        sets.
        """
        if result is not None:
            return replace(op, args=(result, literal("flag", 1)))
        if not has_role(body, "meet") or loop_function(op) == "every":
            return None
        sets = [(part, self.satisfying(part, name, cells)) for part in body.args]
        unsupported = [part for part, known in sets if known is None]
        unions = [known for _, known in sets if known is not None]
        if not unions:
            return None
        body = unsupported[0] if len(unsupported) == 1 else replace(body, args=tuple(unsupported))
        return replace(op, args=(self.build("and", *unions), body))

    def _union(self, body: Op, name: str, cells: Op) -> Op | None:
        """Return the union of the values of an expression over groups."""
        if is_conditional(body):
            flag, yes, no = body.args
            satisfying = self.satisfying(flag, name, cells)
            if satisfying is not None:
                parts = [
                    self._union(yes, name, satisfying),
                    self._union(no, name, self.build("minus", cells, satisfying)),
                ]
                return self.joined("or", parts)
        return self.image(body, name, cells)

    def satisfying(self, flag: Op, name: str, cells: Op) -> Op | None:
        """Return the union of the groups of a set that satisfy a condition; None if unsupported."""
        if not self.reads(flag, name):
            return self.build("if", flag, cells, self.none)
        match role_of(flag):
            case "meet" | "join" as role:
                parts = [self.satisfying(arg, name, cells) for arg in flag.args]
                return self.joined("and" if role == "meet" else "or", parts)
            case "complement":
                return self.others(self.satisfying(flag.args[0], name, cells), cells)
            case "nonempty":
                return self.meeting(flag.args[0], name, cells)
            case "void":
                return self.others(self.meeting(flag.args[0], name, cells), cells)
            case "membership" if flag.args[1].type == "cells" and not self.reads(
                flag.args[0], name
            ):
                single = self.build("and", self.build("single", flag.args[0]), flag.args[1])
                return self.meeting(single, name, cells)
            case "inclusion" if not self.reads(flag.args[1], name):
                outside = self.build("minus", flag.args[0], flag.args[1])
                return self.others(self.meeting(outside, name, cells), cells)
            case "order" | "equality":
                return self._compared(flag, name, cells)
        return None

    def others(self, excluded: Op | None, cells: Op) -> Op | None:
        return None if excluded is None else self.build("minus", cells, excluded)

    def meeting(self, op: Op, name: str, cells: Op) -> Op | None:
        """Return the groups for which a set is not empty."""
        meeting_cells = self.preimage(op, name, self.all)
        if meeting_cells is None:
            return None
        return self.build("fill", self.build("and", meeting_cells, cells), cells)

    def _compared(self, flag: Op, name: str, cells: Op) -> Op | None:
        """Return the groups with a set of a size, compared with a constant number."""
        for place, (size, bound) in enumerate((flag.args, flag.args[::-1])):
            limit = constant(bound)
            if has_role(size, "size") and limit is not None and bound.type == "number":
                many = _Sizes(self, size.args[0], name, cells)
                return _COMPARED[flag.name, place](many, limit)
        return None


class _Sizes:
    """The groups of `cells` for which a set has at least a number of cells."""

    def __init__(self, sets: GroupSets, op: Op, name: str, cells: Op) -> None:
        self.sets, self.op, self.name, self.cells = sets, op, name, cells

    def at_least(self, number: int) -> Op | None:
        """Return the groups with at least so many cells in the set; None if unsupported."""
        if number <= 0:
            return self.cells
        if number == 1:
            return self.sets.meeting(self.op, self.name, self.cells)
        if number > 2:
            return None
        if is_variable(self.op, self.name):
            return self.sets.build("and", self.cells, make("neighbours", self.cells))
        free = self._adjacent_in()
        if free is None:
            return None
        return make("components", self.cells, free, value="several")

    def _adjacent_in(self) -> Op | None:
        """Return the set of which the operation has the cells adjacent to the group."""
        parts = self.op.args if has_role(self.op, "meet") else (self.op,)
        near = [part for part in parts if self.sets.reads(part, self.name)]
        if len(near) != 1 or not has_role(near[0], "neighbourhood"):
            return None
        if len(near[0].args) > 1 or not is_variable(near[0].args[0], self.name):
            return None
        others = [part for part in parts if part is not near[0]]
        return self.sets.build("and", *others) if others else self.sets.all

    def fewer(self, number: int) -> Op | None:
        return self.sets.others(self.at_least(number), self.cells)

    def exactly(self, number: int) -> Op | None:
        parts = [self.at_least(number), self.at_least(number + 1)]
        known = [part for part in parts if part is not None]
        return self.sets.build("minus", *known) if len(known) == len(parts) else None


# The set of a comparison of a size (the first or the second operand) with a number.
_COMPARED: MappingProxyType[tuple[str, int], Callable[[_Sizes, int], Op | None]] = MappingProxyType(
    {
        ("less", 0): _Sizes.fewer,
        ("less", 1): lambda sizes, number: sizes.at_least(number + 1),
        ("at_most", 0): lambda sizes, number: sizes.fewer(number + 1),
        ("at_most", 1): _Sizes.at_least,
        ("equal", 0): _Sizes.exactly,
        ("equal", 1): _Sizes.exactly,
    }
)
# The flag of a loop by the set of the groups that satisfy its condition; empty for a number.
_JOINED = MappingProxyType({"any": "any", "none": "none", "every": "none", "count": ""})
