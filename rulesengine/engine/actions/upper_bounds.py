"""Upper bounds of expressions over all states: the cells that a set may contain.

An abstract interpretation (Cousot and Cousot, 1977) over sets of values. A set of cells represents
all its subsets, a set of flags the possible values. Expressions that depend on the board alone are
evaluated by the interpreter; for all others the bounds are conservative.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import OPS, Op, literal
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.signature import Role

Values = Mapping[str, int]

# A flag as a set of possible values.
_FALSE, _TRUE, _EITHER = 1, 2, 3
# Roles of operations that evaluate all operands with the variables of the operation itself.
_PLAIN: tuple[Role, ...] = (
    *("meet", "join", "complement", "difference"),
    *("nonempty", "void", "membership"),
)
# Operations on sets that are monotone in all operands.
_GROWING = frozenset(
    name
    for name, row in OPS.items()
    if row.result == "cells"
    and all(type.rstrip("*?") in ("cells", "directions") for type in row.args)
    and row.args
    and all(row.has("monotone", number) for number in range(len(row.args)))
    and not row.by_passes
)


class UpperBounds:
    """Upper bounds of the operations of a program, with values for some variables.

    The bound of cells and directions is the set of possible ones; that of a flag is 1 for false
    plus 2 for true. Numbers, sides, kinds and texts have no bound unless they are fixed.
    """

    def __init__(self, machine: Interpreter) -> None:
        self._machine = machine
        self._facts = Facts(machine.program)
        self._state = machine.initial_state()
        topology = machine.program.topology
        self._all = {
            "cells": (1 << topology.cells) - 1,
            "cell": (1 << topology.cells) - 1,
            "directions": (1 << len(topology.directions)) - 1,
            "direction": (1 << len(topology.directions)) - 1,
            "flag": _EITHER,
        }
        self._memo: dict[tuple[int, tuple[tuple[str, int], ...]], tuple[Op, int]] = {}

    def most(self, op: Op, at: Values) -> int:
        """Return the set of all cells, directions or flags that an operation can return."""
        read = self._facts.variables(op)
        key = id(op), tuple((name, value) for name, value in at.items() if name in read)
        if key not in self._memo:
            self._memo[key] = op, self._most(op, at)
        return self._memo[key][1]

    def variables(self, op: Op) -> frozenset[str]:
        """Return the variables that an operation reads."""
        return self._facts.variables(op)

    def fixed(self, op: Op, at: Values) -> int | None:
        """Return the value of an operation if it is the same in every state, else None."""
        if not self._facts.is_fixed(op) or not self._facts.variables(op) <= at.keys():
            return None
        try:
            return int(self._machine.evaluate_in(op, Frame(self._state, dict(at))))
        except EvaluationError:
            return None

    def substitute(self, op: Op, at: Values) -> Op:
        """Replace the sets that these values determine by literals."""
        value = self.fixed(op, at) if op.type == "cells" else None
        if value is not None:
            return literal("cells", value)
        if not has_role(op, *_PLAIN):
            return op
        return Op(op.name, op.type, tuple(self.substitute(arg, at) for arg in op.args), op.value)

    def _most(self, op: Op, at: Values) -> int:
        value = self.fixed(op, at)
        if value is not None:
            is_set = op.type in ("cells", "directions")
            return value if is_set else 1 << value if value >= 0 else 0
        rule = _RULES.get(op.name)
        most = self._all.get(op.type, 0)
        return rule(self, op, at) & most if rule else most

    def least(self, op: Op, at: Values) -> int:
        """Return cells that are in a set in every state."""
        if has_role(op, "join"):
            return self._union(self.least, op, at)
        if has_role(op, "meet"):
            return self._common(self.least, op, at)
        return self.fixed(op, at) or 0

    def _union(self, bound: Callable[[Op, Values], int], op: Op, at: Values) -> int:
        cells = 0
        for arg in op.args:
            cells |= bound(arg, at)
        return cells

    def _common(self, bound: Callable[[Op, Values], int], op: Op, at: Values) -> int:
        cells = self._all["cells"]
        for arg in op.args:
            cells &= bound(arg, at)
        return cells

    # sets of cells

    def _or(self, op: Op, at: Values) -> int:
        return self._union(self.most, op, at)

    def _and(self, op: Op, at: Values) -> int:
        return self._common(self.most, op, at)

    def _minus(self, op: Op, at: Values) -> int:
        return self.most(op.args[0], at) & ~self.least(op.args[1], at)

    def _not(self, op: Op, at: Values) -> int:
        return ~self.least(op.args[0], at)

    def _first(self, op: Op, at: Values) -> int:
        return self.most(op.args[0], at)

    def _grown(self, op: Op, at: Values) -> int:
        """Evaluate a monotone operation on the bounds of its operands."""
        args = tuple(literal(arg.type, self.most(arg, at)) for arg in op.args)
        return int(
            self._machine.evaluate_in(Op(op.name, op.type, args, op.value), Frame(self._state, {}))
        )

    def _run(self, op: Op, at: Values) -> int:
        """Return the bound of the cells of a run: all cells that a slide reaches through them."""
        start, over = (self.most(arg, at) for arg in op.args[:2])
        directions = self.most(op.args[5], at) if len(op.args) > 5 else self._all["directions"]
        cells = self._machine.evaluator.geometry.slide(start, directions, over)
        return cells & over

    def _loop_bound(self, op: Op, at: Values) -> int:
        assert isinstance(op.value, tuple)
        function, name, domain, _ = op.value
        if domain not in ("cells", "directions") or function not in ("where", "union"):
            return self._all[op.type]
        values = list(bits(self.most(op.args[0], at)))
        if function == "where":
            return sum(1 << v for v in values if self.may_be_true(op.args[1], {**at, name: v}))
        cells = 0
        for value in values:
            cells |= self.most(op.args[1], {**at, name: value})
        return cells

    def _if(self, op: Op, at: Values) -> int:
        may = self.most(op.args[0], at)
        first, second = (self.most(arg, at) for arg in op.args[1:])
        return (first if may & _TRUE else 0) | (second if may & _FALSE else 0)

    def _one_of(self, op: Op, at: Values) -> int:
        return self._union(self.most, Op(op.name, op.type, op.args[1:], op.value), at)

    # flags

    def may_be_true(self, op: Op, at: Values) -> bool:
        return bool(self.most(op, at) & _TRUE)

    def _both(self, op: Op, at: Values) -> int:
        flags = [self.most(arg, at) for arg in op.args]
        every = _TRUE if all(f & _TRUE for f in flags) else 0
        return every | (_FALSE if any(f & _FALSE for f in flags) else 0)

    def _either(self, op: Op, at: Values) -> int:
        flags = [self.most(arg, at) for arg in op.args]
        some = _TRUE if any(f & _TRUE for f in flags) else 0
        return some | (_FALSE if all(f & _FALSE for f in flags) else 0)

    def _deny(self, op: Op, at: Values) -> int:
        return _swapped(self.most(op.args[0], at))

    def _any(self, op: Op, at: Values) -> int:
        some = _TRUE if self.most(op.args[0], at) else 0
        return some | (0 if self.least(op.args[0], at) else _FALSE)

    def _none(self, op: Op, at: Values) -> int:
        return _swapped(self._any(op, at))

    def _member(self, op: Op, at: Values) -> int:
        one, many = (self.most(arg, at) for arg in op.args)
        return _EITHER if one & many else _FALSE


def _swapped(flags: int) -> int:
    return (flags & _FALSE) << 1 | flags >> 1


_RULES: MappingProxyType[str, Callable[[UpperBounds, Op, Values], int]] = MappingProxyType(
    {
        **dict.fromkeys(_GROWING, UpperBounds._grown),
        "or": UpperBounds._or,
        "and": UpperBounds._and,
        "minus": UpperBounds._minus,
        "not": UpperBounds._not,
        "single": UpperBounds._first,
        "first": UpperBounds._first,
        "last": UpperBounds._first,
        "just": UpperBounds._first,
        "run": UpperBounds._run,
        "line": UpperBounds._first,
        "each": UpperBounds._loop_bound,
        "if": UpperBounds._if,
        "chosen": UpperBounds._one_of,
        "by_side": UpperBounds._one_of,
        "both": UpperBounds._both,
        "either": UpperBounds._either,
        "deny": UpperBounds._deny,
        "any": UpperBounds._any,
        "none": UpperBounds._none,
        "member": UpperBounds._member,
        "has_direction": UpperBounds._member,
    }
)
