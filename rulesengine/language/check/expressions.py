"""The expression checker: syntax nodes to typed operations; it continues after every finding."""

from types import MappingProxyType

from rulesengine.language.check.base import COERCED
from rulesengine.language.check.builtins import NAMES
from rulesengine.language.check.context import (
    SHOWN_TYPES,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.check.suggestions import suggest_phrase
from rulesengine.language.check.texts import TextChecker
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.expand import expand_one, is_phrase
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span

_ARITHMETIC = MappingProxyType(
    {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}
)

# The greatest depth of expressions with their definitions expanded.
_MAX_LEVEL = 96

# The types that are sets of cells, or are converted to them.
_SETS = frozenset({"cells", "side", "kind", "kinds"})


class ExpressionChecker(TextChecker):
    """The checker of expressions in a context."""

    def infer(self, node: n.Node, view: ExpressionContext) -> Op:
        """Return the operation of a node with its own type."""
        if self._level >= _MAX_LEVEL:
            message = f"definitions inside one another are deeper than {_MAX_LEVEL} levels"
            self.context.report("too-large", node.span, message)
            return error_op()
        self._level += 1
        op = self._infer(node, view)
        self._level -= 1
        return op

    def _infer(self, node: n.Node, view: ExpressionContext) -> Op:
        if isinstance(node, n.Words) and self._is_misused(node, view):
            return error_op()
        if is_phrase(node):
            return self.infer(expand_one(node, self.context.piece_names), view)
        match node:
            case n.Number(value=value):
                return literal("number", value)
            case n.Text():
                return self._text(node, view)
            case n.Index():
                return self._item(node, view)
            case n.Name():
                return self._name(node, view)
            case n.Call():
                return self._call(node, view)
            case n.Each():
                return self._each_form(node, view)
            case n.Operation():
                return self._operation(node, view)
            case n.Conditional():
                return self._conditional(node, view)
            case n.Listing():
                return self._listing(node, view)
        span = node.span
        self.context.report("syntax", span, "a range is allowed only where a range is expected")
        return error_op()

    def _operation(self, node: n.Operation, view: ExpressionContext) -> Op:
        match node.operator:
            case "and" | "or":
                return self._joined(node, view)
            case "not":
                op = self.infer(node.operands[0], view)
                return self._denied(op, node)
            case "negative":
                op = self.check(node.operands[0], view, "number")
                return make("negative", op, value=self.context.site(node.span))
            case "minus":
                cells = [self.check(o, view, "cells") for o in node.operands]
                return make("minus", *cells)
            case "in":
                return self._member(node, view)
            case "=" | "!=":
                return self._equal(node, view)
            case "<" | ">" | "<=" | ">=":
                return self._ordered(node, view)
        if node.operator == "+" and self._is_joined(node, view):
            return error_op()
        numbers = [self.check(o, view, "number") for o in node.operands]
        return make(_ARITHMETIC[node.operator], *numbers, value=self.context.site(node.span))

    def _joined(self, node: n.Operation, view: ExpressionContext) -> Op:
        ops = [self.infer(o, view) for o in node.operands]
        good = [op for op in ops if not is_error(op)]
        if not good:
            return error_op()
        if good[0].type == "flag":
            if self._is_open_inclusion(node, ops):
                return error_op()
            flags = [self.coerce(op, "flag", o) for op, o in zip(ops, node.operands, strict=True)]
            return make("both" if node.operator == "and" else "either", *flags)
        cells = [self.coerce(op, "cells", o) for op, o in zip(ops, node.operands, strict=True)]
        if any(is_error(cell) and not is_error(op) for cell, op in zip(cells, ops, strict=True)):
            return error_op()  # the error has been reported
        return make(node.operator, *cells)

    def _is_misused(self, node: n.Words, view: ExpressionContext) -> bool:
        """Report a phrase such as `no own` or `king reaches goal`; return True if it is one."""
        known = {*NAMES, *view.variables, *self.context.definitions, *self.context.registers}
        known |= self.context.piece_names | {player.name for player in self.context.players}
        board = self.context.topology
        known |= {name for name, _ in board.regions} if board else set()
        name, write = suggest_phrase(node.words, known.__contains__)
        if write:
            message, help = f"unknown name `{name.word}`", f"write `{write}`"
            self.context.report(
                "unknown-name", name.span, message, Suggestion(help, write, node.span)
            )
        return bool(write)

    def _is_open_inclusion(self, node: n.Operation, ops: list[Op]) -> bool:
        """Report `x in a and b` where `b` is a set, which belongs to the set after `in`."""
        first, *others = node.operands
        if not (isinstance(first, n.Operation) and first.operator == "in"):
            return False
        if any(is_error(op) or op.type not in _SETS for op in ops[1:]):
            return False
        joined = Span(first.span.source, first.operands[1].span.start, others[-1].span.end)
        shown = " ".join(joined.text.split())
        type_name = SHOWN_TYPES[ops[1].type]
        help = Suggestion(f"write `in ({shown})`", f"({joined.text})", joined)
        message = f"expected {SHOWN_TYPES['flag']}, found {type_name}"
        self.context.report("type-mismatch", others[0].span, message, help, type_name)
        return True

    def _denied(self, op: Op, node: n.Operation) -> Op:
        if is_error(op):
            return op
        if op.type == "flag":
            return make("deny", op)
        return make("not", self.coerce(op, "cells", node.operands[0]))

    def _member(self, node: n.Operation, view: ExpressionContext) -> Op:
        left, right = (self.infer(o, view) for o in node.operands)
        if is_error(left) or is_error(right):
            return error_op()
        if left.type == "direction":
            return make("has_direction", left, self.coerce(right, "directions", node.operands[1]))
        if self._is_listed(left, right):
            return make("listed", left, right)
        if left.type == "kind" and right.type == "kinds":
            return self._of_each_kind(right, lambda kind: make("equal", left, kind), "either")
        cells = self.coerce(right, "cells", node.operands[1])
        if left.type == "cell":
            return make("member", left, cells)
        return make("inside", self.coerce(left, "cells", node.operands[0]), cells)

    def _equal(self, node: n.Operation, view: ExpressionContext) -> Op:
        left, right = (self.infer(o, view) for o in node.operands)
        if is_error(left) or is_error(right):
            return error_op()
        if left.type == right.type == "kinds":
            left, right = (
                self.coerce(op, "cells", o)
                for op, o in zip((left, right), node.operands, strict=True)
            )
        if left.type != right.type:
            if (right.type, left.type) in COERCED:
                right = self.coerce(right, left.type, node.operands[1])
            elif (left.type, right.type) in COERCED:
                left = self.coerce(left, right.type, node.operands[0])
            elif left.type == "cells" and right.type == "number":
                self._mismatch(left, "number", node.operands[0])
                return error_op()
            else:
                self._mismatch(right, left.type, node.operands[1])
                return error_op()
        same = make("equal", left, right)
        return same if node.operator == "=" else make("deny", same)

    def _ordered(self, node: n.Operation, view: ExpressionContext) -> Op:
        left, right = (self.check(o, view, "number") for o in node.operands)
        if node.operator in (">", ">="):
            left, right = right, left
        return make("less" if node.operator in "<>" else "at_most", left, right)

    def _conditional(self, node: n.Conditional, view: ExpressionContext) -> Op:
        test = self.check(node.test, view, "flag")
        then, otherwise = self.infer(node.then, view), self.infer(node.otherwise, view)
        if is_error(then) or is_error(otherwise) or is_error(test):
            return error_op()
        if then.type != otherwise.type:
            fits = [w for a, w in COERCED if a == then.type]
            wide = otherwise.type if otherwise.type in fits else (fits or [then.type])[0]
            if otherwise.type != wide and (otherwise.type, wide) not in COERCED:
                wide = then.type
            then = self.coerce(then, wide, node.then)
            otherwise = self.coerce(otherwise, wide, node.otherwise)
            if is_error(otherwise):
                return otherwise
        return make("if", test, then, otherwise, type=then.type)

    def _listing(self, node: n.Listing, view: ExpressionContext) -> Op:
        items = [self.check(item, view, "directions") for item in node.items]
        return error_op() if any(map(is_error, items)) else make("all_directions", *items)
