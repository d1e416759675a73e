"""Definitions that are explained separately: long ones, and those used twice and not short."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    has_role,
    is_by_kind,
    is_by_side,
    is_constant,
    is_variable,
)
from rulesengine.language.ir.rules import CheckedDefinition, Rules, operations
from rulesengine.prose import idioms
from rulesengine.prose.describer_base import Scope
from rulesengine.prose.effects import Describer
from rulesengine.prose.matching import match
from rulesengine.prose.nouns import a, is_many, listed
from rulesengine.prose.remarks import sentence
from rulesengine.prose.section import Section
from rulesengine.prose.terms import argument_names, found_in, is_adjective, title

# The number of words from which a phrase is long, used once and used repeatedly.
_LONG, _LONG_TWICE = 12, 6
# The least length of a definition with arguments: shorter ones read better where they are used.
_WITH_ARGUMENTS = 10
# The same for the values of an attribute, which are listed by player.
_LONG_VALUES, _VALUES_TWICE = 8, 5
_TYPES = frozenset(
    {"cells", "flag", "number", "cell", "direction", "directions", "track", "side", "effect"}
)
# Uses of definitions with more arguments do not read well.
_MOST_ARGUMENTS = 2
# The step, where a definition reads it.
_STEP: Scope = MappingProxyType(
    {
        "from": "the cell that the piece leaves",
        "to": "the cell of the move",
        "direction": "that way",
        "choice": "the choice",
    }
)


def named_definitions(rules: Rules, program: Program) -> tuple[CheckedDefinition, ...]:
    """Return the definitions that are referred to by name, in the order of their use."""
    plain = Describer(rules, program)
    moves = (rules.tiers, rules.steps, rules.chance, rules.keep, rules.effects, rules.next)
    ends = (rules.score, rules.ends, rules.outs, rules.strategies)
    every = {id(op): op for root in operations((moves, ends)) for op in walk(root)}
    named: list[CheckedDefinition] = []
    for definition in rules.definitions:
        alike = any(match(known, definition.op, len(rules.players)) == {} for known in named)
        if not alike and _is_named(definition, plain, [*every.values()]):
            named.append(definition)
    return tuple(named)


def definition_sentences(describer: Describer) -> Iterator[tuple[str, str]]:
    """Yield each name and its explanation, in terms of the other names."""
    explained: set[str] = set()
    for definition in describer.named:
        if definition.name not in explained:
            explained.add(definition.name)
            name = title(definition)
            is_side = definition.op.type == "side"
            yield f"the {name[1:-1]}" if is_side else name, _explanation(definition, describer)


def mentioned(explained: Mapping[str, str], sections: Iterable[Section]) -> set[str]:
    """Return the names that sections mention, directly or in explanations of others."""
    parts = (part for section in sections for part in section.parts)
    open_texts = [text for part in parts for text in ([part] if isinstance(part, str) else part)]
    names: set[str] = set()
    while open_texts:
        text = open_texts.pop()
        new = {name for name in explained if name not in names and name in text}
        names |= new
        open_texts += [explained[name] for name in new]
    return names


def _is_named(definition: CheckedDefinition, describer: Describer, every: list[Op]) -> bool:
    op = definition.op
    if is_by_kind(op):
        return True
    if op.type not in _TYPES or has_role(op, "constant", "name", "parameter", "register"):
        return False
    if describer.remarks.own(_section(definition), definition.name):
        return True
    if len(definition.arguments) > _MOST_ARGUMENTS or _is_idiom(op):
        return False
    if is_variable(op) or (is_by_side(op) and not definition.is_attribute):
        return False
    sides = len(describer.rules.players)
    uses = sum(found_in(definition, other, sides) is not None for other in every)
    if not uses:
        return False
    scope = {**_step(definition), **_scope(definition)}
    length = len(describer.phrase(op, scope).split())
    long, twice = (_LONG_VALUES, _VALUES_TWICE) if definition.is_attribute else (_LONG, _LONG_TWICE)
    if definition.arguments:
        long, twice = max(long, _WITH_ARGUMENTS), _WITH_ARGUMENTS
    return length >= long or (uses > 1 and length >= twice)


def _is_idiom(op: Op) -> bool:
    """True if a condition has a common phrase, such as that a chain joins two sides."""
    if not has_role(op, "nonempty", "void"):
        return False
    return idioms.connection(op.args[0]) is not None or idioms.unjoined(op.args[0]) is not None


def _step(definition: CheckedDefinition) -> Scope:
    """Return the words for the parts of the step that a definition reads."""
    read = {str(op.value) for op in walk(definition.op) if is_variable(op)}
    return {name: word for name, word in _STEP.items() if name in read}


def _scope(definition: CheckedDefinition) -> Scope:
    return argument_names(definition, _argument_types(definition))


def _argument_types(definition: CheckedDefinition) -> dict[str, str]:
    """Return the types of the arguments that the meaning reads, in their order."""
    types = {str(op.value): op.type for op in walk(definition.op) if is_variable(op)}
    return {name: types[name] for name in definition.arguments if name in types}


def _explanation(definition: CheckedDefinition, describer: Describer) -> str:
    remarks = describer.remarks
    if own := remarks.own(_section(definition), definition.name):
        return own
    phrase = _meaning(definition, _without(definition, describer))
    comment = remarks.comment(_section(definition), definition.name)
    return f"{title(definition)}: {comment} {phrase}" if comment else phrase


def _section(definition: CheckedDefinition) -> str:
    return "effects" if definition.op.type == "effect" else "define"


def _without(definition: CheckedDefinition, describer: Describer) -> Describer:
    """Return a describer that does not use the names of a definition and its other forms."""
    others = tuple(other for other in describer.named if other.name != definition.name)
    return Describer(describer.rules, describer.names.program, others)


def _meaning(definition: CheckedDefinition, describer: Describer) -> str:
    """Return sentences that state the meaning of a name."""
    name, words = title(definition), _scope(definition)
    scope = {**_step(definition), **words}
    if definition.op.type == "side":
        name = f"the {name[1:-1]}"
    if definition.is_attribute:
        return f"{name} is {_values(definition.op, describer)}."
    parameters = [_indefinite(word.removeprefix("the ")) for word in words.values()]
    if definition.op.type == "flag":
        if is_adjective(definition) and parameters:
            verb = "are" if is_many(parameters[0]) else "is"
            return sentence(
                f"{parameters[0]} {verb} {name} {describer.clause(definition.op, scope)}"
            )
        of = f" for {listed(parameters)}" if parameters else ""
        return sentence(f"{name} holds{of} {describer.clause(definition.op, scope)}")
    if definition.op.type == "effect":
        of = f" for {listed(parameters)}" if parameters else ""
        return sentence(f"To do {name}{of}: {describer.effects((definition.op,), scope)}")
    if definition.op.type == "cells":
        of = f" for {listed(parameters)}" if parameters else ""
        return sentence(f"{name}{of} means {describer.places(definition.op, scope)}")
    of = f" of {listed(parameters)}" if parameters else ""
    return sentence(f"{name}{of} is {describer.value(definition.op, scope)}")


def _indefinite(word: str) -> str:
    return word if is_many(word) else a(word)


def _values(op: Op, describer: Describer) -> str:
    """Describe the values of an attribute: `the top row for white and the bottom row for black`."""
    if is_by_kind(op):
        return _values_of_kinds(op, describer)
    names = [p.name.replace("_", " ") for p in describer.rules.players]
    phrases = [describer.phrase(value, {}) for value in op.args[1 : 1 + len(names)]]
    if op.type == "cells":
        phrases = [text.removeprefix("the cells of ") for text in phrases]
    return listed([f"{text} for {name}" for name, text in zip(names, phrases, strict=False)])


def _values_of_kinds(op: Op, describer: Describer) -> str:
    """Describe the values of kinds: `9 for the queen, and 5 for the rook`."""
    kinds = [kind.name.replace("_", " ") for kind in describer.rules.kinds]
    values = op.args[1 : 1 + len(kinds)]
    defined = [pair for pair in zip(kinds, values, strict=True) if not _is_absent(pair[1])]
    return listed([f"{describer.phrase(value, {})} for the {kind}" for kind, value in defined])


def _is_absent(value: Op) -> bool:
    """True if a value is that of a kind without one."""
    empty = value.type in ("flag", "cells", "directions") and is_constant(value, 0)
    return empty or (value.type in ("cell", "side", "kind") and is_constant(value, -1))
