"""The base of descriptions: dispatch of operations to methods by name."""

from collections.abc import Callable
from typing import Any

from rulesengine.errors import InternalError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import Notion, Rules
from rulesengine.prose.names import Names
from rulesengine.prose.nouns import Claim, Noun, plain

Scope = dict[str, str]
PLAYER = Op("variable", "side", (), "player")


class Base:
    """Dispatches an operation to its method: `op_NAME` returns a noun for cells, else a text.

    `claim_NAME` describes a condition or its negation.
    """

    def __init__(self, rules: Rules, program: Program, named: tuple[Notion, ...] = ()) -> None:
        self.rules = rules
        self.named = named
        self.names = Names(rules, program)
        self._phrases: dict[str, Callable[[Op, Scope], Any]] = {
            name[3:]: getattr(self, name) for name in dir(self) if name.startswith("op_")
        }
        self._claims: dict[str, Callable[[Op, Scope, bool], str]] = {
            name[6:]: getattr(self, name) for name in dir(self) if name.startswith("claim_")
        }

    def noun(self, op: Op, scope: Scope) -> Noun:
        """Describe a set of cells as a noun."""
        noun = self._text_of(op, scope)
        if not isinstance(noun, Noun):
            raise InternalError(f"no noun for {op.name}")
        return noun

    def text(self, op: Op, scope: Scope) -> str:
        """Describe any operation as a text; a set of cells is described in full."""
        said = self._text_of(op, scope)
        return said.every if isinstance(said, Noun) else str(said)

    def condition(self, op: Op, scope: Scope, holds: bool = True) -> str:
        """Describe a condition or its negation as a sentence without its full stop."""
        raise NotImplementedError

    def name_of(self, op: Op) -> str:
        """Return the name under which an operation is explained elsewhere, or an empty text."""
        found = (n.name for n in self.named if n.op.name == op.name and n.op == op)
        return next(found, "").replace("_", " ")

    def _text_of(self, op: Op, scope: Scope) -> Any:
        if name := self.name_of(op):
            return _called(name) if op.type == "cells" else f"‘{name}’"
        phrase = self._phrases.get(op.name)
        if phrase is None:
            raise InternalError(f"no phrase for {op.name}")
        return phrase(op, scope)


def _called(name: str) -> Noun:
    """Return a noun for a set that is explained elsewhere."""
    return plain(f"cell of ‘{name}’", f"cells of ‘{name}’", Claim("is", f"in ‘{name}’"))


def is_range_open(op: Op) -> bool:
    """True if a range has no upper bound."""
    from rulesengine.support.limits import INTEGER_MAX

    return is_constant(op, INTEGER_MAX)
