"""Texts with fields to templates, whose values are operations."""

from rulesengine.check.context import SHOWN_TYPES, Context, View, is_error
from rulesengine.check.expressions import Expressions
from rulesengine.diagnostic import Mend
from rulesengine.ir.rules import Template, TemplateField
from rulesengine.source import Span
from rulesengine.syntax import nodes as n

_PRINTED = frozenset({"number", "side", "text", "cell", "kind", "cells"})
_PRINT_HELP = "print a number, a text, a player, a kind or cells"


def template(node: n.Text, expressions: Expressions, view: View) -> Template:
    """The template of a text with fields."""
    parts: list[str | TemplateField] = []
    for part in node.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        op = expressions.infer(part.value, view)
        if not is_error(op) and op.type not in _PRINTED:
            message = f"{SHOWN_TYPES[op.type]} cannot be printed"
            expressions.context.report("type-mismatch", part.span, message, _PRINT_HELP)
        parts.append(TemplateField(op, _width(part, expressions.context)))
    return Template(tuple(parts))


def form_span(field: n.Field) -> Span:
    """What stands behind the colon of a field."""
    end = field.span.end
    start = end - len(field.span.text.rpartition(":")[2])
    return Span(field.span.source, start, end)


def _width(field: n.Field, context: Context) -> int:
    form = field.format.replace(" ", "")
    if form and form[0].isalpha():
        value = field.value.span.text
        help = Mend(f"write `{{{value}:2}}`", "2", form_span(field))
        context.report("syntax", form_span(field), "expected a width after the colon", help)
        return 0
    sign = -1 if form.startswith("<") else 1
    return sign * int(form.lstrip("<>") or 0)
