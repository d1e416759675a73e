"""Checking of effects, results and keys: syntax nodes to operations. See decision 005."""

from typing import Literal, cast

from rulesengine.language.check.assignments import AssignmentChecker
from rulesengine.language.check.context import Context, ExpressionContext, error_op, is_error
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.named_effects import NamedEffectChecker
from rulesengine.language.check.stack_effects import StackChecker
from rulesengine.language.check.suggestions import with_key
from rulesengine.language.ir.ops import OPS, Op, Type, literal, make
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import Key
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.syntax_errors import score_result
from rulesengine.support.diagnostic import Suggestion, nearest

ResultName = Literal["wins", "loses", "draw", "highest", "lowest", "pays"]


class EffectChecker:
    """The checker of effects, results and keys in a context."""

    def __init__(self, context: Context, expressions: ExpressionChecker) -> None:
        self.context = context
        self.expressions = expressions
        self.performs = NamedEffectChecker(context, expressions)
        self.assignments = AssignmentChecker(context, expressions)
        self.stacks = StackChecker(context, expressions)

    def effect(self, node: n.Node, view: ExpressionContext) -> Op:
        check = self.expressions.check
        match node:
            case n.PieceEffect() if self.stacks.concern(node):
                return self.stacks.effect(node, view, self.piece)
            case n.PieceEffect(verb="put", operands=(piece, cells)):
                kind, side = self.piece(piece, view)
                return make("put", kind, side, check(cells, view, "cells"))
            case n.PieceEffect(verb="flip", operands=(cells,)):
                return make("flip", check(cells, view, "cells"), view.side)
            case n.PieceEffect(verb="carry"):
                return self._carry(node, view)
            case n.PieceEffect():
                return self._act(node, view)
            case n.CarryEach():
                if self.context.stacks:
                    self.stacks.report_many(node)
                return self._carry_each(node, view)
            case n.SetRegister():
                return self.assignments.effect(node, view)
            case n.EffectIf(test=test, then=then, otherwise=otherwise):
                parts = [check(test, view, "flag"), self.effect(then, view)]
                parts += [self.effect(otherwise, view)] if otherwise else []
                return make("when", *parts)
            case n.Block(effects=effects):
                return make("block", *(self.effect(inner, view) for inner in effects))
            case n.Repeat(effect=inner, until=until):
                parts = [self.effect(inner, view)]
                parts += [check(until, view, "flag")] if until else []
                return make("repeat", *parts, value=self.context.site(node.span))
            case n.Perform():
                return self.performs.effect(node, view, self.effect)
            case n.ForEach():
                return self._for_each(node, view)
        raise TypeError(type(node).__name__)

    def _for_each(self, node: n.ForEach, view: ExpressionContext) -> Op:
        kinds = self.expressions.kinds_in(node.domain, view)
        if kinds is not None:
            rounds = self.expressions.of_each(
                node.variable, kinds, view, lambda inner: self.effect(node.effect, inner)
            )
            return make("block", *rounds)
        domain = self.expressions.domain(node.domain, view)
        if domain is None:
            return error_op()
        name, kind, op = domain
        inner, variable = self._with_variable(node.variable, kind, view)
        effect = self.effect(node.effect, inner)
        value = ("do", variable, name, str(self.context.site(node.span)))
        return make("for", op, effect, value=value)

    def _with_variable(
        self, word: str, kind: str, view: ExpressionContext
    ) -> tuple[ExpressionContext, str]:
        """Bind a word to a new variable; return the new view and the variable's name."""
        variable = self.context.fresh(word)
        return view.with_variable(word, Op("variable", cast(Type, kind), (), variable)), variable

    def _carry_each(self, node: n.CarryEach, view: ExpressionContext) -> Op:
        inner, variable = self._with_variable(node.variable, "cell", view)
        cells = self.expressions.check(node.cells, view, "cells")
        target = self.expressions.infer(node.target, inner)
        if target.type == "direction":
            write = f"carry {node.cells.span.text} to {node.target.span.text}"
            help = Suggestion(f"write `{write}`", write, node.span)
            message = "all pieces go one step in a direction without a name for their cells"
            self.context.report("type-mismatch", node.target.span, message, help)
            return error_op()
        target = self.expressions.coerce(target, "cell", node.target)
        value = ("carry", variable, "cells", str(self.context.site(node.span)))
        return make("carry_each", cells, target, value=value)

    def _carry(self, node: n.PieceEffect, view: ExpressionContext) -> Op:
        """Check `carry`: one piece to a cell, or all pieces of a set one step in a direction."""
        pieces, target = node.operands
        to = self.expressions.infer(target, view)
        if to.type == "direction":
            return make("push", self.expressions.check(pieces, view, "cells"), to)
        origin = self.expressions.check(pieces, view, "cell")
        site = self.context.site(node.span)
        return make("carry", origin, self.expressions.coerce(to, "cell", target), value=site)

    def _act(self, node: n.PieceEffect, view: ExpressionContext) -> Op:
        """Check an effect with the operands of the operation of the same name, in this order."""
        row = OPS[node.verb]
        expected = zip(node.operands, row.args, strict=True)
        args = [self.expressions.check(operand, view, type) for operand, type in expected]
        site = self.context.site(node.span) if row.value == "site" else None
        return make(node.verb, *args, value=site)

    def piece(self, node: n.Node, view: ExpressionContext) -> tuple[Op, Op]:
        """Return the kind and the side of `disc` or `disc of white`."""
        neutral = literal("side", len(self.context.players))
        if isinstance(node, n.OfSide):
            kind = self.expressions.check(node.name, view, "kind")
            if isinstance(node.side, n.Name) and node.side.word == "neutral":
                return kind, neutral
            return kind, self.expressions.check(node.side, view, "side")
        if isinstance(node, n.Words) and self._side_in_front(node):
            return error_op(), error_op()
        kind = self.expressions.check(node, view, "kind")
        return kind, self._owner(kind, view)

    def _side_in_front(self, node: n.Words) -> bool:
        """Report `white disc`, which is written `disc of white` here."""
        meant = {"own": "player", "enemy": "opponent"}
        sides = [p.name for p in self.context.players] + ["neutral", "player", "opponent", *meant]
        kinds = list(self.context.kind_names)
        words = [name.word for name in node.words]
        side = next((word for word in words if word in sides), "")
        kind = next(
            (k for w in words if w != side and (k := w if w in kinds else nearest(w, kinds))), ""
        )
        if not side and not kind:
            return False
        kind = kind or (kinds[0] if len(kinds) == 1 else "")
        write = f"{kind} of {meant.get(side, side)}" if side else kind
        help = Suggestion(f"write `{write}`", write) if kind else "write `KIND of PLAYER`"
        shown = " ".join(words)
        self.context.report("type-mismatch", node.span, f"expected a piece, found `{shown}`", help)
        return True

    def _owner(self, kind: Op, view: ExpressionContext) -> Op:
        """Return the default owner of a piece: neutral if its kind is only neutral, else the
        viewpoint.
        """
        neutral = literal("side", len(self.context.players))
        only = [
            i for i, k in enumerate(self.context.kinds) if k.symbols[-1] and not any(k.symbols[:-1])
        ]
        if is_error(kind) or not only:
            return view.side
        if len(only) == len(self.context.kinds):
            return neutral
        if is_constant(kind):
            return neutral if kind.value in only else view.side
        tests = [make("equal", kind, literal("kind", i)) for i in only]
        return make("if", make("either", *tests), neutral, view.side, type="side")

    def result(self, node: n.Node, view: ExpressionContext) -> tuple[ResultName, Op | None]:
        match node:
            case n.Wins(side=n.Words(words=(*_, n.Name(word="score")) as words)):
                self._no_score_result(node, words[0].word)
            case n.Wins(side=n.Name(word="score")):
                self._no_score_result(node, "")
            case n.Wins(side=side):
                return "wins", self.expressions.check(side, view, "side")
            case n.Loses(side=side):
                return "loses", self.expressions.check(side, view, "side")
            case n.ByScore(highest=highest):
                if self.context.score is None and not self.expressions.has_unread_score():
                    rules = self.context.root.get("rules") if self.context.root else None
                    help = "add a score to the rules: `score: count(own)`"
                    help = with_key(rules, "score: count(own)", help)
                    self.context.report("no-score", node.span, "the rules have no score", help)
                return ("highest" if highest else "lowest"), None
        return "draw", None

    def _no_score_result(self, node: n.Node, word: str) -> None:
        """Report a result by score with another word than `highest` or `lowest`."""
        shown = " ".join(node.span.text.split())[:40]
        help = score_result(word) or "write `highest score wins` or `lowest score wins`"
        self.context.report("syntax", node.span, f"expected a result, found `{shown}`", help)

    def key(self, node: n.Key, view: ExpressionContext) -> Key:
        value = self.expressions.check(node.value, view, "number")
        return Key("most" if node.order == "most" else "least", value)
