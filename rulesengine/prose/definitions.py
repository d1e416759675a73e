"""Definitions that are explained separately: long ones, and those used twice and not short."""

from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.language.ir.ops import Op, bound, reads_parts, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role, is_variable
from rulesengine.language.ir.rules import Notion, Rules, operations
from rulesengine.prose.effects import Speaker

# The length from which a phrase is long, used once and used repeatedly, in characters.
_LONG, _LONG_TWICE = 120, 40
# Templates of explanations, by type; other types are described at their use.
_VERBS: MappingProxyType[str, str] = MappingProxyType(
    {"cells": "are", "flag": "holds if", "number": "is"}
)


def named_notions(rules: Rules, program: Program) -> tuple[Notion, ...]:
    """Return the definitions that are referred to by name, in the order of their use."""
    plain = Speaker(rules, program)
    moves = (rules.tiers, rules.steps, rules.chance, rules.keep, rules.effects, rules.next)
    ends = (rules.score, rules.evaluation, rules.ends, rules.outs, rules.strategies)
    every = [op for root in operations((moves, ends)) for op in walk(root)]
    return tuple(n for n in rules.notions if _is_named(n, plain, every))


def notion_sentences(speaker: Speaker) -> Iterator[str]:
    """Yield an explanation of each name, in terms of the other names."""
    for notion in speaker.named:
        others = tuple(other for other in speaker.named if other != notion)
        said = _text_of(notion.op, Speaker(speaker.rules, speaker.names.program, others))
        yield f"‘{notion.name.replace('_', ' ')}’ {_VERBS[notion.op.type]} {said}."


def _is_named(notion: Notion, speaker: Speaker, every: list[Op]) -> bool:
    op = notion.op
    if op.type not in _VERBS or has_role(op, "constant", "name", "parameter"):
        return False
    uses = sum(other.name == op.name and other == op for other in every)
    if not uses or _is_open(op):
        return False
    length = len(_text_of(op, speaker))
    return length > _LONG or (uses > 1 and length > _LONG_TWICE)


def _is_open(op: Op) -> bool:
    """True if an expression reads the step or a variable that is bound outside it."""
    inner = [*walk(op)]
    known = {bound(one) for one in inner} | {"player"}
    free = (one for one in inner if is_variable(one) and one.value not in known)
    return any(free) or reads_parts(op, "record")


def _text_of(op: Op, speaker: Speaker) -> str:
    return speaker.condition(op, {}) if op.type == "flag" else speaker.text(op, {})
