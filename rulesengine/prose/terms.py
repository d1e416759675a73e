"""Names of a spec that are explained once and then used: definitions and attributes of players."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulesengine.language.ir.ops import Op, bound, is_loop
from rulesengine.language.ir.rules import CheckedDefinition
from rulesengine.prose.matching import match

# The variable of the side for which a definition is read.
PLAYER_NAME = "player"
# The length up to which the name of an argument is a letter rather than a word.
_LETTERS = 2
_BY_TYPE = MappingProxyType(
    {
        "cell": "cell",
        "cells": "cell",
        "number": "number",
        "direction": "direction",
        "directions": "direction",
        "side": "player",
        "kind": "kind",
    }
)
# Adjectives that a condition on one cell may have as its name, besides participles.
_ADJECTIVES = frozenset("open free safe dead alive empty full legal lone mobile adjacent".split())


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a definition: its arguments in order, and its side if the meaning depends on it."""

    definition: CheckedDefinition
    arguments: tuple[Op, ...]
    side: Op | None


class Terms:
    """The definitions that a description uses by name."""

    def __init__(self, definitions: tuple[CheckedDefinition, ...], sides: int) -> None:
        self.definitions = definitions
        self.sides = sides
        self._memo: dict[int, tuple[Op, Use | None]] = {}

    def use(self, op: Op) -> Use | None:
        """Return the use of a definition that an expression is, if it is one."""
        if id(op) not in self._memo:
            self._memo[id(op)] = op, self._find(op)
        return self._memo[id(op)][1]

    def _find(self, op: Op) -> Use | None:
        # A definition comes after those that it uses; the last match is the most specific.
        for definition in reversed(self.definitions):
            values = found_in(definition, op, self.sides)
            if values is not None:
                return use_of(definition, values)
        return None


def found_in(definition: CheckedDefinition, op: Op, sides: int) -> Mapping[str, Op] | None:
    """Return the arguments of a use; those of a named effect are bound to variables around it."""
    if op.type != "effect":
        return match(definition, op, sides)
    values: dict[str, Op] = {}
    while bound(op) and not is_loop(op) and len(values) < len(definition.arguments):
        values[bound(op)], op = op.args
    bindings = match(definition, op, sides)
    if bindings is None or not {*values} <= {str(a.value) for a in bindings.values()}:
        return None
    return {name: values.get(str(a.value), a) for name, a in bindings.items()}


def use_of(definition: CheckedDefinition, values: Mapping[str, Op]) -> Use:
    """Return a use with the arguments that a match found; unread ones are left out."""
    arguments = tuple(values[name] for name in definition.arguments if name in values)
    return Use(definition, arguments, values.get(PLAYER_NAME))


def title(definition: CheckedDefinition) -> str:
    """Return the name of a definition as readers see it."""
    return f"‘{definition.name.replace('_', ' ')}’"


def is_adjective(definition: CheckedDefinition) -> bool:
    """True if a condition on one argument is named by a participle or an adjective."""
    word = definition.name.rpartition("_")[2]
    one = len(definition.arguments) == 1 and definition.op.type == "flag"
    return one and (word.endswith(("ed", "able")) or word in _ADJECTIVES)


def argument_names(definition: CheckedDefinition, types: Mapping[str, str]) -> dict[str, str]:
    """Return the words for the arguments of a definition: `the cell`, `the die`."""
    words = {}
    for name, type in types.items():
        plain = name.replace("_", " ")
        words[name] = f"the {plain if len(name) > _LETTERS else _BY_TYPE.get(type, plain)}"
    twice = {word for word in words.values() if [*words.values()].count(word) > 1}
    return {name: f"{word} {name}" if word in twice else word for name, word in words.items()}
