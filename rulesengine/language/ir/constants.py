"""Constant folding of numbers that are known before the board is, such as sizes and bounds."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rulesengine.language.ir.ops import OPS, Op
from rulesengine.language.ir.roles import constant, has_role
from rulesengine.language.ir.signature import Role
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

# The roles of numbers that are computed from numbers.
_ARITHMETICAL: tuple[Role, ...] = (
    *("sum", "product", "quotient", "remainder", "negation"),
    *("meet", "join"),
)


class NotConstant(Exception):
    """The reason why an operation is not constant before the board is known."""


def number(op: Op, parameters: Mapping[str, int | str]) -> int:
    """Evaluate an operation over numbers and parameters; raises NotConstant."""
    if op.type == "number" and has_role(op, "parameter"):
        return int(parameters[str(op.value)])
    value = constant(op)
    if op.type == "number" and value is not None:
        return value
    if op.type != "number" or not has_role(op, *_ARITHMETICAL):
        raise NotConstant("it must follow from numbers and parameters alone")
    return _combined(op, [number(arg, parameters) for arg in op.args])


def _combined(op: Op, values: list[int]) -> int:
    if divides_by_zero(op, values):
        raise NotConstant("a division by zero")
    value = ARITHMETIC[op.name](values)
    if not INTEGER_MIN <= value <= INTEGER_MAX:
        raise NotConstant("a number beyond 64 bits")
    return value


def divides_by_zero(op: Op, values: list[int]) -> bool:
    """True if an operation divides by its second operand, which is 0 among these values."""
    return "zero" in OPS[op.name].fails and values[1] == 0


# The functions of numbers; an operation without a row is not constant.
ARITHMETIC: MappingProxyType[str, Callable[[list[int]], int]] = MappingProxyType(
    {
        "add": lambda v: v[0] + v[1],
        "subtract": lambda v: v[0] - v[1],
        "multiply": lambda v: v[0] * v[1],
        "divide": lambda v: v[0] // v[1],
        "modulo": lambda v: v[0] % v[1],
        "negative": lambda v: -v[0],
        "abs": lambda v: abs(v[0]),
        "smaller": min,
        "greater": max,
    }
)
