"""Vectorisation of conditions on each cell: `where(x in own, x in top)` becomes `own and top`.

This is the flattening of nested data-parallel loops (Blelloch and Sabot, 1990), with a set of cells
as the vector. A condition is rewritten by the shape of its parts; other conditions remain loops.
"""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.passes.images import Images
from rulesengine.engine.kernel.passes.preimage import PLAYER
from rulesengine.engine.kernel.passes.tallies import Tallies
from rulesengine.language.ir.ops import Op, contained_in, literal, make, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    domain_type,
    has_role,
    is_conditional,
    is_of_kind,
    is_owner,
    is_variable,
    loop_function,
)
from rulesengine.language.ir.rules import rewrite
from rulesengine.support.frozen import replace


def vectorise_conditions(program: Program) -> Program:
    """Return a program with set operations instead of loops over cells, where possible."""
    return replace(program, rules=rewrite(program.rules, Vectoriser(program).rewritten))


class Vectoriser(Images):
    """The vectorisation of the operations of one program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._memo: dict[int, tuple[Op, Op]] = {}

    def rewritten(self, op: Op) -> Op:
        """Rewrite the loops inside an operation as set operations, memoised."""
        if id(op) not in self._memo:
            self._memo[id(op)] = op, self._rewrite_loop(op)
        return self._memo[id(op)][1]

    def _rewrite_loop(self, op: Op) -> Op:
        lifted = self._cells(op) or self._some_row(op)
        if lifted is not None:
            return self.rewritten(lifted)
        args = tuple(map(self.rewritten, op.args))
        if args == op.args:
            return op
        changed = Op(op.name, op.type, args, op.value)
        return self._cells(changed) or changed

    def _cells(self, op: Op) -> Op | None:
        """Rewrite a loop over cells as set operations; None for any other operation."""
        if not loop_function(op) or domain_type(op) != "cells" or not isinstance(op.value, tuple):
            return None
        if op.value[0] == "union":
            return self.image(op.args[1], str(op.value[1]), op.args[0])
        if op.value[0] == "reach":
            return self._closure(op, str(op.value[1]))
        if op.value[0] == "sum":
            return self._total(op.args[0], op.args[1], str(op.value[1]))
        loop = _LOOPS.get(str(op.value[0]))
        cells = self.satisfying_cells(op.args[1], str(op.value[1])) if loop else None
        return loop(self, op.args[0], cells) if loop and cells else None

    def _some_row(self, op: Op) -> Op | None:
        """Rewrite the test for a run from any cell of a set as a test of these cells."""
        if not has_role(op, "nonempty", "void") or not has_role(op.args[0], "row"):
            return None
        start = op.args[0].args[0]
        if self._is_small(start) or self.facts.may_fail(op):
            return None
        begins = self.first_cells(op.args[0])
        return begins and self.build(op.name, begins)

    def _is_small(self, cells: Op) -> bool:
        """True if a set is a cell or pieces of one of several kinds: these have few rays."""
        several = len(self.program.rules.kinds) > 1
        return any(has_role(op, "singleton") or (several and is_of_kind(op)) for op in walk(cells))

    def _closure(self, op: Op, name: str) -> Op | None:
        """Rewrite a closure to expand its whole frontier in each round."""
        assert isinstance(op.value, tuple)
        frontier = Op("variable", "cells", (), name)
        body = self.image(op.args[1], name, frontier)
        if body is None:
            return None
        return replace(op, args=(op.args[0], body), value=(*op.value[:2], "frontier", op.value[3]))

    def _total(self, domain: Op, number: Op, name: str) -> Op | None:
        """Rewrite a sum of the numbers at the cells of a domain as `total`."""
        if not _is_number_at(number, name):
            return None
        assert isinstance(number.value, tuple)
        return make("total", domain, value=number.value[0])

    def satisfying_cells(self, question: Op, name: str) -> Op | None:
        """Return the values of a cell variable that satisfy a condition; None if unsupported."""
        if self.facts.may_fail(question):
            return None
        if not self.reads(question, name):
            return self.build("if", question, self.all, self.none)
        lift = _QUESTIONS.get(question.name)
        lifted = lift(self, question, name) if lift else None
        lifted = lifted or self._constant_cells(question, name)
        if lifted is None and has_role(question, "order", "equality"):
            lifted = Tallies(self, self.satisfying_cells).compared(question, name)
        return lifted

    def _constant_cells(self, question: Op, name: str) -> Op | None:
        """Evaluate a condition for each cell, if it depends on the board and the player alone."""
        others = self.facts.variables(question) - {name}
        if not self.facts.is_fixed(question) or not others <= {"player"}:
            return None
        if not others:
            return self._evaluate_cells(question, {}, name)
        sides = [
            self._evaluate_cells(question, {"player": side}, name) for side in range(self.sides)
        ]
        return self.build("by_side", PLAYER, *sides)

    def _evaluate_cells(self, question: Op, variables: dict[str, int], name: str) -> Op:
        frame, mask = Frame(self.bare_state, dict(variables)), 0
        for cell in range(self.shape.cells):
            frame.variables[name] = cell
            mask |= bool(self.machine.evaluate_in(question, frame)) << cell
        return literal("cells", mask)

    def _flags(self, question: Op, name: str) -> Op | None:
        parts = [self.satisfying_cells(arg, name) for arg in question.args]
        return self.joined("and" if has_role(question, "meet") else "or", parts)

    def _deny(self, question: Op, name: str) -> Op | None:
        return self.inverted(self.satisfying_cells(question.args[0], name))

    def _any(self, question: Op, name: str) -> Op | None:
        cells = question.args[0]
        if is_conditional(cells):
            return self.satisfying_cells(self._some_of_branches(cells), name)
        return self.preimage(cells, name, self.all)

    def _some_of_branches(self, cells: Op) -> Op:
        """Return the condition that the set of a branch has a member.

        If the test is `any` of the first set, and the other set contains it, this is `any` of the
        other set.
        """
        test, then, other = cells.args
        if has_role(test, "nonempty") and test.args[0] == then and other in contained_in(then):
            return make("any", other)
        return make("if", test, make("any", then), make("any", other), type="flag")

    def _none(self, question: Op, name: str) -> Op | None:
        return self.inverted(self.preimage(question.args[0], name, self.all))

    def _member(self, question: Op, name: str) -> Op | None:
        cell, cells = question.args
        if not self.reads(cells, name):
            return cells if is_variable(cell) else None
        if self.reads(cell, name):
            return None
        return self.preimage(cells, name, self.build("single", cell))

    def _equal(self, question: Op, name: str) -> Op | None:
        """Lift `it = cell`, and `owner(it) = side` for a side that is a player."""
        for left, right in (question.args, question.args[::-1]):
            if self.reads(right, name):
                continue
            if is_variable(left) and left.type == "cell":
                return self.build("single", right)
            if _is_number_at(left, name):
                return self._cells_with(left, right, right)
            owned = is_owner(left) and is_variable(left.args[0])
            if owned and self.facts.is_player(right):
                return self.build("owned", right)
        return None

    def _less(self, question: Op, name: str) -> Op | None:
        """Lift `number < bound` and `bound < number` as the complement of `at
        most` or `at least`.
        """
        left, right = question.args
        order = self._in_order(Op("at_most", "flag", (right, left)), name)
        return self.inverted(order)

    def _in_order(self, question: Op, name: str) -> Op | None:
        """Lift `number <= bound` and `bound <= number`."""
        left, right = question.args
        if _is_number_at(left, name) and not self.reads(right, name):
            return self._cells_with(left, None, right)
        if _is_number_at(right, name) and not self.reads(left, name):
            return self._cells_with(right, left, None)
        return None

    def _cells_with(self, number: Op, low: Op | None, high: Op | None) -> Op:
        """Return the cells with a number in a range, which defaults to that of the register."""
        assert isinstance(number.value, tuple)
        least, most = (literal("number", bound) for bound in self.facts.range(number))
        return make("cells_with", low or least, high or most, value=number.value[0])

    def _inside(self, question: Op, name: str) -> Op | None:
        left, right = question.args
        if self.reads(right, name):
            return None
        return self.inverted(self.preimage(left, name, self.build("not", right)))

    def _if(self, question: Op, name: str) -> Op | None:
        flag, yes, no = (self.satisfying_cells(arg, name) for arg in question.args)
        if flag is None or yes is None or no is None:
            return None
        return self.build("or", self.build("and", flag, yes), self.build("minus", no, flag))


def _is_number_at(op: Op, name: str) -> bool:
    """True if an operation is the number at the cell of the variable."""
    return has_role(op, "cell register") and op.args[0] == Op("variable", "cell", (), name)


Question = Callable[[Vectoriser, Op, str], Op | None]

# The lifting of each condition.
_QUESTIONS: MappingProxyType[str, Question] = MappingProxyType(
    {
        "both": Vectoriser._flags,
        "either": Vectoriser._flags,
        "deny": Vectoriser._deny,
        "any": Vectoriser._any,
        "none": Vectoriser._none,
        "member": Vectoriser._member,
        "equal": Vectoriser._equal,
        "less": Vectoriser._less,
        "at_most": Vectoriser._in_order,
        "inside": Vectoriser._inside,
        "if": Vectoriser._if,
    }
)

# The set operation of each loop, from its domain and the cells that satisfy its condition.
_LOOPS: MappingProxyType[str, Callable[[Vectoriser, Op, Op], Op]] = MappingProxyType(
    {
        "where": lambda to, domain, cells: to.build("and", domain, cells),
        "any": lambda to, domain, cells: to.build("any", to.build("and", domain, cells)),
        "none": lambda to, domain, cells: to.build("none", to.build("and", domain, cells)),
        "every": lambda to, domain, cells: to.build("none", to.build("minus", domain, cells)),
        "count": lambda to, domain, cells: to.build("count", to.build("and", domain, cells)),
    }
)
