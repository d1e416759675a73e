"""Constant folding of numbers that are known before the board is, such as sizes and bounds."""

from collections.abc import Mapping

from rulesengine.language.ir.ops import Op
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN


class NotConstant(Exception):
    """The reason why an operation is not constant before the board is known."""


def number(op: Op, parameters: Mapping[str, int | str]) -> int:
    """Evaluate an operation over numbers and parameters; raises NotConstant."""
    match op:
        case Op(name="literal", type="number", value=int(value)):
            return value
        case Op(name="parameter", type="number", value=str(name)):
            return int(parameters[name])
        case Op(name="add" | "subtract" | "multiply" | "divide" | "modulo", args=(a, b)):
            return _binary(op.name, number(a, parameters), number(b, parameters))
        case Op(name="negative", args=(a,)):
            return -number(a, parameters)
        case Op(name="smaller", args=args):
            return min(number(a, parameters) for a in args)
        case Op(name="greater", args=args):
            return max(number(a, parameters) for a in args)
    raise NotConstant("it must follow from numbers and parameters alone")


def _binary(name: str, a: int, b: int) -> int:
    if name in ("divide", "modulo") and b == 0:
        raise NotConstant("a division by zero")
    value = _combine(name, a, b)
    if not INTEGER_MIN <= value <= INTEGER_MAX:
        raise NotConstant("a number beyond 64 bits")
    return value


def _combine(name: str, a: int, b: int) -> int:
    match name:
        case "add":
            return a + b
        case "subtract":
            return a - b
        case "multiply":
            return a * b
        case "divide":
            return a // b
    return a % b
