"""Analyses for memoisation: common subexpressions and loop-invariant operands. See decision 035."""

from typing import TypeVar

from rulesengine.language.ir.ops import OPS, Op, bound
from rulesengine.language.ir.roles import has_role, is_variable
from rulesengine.language.ir.rules import Rules, operations, rewrite
from rulesengine.support.frozen import replace

T = TypeVar("T")
Names = frozenset[str]

# The variable of a script with the values of `once` operations.
MEMO = "memoised values"
_STEP = "the step in hand"
_READ_STEP = frozenset(name for name, row in OPS.items() if "step" in row.reads)
_AT_HAND = frozenset(
    name for name, row in OPS.items() if not row.args and row.reads <= {"variables", "side"}
)
# Their operands are read in another state than that of the expression.
_ELSEWHERE = frozenset(
    name
    for name, row in OPS.items()
    if not row.reads.isdisjoint(("future", "past")) or "elsewhere" in row.laws
)


def marked(value: T, names: Names) -> T:
    """Wrap operands that read neither these variables nor the current step into `once`.

    The interpreter evaluates such an operand on first use and caches it.
    """
    marker = _Marker()
    return rewrite(value, lambda op: marker.mark(op, names | {_STEP}))


def repeated(rules: Rules) -> frozenset[int]:
    """Return the identities of operations with operands that occur repeatedly in the rules."""
    visited, again = set[int](), set[int]()
    left = operations(rules)
    while left:
        op = left.pop()
        if id(op) in visited:
            again.add(id(op))
        elif op.args:
            visited.add(id(op))
            left += op.args
    return frozenset(again)


class _Marker:
    """Wraps operands of shared expression graphs; each operation is visited once."""

    def __init__(self) -> None:
        self._read: dict[int, Names] = {}
        self._marked: dict[tuple[int, Names], Op] = {}

    def mark(self, op: Op, names: Names) -> Op:
        key = id(op), names
        if key not in self._marked:
            self._marked[key] = self._mark(op, names)
        return self._marked[key]

    def _mark(self, op: Op, names: Names) -> Op:
        if op.name in _AT_HAND:
            return op
        if not has_role(op, "interval") and self._reads(op).isdisjoint(names):
            return Op("once", op.type, (op,))
        if op.name in _ELSEWHERE:
            return op
        inner = names | {bound(op)}
        last = len(op.args) - 1
        return replace(
            op,
            args=tuple(self.mark(a, inner if i == last else names) for i, a in enumerate(op.args)),
        )

    def _reads(self, op: Op) -> Names:
        """Return the free variables of an operation, and a marker if it reads the current step."""
        if id(op) not in self._read:
            self._read[id(op)] = self._reading(op)
        return self._read[id(op)]

    def _reading(self, op: Op) -> Names:
        if is_variable(op):
            return frozenset({str(op.value)})
        names = frozenset({_STEP}) if op.name in _READ_STEP else frozenset()
        *first, last = map(self._reads, op.args) if op.args else [frozenset[str]()]
        return names.union(*first, last - {bound(op)})
