"""Expansion of named effects: each is checked once for the types of its arguments."""

from collections.abc import Callable

from rulesengine.language.check.context import (
    Context,
    DefinitionUse,
    ExpressionContext,
    NamedEffect,
    error_op,
    is_error,
)
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.names import argument_count, suggest_arguments
from rulesengine.language.ir.ops import OPS, Op, make
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.syntax_errors import verb_for
from rulesengine.language.syntax.vocabulary import EFFECTS
from rulesengine.support.diagnostic import did_you_mean

Check = Callable[[n.Node, ExpressionContext], Op]

# Arguments that are substituted directly: they cost nothing and no effect changes them.
_CONSTANT = frozenset(
    name for name, row in OPS.items() if not row.args and row.reads <= {"names", "variables"}
)


class NamedEffectChecker:
    """A checker of the uses of named effects in a context."""

    def __init__(self, context: Context, expressions: ExpressionChecker) -> None:
        self.context = context
        self.expressions = expressions
        self._open: list[str] = []
        # The bodies of effects for given arguments, with the variables that hold them.
        self._memo: dict[tuple[object, ...], tuple[Op, tuple[str, ...]]] = {}

    def effect(self, node: n.Perform, view: ExpressionContext, check: Check) -> Op:
        """Return the body of an effect, with its arguments evaluated before it."""
        named = self.context.effects.get(node.name.word)
        if named is None:
            self._unknown(node)
            return error_op()
        self.context.used.add(named.name)
        arguments = [self.expressions.infer(argument, view) for argument in node.arguments]
        if not self._fits(named, node) or any(map(is_error, arguments)):
            return error_op()
        if not self._enter(named, node):
            return error_op()
        types = tuple(op.type for op in arguments)
        self.context.performed.setdefault((named.name, types), DefinitionUse(named, types, view))
        op, names = self._body(named, arguments, view, check)
        self._open.pop()
        for name, value in reversed([*zip(names, arguments, strict=True)]):
            op = make("bind", value, op, value=("be", name)) if name else op
        return op

    def generic(self, use: DefinitionUse, check: Check) -> Op:
        """Return the body of an effect with variables for its arguments."""
        assert isinstance(use.definition, NamedEffect)
        body = [check(node, use.generic_view()) for node in use.definition.body]
        return body[0] if len(body) == 1 else make("block", *body)

    def _body(
        self, named: NamedEffect, operands: list[Op], view: ExpressionContext, check: Check
    ) -> tuple[Op, tuple[str, ...]]:
        known = tuple(op if op.name in _CONSTANT else op.type for op in operands)
        side = self.expressions._one_side(view.side)
        key = named.name, known, id(side), view.slot, view.ahead, tuple(view.step)
        if key not in self._memo:
            fresh = self.context.fresh
            pairs = [*zip(named.arguments, operands, strict=True)]
            names = tuple("" if op.name in _CONSTANT else fresh(word) for word, op in pairs)
            arguments = {
                word: Op("variable", op.type, (), name) if name else op
                for (word, op), name in zip(pairs, names, strict=True)
            }
            inner = view.inside_definition(arguments)
            body = [check(node, inner) for node in named.body]
            self._memo[key] = body[0] if len(body) == 1 else make("block", *body), names
        return self._memo[key]

    def _fits(self, named: NamedEffect, node: n.Perform) -> bool:
        expected, count = len(named.arguments), len(node.arguments)
        if expected == count:
            return True
        message = f"`{named.name}` takes {argument_count(expected)}, found {count}"
        help = suggest_arguments(named, node.arguments, node)
        self.context.report("argument-count", node.span, message, help)
        return False

    def _enter(self, named: NamedEffect, node: n.Perform) -> bool:
        """Begin the expansion of an effect; report recursion."""
        if named.name in self._open:
            circle = " -> ".join([*self._open[self._open.index(named.name) :], named.name])
            help = "effects go round with `repeat … until …`"
            self.context.report("circle", node.span, f"an effect by itself: {circle}", help)
            return False
        self._open.append(named.name)
        return True

    def _unknown(self, node: n.Perform) -> None:
        word = node.name.word
        if word in self.context.broken:
            return
        known = [*EFFECTS, *self.context.effects]
        help = verb_for(word) or did_you_mean(word, known)
        if not help and self.context.effects:
            help = "the effects of this spec are " + ", ".join(self.context.effects)
        message = f"no effect `{word}`"
        self.context.report("unknown-name", node.name.span, message, help)
