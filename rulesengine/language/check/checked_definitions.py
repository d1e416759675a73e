"""The checked definitions of a spec, with variables for arguments, for explanations."""

from collections.abc import Iterator

from rulesengine.language.check.context import Context, is_error
from rulesengine.language.check.effects import EffectChecker
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.ir.ops import walk
from rulesengine.language.ir.rules import CheckedDefinition


def checked_definitions(
    context: Context, expressions: ExpressionChecker, effects: EffectChecker
) -> tuple[CheckedDefinition, ...]:
    """Return the used definitions, the named effects, and the values of players and kinds.

    A definition is omitted if its meaning depends on constant arguments. Findings about these
    generic forms are not reported.
    """
    if any(finding.severity == "error" for finding in context.findings):
        return ()
    findings, used, recalled = [*context.findings], {*context.used}, {*context.recalled}
    definitions = (
        *_attributes(context, expressions),
        *_kind_values(context, expressions),
        *_definitions(context, expressions),
        *_effects(context, effects),
    )
    context.findings, context.used, context.recalled = findings, used, recalled
    return definitions


def _attributes(context: Context, expressions: ExpressionChecker) -> Iterator[CheckedDefinition]:
    for word, values in context.attributes.items():
        if word in context.used:
            op = expressions.attribute(word, values[0].span)
            if not any(map(is_error, walk(op))):
                yield CheckedDefinition(word, op, is_attribute=True)


def _kind_values(context: Context, expressions: ExpressionChecker) -> Iterator[CheckedDefinition]:
    """Yield the values of kinds of piece, by a variable for the kind."""
    for word, span in context.kind_value_spans.items():
        if word in context.used and word in context.kind_values:
            op = expressions.value_by_kind(word, span)
            if not any(map(is_error, walk(op))):
                yield CheckedDefinition(word, op, is_attribute=True)


def _definitions(context: Context, expressions: ExpressionChecker) -> Iterator[CheckedDefinition]:
    for use in (*context.uses.values(),):
        if "kinds" in use.types:  # each kind has its own meaning
            continue
        op = expressions.generic(use)
        if not any(map(is_error, walk(op))):
            yield CheckedDefinition(use.definition.name, op, use.definition.arguments)


def _effects(context: Context, effects: EffectChecker) -> Iterator[CheckedDefinition]:
    for use in (*context.performed.values(),):
        if "kinds" in use.types:
            continue
        op = effects.performs.generic(use, effects.effect)
        if not any(map(is_error, walk(op))):
            yield CheckedDefinition(use.definition.name, op, use.definition.arguments)
