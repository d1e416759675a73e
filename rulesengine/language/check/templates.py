"""Checking of texts with fields: templates with operations as values."""

from rulesengine.language.check.base import ExpressionBase
from rulesengine.language.check.context import (
    SHOWN_TYPES,
    Context,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Template, TemplateField
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span

_PRINTED = frozenset({"number", "side", "text", "cell", "kind", "cells", "numbers", "texts"})
_PRINT_HELP = "print a number, a text, a player, a kind or cells"


def template(node: n.Text, expressions: ExpressionBase, view: ExpressionContext) -> Template:
    """Return the template of a text with fields."""
    parts: list[str | TemplateField] = []
    for part in node.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        op = printed(part, expressions.infer(part.value, view), expressions.context)
        parts.append(TemplateField(op, *field_form(part, op, expressions.context)))
    return Template(tuple(parts))


def printed(field: n.Field, op: Op, context: Context) -> Op:
    """Return the value of a field; report a type that cannot be printed."""
    if is_error(op) or op.type in _PRINTED:
        return op
    help = _PRINT_HELP
    if op.type == "flag":
        value = field.value.span.text
        write = f'if {value} then "yes" else "no"'
        help = Suggestion(f"choose a text: `{{{write}}}`", write, field.value.span)
    context.report("type-mismatch", field.span, f"{SHOWN_TYPES[op.type]} cannot be printed", help)
    return error_op()


def form_span(field: n.Field) -> Span:
    """Return the span after the colon of a field."""
    end = field.span.end
    start = end - len(field.span.text.rpartition(":")[2])
    return Span(field.span.source, start, end)


def field_form(field: n.Field, op: Op, context: Context) -> tuple[int, str]:
    """Return the width of a field, negative for left alignment, and its fill character."""
    form = field.format.replace(" ", "")
    if form and form[0].isalpha():
        value = field.value.span.text
        help = Suggestion(f"write `{{{value}:2}}`", "2", form_span(field))
        context.report("syntax", form_span(field), "expected a width after the colon", help)
        return 0, " "
    zeros = len(form) > 1 and form[0] == "0"
    if zeros and not is_error(op) and op.type != "number":
        message = f"only a number is filled up with zeros, not {SHOWN_TYPES[op.type]}"
        width = form.lstrip("0") or "0"
        help = Suggestion(f"write `{width}`", width, form_span(field))
        context.report("type-mismatch", form_span(field), message, help)
    sign = -1 if form.startswith("<") else 1
    return sign * int(form.lstrip("<>") or 0), "0" if zeros else " "
