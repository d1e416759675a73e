"""The base of descriptions: dispatch of operations to methods by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesengine.errors import InternalError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import CheckedDefinition, Rules
from rulesengine.prose.names import Names
from rulesengine.prose.nouns import Claim, Noun, is_many, listed
from rulesengine.prose.remarks import Remarks
from rulesengine.prose.terms import Terms, Use, is_adjective, title
from rulesengine.prose.unique_pieces import unique_kinds

Scope = Mapping[str, str]
PLAYER = Op("variable", "side", (), "player")


class DescriberBase:
    """Dispatches an operation to its method: `op_NAME` returns a noun for cells, else a text.

    `claim_NAME` describes a condition or its negation.
    """

    def __init__(
        self, rules: Rules, program: Program, named: tuple[CheckedDefinition, ...] = ()
    ) -> None:
        self.rules = rules
        self.remarks = Remarks(rules)
        self.named = named
        self.terms = Terms(named, len(rules.players))
        self.names = Names(rules, program, self.terms, unique_kinds(rules))
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
        phrase = self._text_of(op, scope)
        return phrase.every if isinstance(phrase, Noun) else str(phrase)

    def condition(self, op: Op, scope: Scope, holds: bool = True) -> str:
        """Describe a condition or its negation as a sentence without its full stop."""
        raise NotImplementedError

    def phrase(self, op: Op, scope: Scope) -> str:
        """Describe any operation, a condition as a sentence without its full stop."""
        return self.condition(op, scope) if op.type == "flag" else self.text(op, scope)

    def _text_of(self, op: Op, scope: Scope) -> Any:
        if use := self.terms.use(op):
            if op.type == "cells" and not use.definition.is_attribute:
                return self._set_of_use(use, self._phrases[op.name](op, scope).pieces, scope)
            return self._named(use, scope)
        phrase = self._phrases.get(op.name)
        if phrase is None:
            raise InternalError(f"no phrase for {op.name}")
        return phrase(op, scope)

    def _named(self, use: Use, scope: Scope) -> Any:
        """Return the phrase for a use of a definition that is explained elsewhere."""
        name, definition = title(use.definition), use.definition
        if definition.op.type == "flag":
            return self.condition_called(use, scope, holds=True)
        owner = self._owner_of(use)
        possessive = f"{owner} " if owner else ""
        arguments = [self._argument(argument, scope) for argument in use.arguments]
        if definition.op.type == "cells":
            return _set_called(f"{possessive}{name}", "cell", is_attribute=True)
        if definition.op.type == "effect":
            return f"do {name}{_joined(' for ', arguments)}"
        if definition.op.type in ("direction", "directions"):
            return f"{name}{f' of {owner}' if owner not in ('', 'your') else ''}"
        if arguments == ["it"] and not possessive:
            return f"its {name}"
        the = "the " if arguments and not possessive else ""
        return f"{the}{possessive}{name}{_joined(' of ', arguments)}"

    def _set_of_use(self, use: Use, pieces: bool, scope: Scope) -> Noun:
        """Return the noun for a use of a definition of a set of cells or of pieces."""
        owner = self._owner_of(use)
        arguments = [self._argument(argument, scope) for argument in use.arguments]
        possessive = f"{owner} " if owner else ""
        name = f"{possessive}{title(use.definition)}{_joined(' for ', arguments)}"
        return _set_called(name, "piece" if pieces else "cell")

    def _owner_of(self, use: Use) -> str:
        """Return the possessive of the side of a use, where it is to be mentioned."""
        if use.side is None:
            return ""
        person = self.names.person(use.side)
        return person.possessive if use.definition.is_attribute or person.subject != "you" else ""

    def _argument(self, op: Op, scope: Scope) -> str:
        return self.phrase(op, scope)

    def condition_called(self, use: Use, scope: Scope, holds: bool) -> str:
        """Describe a condition that is explained elsewhere, or its negation."""
        name = title(use.definition)
        arguments = [self._argument(argument, scope) for argument in use.arguments]
        if is_adjective(use.definition) and len(arguments) == 1:
            lone = use.arguments[0].type == "cell"
            verb = "are" if is_many(arguments[0]) and not lone else "is"
            return f"{arguments[0]} {verb} {'' if holds else 'not '}{name}"
        person = self.names.person(use.side) if use.side is not None else None
        if person is not None and person.subject != "you":
            arguments.append(person.subject)
        verb = "holds" if holds else "does not hold"
        return f"{name} {verb}{_joined(' for ', arguments)}"


def _joined(word: str, arguments: Sequence[str]) -> str:
    return f"{word}{listed(arguments)}" if arguments else ""


def _set_called(name: str, word: str, *, is_attribute: bool = False) -> Noun:
    """Return a noun for a set that is explained elsewhere."""
    every = name if is_attribute else f"the {word}s of {name}"
    claim, pieces = Claim("is", f"in {name}"), word == "piece"
    return Noun(f"a {word} of {name}", every, f"no {word} of {name}", claim, pieces=pieces)


def is_range_open(op: Op) -> bool:
    """True if a range has no upper bound."""
    from rulesengine.support.limits import INTEGER_MAX

    return is_constant(op, INTEGER_MAX)
