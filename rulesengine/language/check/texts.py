"""Texts and lists in expressions: constants in rules, formatted and indexed in scripts."""

from types import MappingProxyType
from typing import cast

from rulesengine.language.check.calls import CallChecker
from rulesengine.language.check.context import SHOWN_TYPES, ExpressionContext, error_op, is_error
from rulesengine.language.check.names import argument_count
from rulesengine.language.check.script_builtins import SCRIPTED
from rulesengine.language.check.templates import field_form, printed
from rulesengine.language.ir.ops import Op, Type, literal, make
from rulesengine.language.ir.scripted_ops import SCRIPTED as SCRIPTED_OPS
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion

# Types of lists, and of values with members, with the types of the members.
MEMBERS: MappingProxyType[str, str] = MappingProxyType({"texts": "text", "numbers": "number"})
_MEMBERS = MappingProxyType({"text": "text", **MEMBERS})
# The type of parameters that take a text or a list.
_COUNTABLE = "text or list"


class TextChecker(CallChecker):
    """A layer of the expression checker for texts, members of lists and functions of scripts."""

    def _text(self, node: n.Text, view: ExpressionContext) -> Op:
        if all(isinstance(p, str) for p in node.parts):
            return literal("text", "".join(cast(tuple[str, ...], node.parts)))
        if view.slot == "script":
            parts = [self._part(part, view) for part in node.parts]
            return error_op() if any(map(is_error, parts)) else make("join", *parts)
        message, help = "a text with fields is only for scripts", ""
        if len(node.parts) == 1 and isinstance(node.parts[0], n.Field):
            value = node.parts[0].value.span.text
            help = Suggestion(f"write `{value}` alone", value)
        self.context.report("not-here", node.span, message, help)
        return error_op()

    def _is_joined(self, node: n.Operation, view: ExpressionContext) -> bool:
        """Report texts that are concatenated with `+`, if the first operand is a text."""
        first, second = node.operands
        if view.slot != "script" or self.infer(first, view).type != "text":
            return False
        parts = [_inner(first), _inner(second)]
        write = f'"{parts[0]}{parts[1]}"'
        help = Suggestion(f"write `{write}`", write)
        self.context.report("type-mismatch", node.span, "texts are joined inside a text", help)
        return True

    def _part(self, part: str | n.Field, view: ExpressionContext) -> Op:
        if isinstance(part, str):
            return literal("text", part)
        op = printed(part, self.infer(part.value, view), self.context)
        width, filler = field_form(part, op, self.context)
        return op if is_error(op) else make("shown", op, value=(str(width), filler))

    def _item(self, node: n.Index, view: ExpressionContext) -> Op:
        """Check the k-th member of a list or a text."""
        if view.slot != "script":
            message = "only scripts have lists"
            self.context.report("not-here", node.span, message, "`io` alone can read a list")
            return error_op()
        at = self.check(node.value, view, "number")
        value = self.infer(n.Name(node.span, node.word), view)
        if is_error(value) or is_error(at):
            return error_op()
        if value.type not in _MEMBERS:
            message = f"{SHOWN_TYPES[value.type]} has no members"
            help = Suggestion(f"write `{node.word}` alone", node.word)
            self.context.report("type-mismatch", node.span, message, help)
            return error_op()
        type = cast(Type, _MEMBERS[value.type])
        return make("item", value, at, value=self.context.site(node.span), type=type)

    def _scripted(self, node: n.Call, view: ExpressionContext) -> Op:
        """Check a function that only scripts have."""
        row = SCRIPTED[node.function]
        expected = len(row.parameters)
        if len(node.arguments) != expected or node.named:
            message = f"`{row.word}` takes {argument_count(expected)}, found {len(node.arguments)}"
            help = Suggestion(f"for example `{row.example}`", row.example)
            self.context.report("argument-count", node.span, message, help)
            return error_op()
        args = [
            self._countable(node, view)
            if parameter.type == _COUNTABLE
            else self.check(value, view, parameter.type)
            for parameter, value in zip(row.parameters, node.arguments, strict=True)
        ]
        if any(map(is_error, args)):
            return error_op()
        signature = SCRIPTED_OPS[row.op]
        site = self.context.site(node.span) if signature.value == "site" else None
        type = args[0].type if signature.result == "T" else signature.result
        return make(row.op, *args, value=site, type=cast(Type, type))

    def _countable(self, call: n.Call, view: ExpressionContext) -> Op:
        node = call.arguments[0]
        op = self.infer(node, view)
        if is_error(op) or op.type in _MEMBERS:
            return op
        message = f"expected a text or a list, found {SHOWN_TYPES[op.type]}"
        count = f"count({node.span.text})"
        help = Suggestion(f"write `{count}`", count, call.span) if op.type == "cells" else ""
        self.context.report("type-mismatch", node.span, message, help)
        return error_op()

    def _is_listed(self, op: Op, items: Op) -> bool:
        """True if `in` tests for a member of a list."""
        return items.type in ("texts", "numbers") and op.type == _MEMBERS[items.type]


def _inner(node: n.Node) -> str:
    """Return a value as a part of a text."""
    shown = node.span.text
    return shown[1:-1] if isinstance(node, n.Text) else f"{{{shown}}}"
