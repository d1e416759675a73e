"""Expressions of a script over numbers that it reads, as Python text for an input validator."""

from types import MappingProxyType

from rulesengine.contests.judge.read_analysis import statements
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role, role_of
from rulesengine.language.ir.rules import Operand

UNKNOWN = "unknown"  # the text of an expression that depends on the position

_BINARY = MappingProxyType(
    {
        "add": "+",
        "subtract": "-",
        "multiply": "*",
        "divide": "//",
        "modulo": "%",
        "equal": "==",
        "less": "<",
        "at_most": "<=",
        "both": "and",
        "either": "or",
    }
)
_UNARY = MappingProxyType({"negative": "-", "deny": "not ", "abs": "abs"})


class Expressions:
    """The expressions of a game's script; `changing` are the parameters that the script sets."""

    def __init__(self, game: Game) -> None:
        self._game = game
        sets = ("read_parameter", "set_parameter")
        self.changing = frozenset(
            statement.words[0]
            for statement in statements(game.rules.script)
            if statement.name in sets
        )

    def text(self, operand: Operand) -> str:
        """Return an expression in Python, or `UNKNOWN`."""
        if not isinstance(operand, Op):
            return UNKNOWN
        try:
            return self._python(operand)
        except ValueError:
            return UNKNOWN

    def constant(self, operand: Operand) -> bool | None:
        """Return the value of a condition that neither input nor position changes, else None."""
        try:
            return bool(eval(self.text(operand), {"__builtins__": {"abs": abs}}))  # noqa: S307
        except (NameError, ArithmeticError):
            return None

    def _python(self, op: Op) -> str:
        """Return an expression in Python. Raises ValueError if it depends on the position."""
        if has_role(op, "equality") and any(arg.type != "number" for arg in op.args):
            raise ValueError(op.name)
        if op.name in _BINARY:
            return f"({f' {_BINARY[op.name]} '.join(map(self._python, op.args))})"
        if op.name in _UNARY:
            return f"{_UNARY[op.name]}({self._python(op.args[0])})"
        match role_of(op), op.value:
            case "constant", int(value):
                return str(value)
            case "variable", str(name) if op.type == "number":
                return name_of(name)
            case "parameter", str(name) if op.type == "number":
                return f"p_{name}" if name in self.changing else str(self._game.parameters[name])
        raise ValueError(op.name)


def name_of(variable: str) -> str:
    """Return the Python name of a variable of a script."""
    return f"v_{variable}"
