"""Recognition of uses of a definition: an expression is matched with the definition's meaning.

See decision 113.
"""

from collections.abc import Mapping

from rulesengine.language.ir.ops import OPS, Op, bound, make, walk
from rulesengine.language.ir.roles import constant, has_role, is_by_side, is_variable
from rulesengine.language.ir.rules import CheckedDefinition

_PLAYER = "player"


def match(definition: CheckedDefinition, op: Op, sides: int) -> Mapping[str, Op] | None:
    """Return the arguments of a use, and the side under `player`; None if it is no use.

    The side is missing if the meaning does not depend on it.
    """
    pattern = definition.op
    if pattern.name != op.name:
        return None
    if is_variable(pattern) or pattern.type != op.type:
        return None
    matcher = _Matcher(definition.arguments, sides)
    return matcher.matched if matcher.matches(pattern, op) else None


class _Matcher:
    """Unifies a pattern with an expression; variables of the pattern match any expression."""

    def __init__(self, arguments: tuple[str, ...], sides: int) -> None:
        self.arguments = arguments
        self.sides = sides
        self.matched: dict[str, Op] = {}
        self._bound: dict[str, str] = {}

    def matches(self, pattern: Op, op: Op) -> bool:
        if is_variable(pattern) and not self._is_local(pattern):
            if pattern.value in self.arguments:
                return self._bind(pattern, op)
            if pattern.value == _PLAYER:
                return op.type == "side" and self._bind(pattern, op)
        if has_role(pattern, "successor") and op.type == "side":
            before = self._before(op)
            if before is not None:
                return self.matches(pattern.args[0], before)
        if is_by_side(pattern) and not is_by_side(op):
            return self._is_value_of_a_side(pattern, op)
        return self._same_form(pattern, op)

    def _before(self, side: Op) -> Op | None:
        """Return the side before another one, if the players alternate or it is a successor."""
        if has_role(side, "successor"):
            return side.args[0]
        return make("next", side) if self.sides == len(("mover", "other")) else None

    def _is_local(self, variable: Op) -> bool:
        return str(variable.value) in self._bound

    def _bind(self, pattern: Op, op: Op) -> bool:
        if op.type != pattern.type or any(
            is_variable(inner) and inner.value in self._bound.values() for inner in walk(op)
        ):
            return False
        name = str(pattern.value)
        known = self.matched.setdefault(name, self._plain(op))
        return known is op or _placeless(known) == _placeless(self._plain(op))

    def _plain(self, side: Op) -> Op:
        """Return a side without successors that lead back to it."""
        if self.sides == len(("mover", "other")) and has_role(side, "successor"):
            inner = side.args[0]
            if has_role(inner, "successor"):
                return self._plain(inner.args[0])
            if (number := constant(inner)) is not None and 0 <= number < self.sides:
                return Op(inner.name, inner.type, (), 1 - number)
        return side

    def _is_value_of_a_side(self, pattern: Op, op: Op) -> bool:
        """Match the value of a known side, where a selection by side was replaced by it."""
        for number, value in enumerate(pattern.args[1:]):
            bindings, side = dict(self.matched), Op("literal", "side", (), number)
            if self.matches(pattern.args[0], side) and self.matches(value, op):
                return True
            self.matched = bindings
        return False

    def _same_form(self, pattern: Op, op: Op) -> bool:
        same = pattern.name == op.name and pattern.type == op.type
        if not same or len(pattern.args) != len(op.args):
            return False
        if is_variable(pattern) and self._is_local(pattern):
            return self._bound[str(pattern.value)] == op.value
        own, other = bound(pattern), bound(op)
        if own and other:
            self._bound[own] = other
        elif _value(pattern) != _value(op):
            return False
        if own and _unbound_value(pattern) != _unbound_value(op):
            return False
        return all(self.matches(a, b) for a, b in zip(pattern.args, op.args, strict=True))


def _value(op: Op) -> object:
    """Return the value of an operation without the number of a site."""
    row = OPS[op.name].value
    if row == "site":
        return None
    return op.value[0] if row.endswith("and site") and isinstance(op.value, tuple) else op.value


def _unbound_value(op: Op) -> object:
    """Return the function and the domain of a loop."""
    if not isinstance(op.value, tuple):
        return None
    return op.value[0], op.value[2:3]


def _placeless(op: Op) -> Op:
    """Return an operation without the numbers of sites."""
    value = _value(op)
    return Op(op.name, op.type, tuple(map(_placeless, op.args)), value)  # type: ignore[arg-type]
