"""Effect, result and key nodes to operations."""

from typing import Literal

from rulesengine.check.context import Context, View, error_op, is_error
from rulesengine.check.expressions import Expressions
from rulesengine.ir.ops import Op, literal, make
from rulesengine.ir.rules import Key
from rulesengine.syntax import nodes as n

ResultName = Literal["wins", "loses", "draw", "highest", "lowest"]


class Effects:
    """Checks effects, results and keys in a context."""

    def __init__(self, context: Context, expressions: Expressions) -> None:
        self.context = context
        self.expressions = expressions

    def effect(self, node: n.Node, view: View) -> Op:
        check = self.expressions.check
        match node:
            case n.Put(piece=piece, cells=cells):
                kind, side = self.piece(piece, view)
                return make("put", kind, side, check(cells, view, "cells"))
            case n.Remove(cells=cells):
                return make("remove", check(cells, view, "cells"))
            case n.Flip(cells=cells, side=side):
                to = check(side, view, "side") if side else view.side
                return make("flip", check(cells, view, "cells"), to)
            case n.Carry(origin=origin, target=target):
                ends = check(origin, view, "cell"), check(target, view, "cell")
                return make("carry", *ends, value=self.context.site(node.span))
            case n.Promote(cells=cells, kind=kind):
                return make("promote", check(cells, view, "cells"), check(kind, view, "kind"))
            case n.SetRegister():
                return self._set(node, view)
            case n.EffectIf(test=test, then=then, otherwise=otherwise):
                parts = [check(test, view, "flag"), self.effect(then, view)]
                parts += [self.effect(otherwise, view)] if otherwise else []
                return make("when", *parts)
        raise TypeError(type(node).__name__)

    def piece(self, node: n.Node, view: View) -> tuple[Op, Op]:
        """The kind and the side of `disc` or `disc of white`."""
        neutral = literal("side", len(self.context.players))
        if isinstance(node, n.Of):
            kind = self.expressions.check(node.name, view, "kind")
            if isinstance(node.side, n.Name) and node.side.word == "neutral":
                return kind, neutral
            return kind, self.expressions.check(node.side, view, "side")
        kind = self.expressions.check(node, view, "kind")
        return kind, self._owner(kind, view)

    def _owner(self, kind: Op, view: View) -> Op:
        """Whose a piece is if nothing is said: nobody's if its kind is only neutral."""
        neutral = literal("side", len(self.context.players))
        only = [
            i for i, k in enumerate(self.context.kinds) if k.symbols[-1] and not any(k.symbols[:-1])
        ]
        if is_error(kind) or not only:
            return view.side
        if kind.name == "literal":
            return neutral if kind.value in only else view.side
        tests = [make("equal", kind, literal("kind", i)) for i in only]
        return make("if", make("either", *tests), neutral, view.side, type="side")

    def result(self, node: n.Node, view: View) -> tuple[ResultName, Op | None]:
        match node:
            case n.Wins(side=side):
                return "wins", self.expressions.check(side, view, "side")
            case n.Loses(side=side):
                return "loses", self.expressions.check(side, view, "side")
            case n.ByScore(highest=highest):
                if self.context.score is None:
                    help = "add a score to the rules: `score: count(own)`"
                    self.context.report("no-score", node.span, "the rules have no score", help)
                return ("highest" if highest else "lowest"), None
        return "draw", None

    def key(self, node: n.Key, view: View) -> Key:
        value = self.expressions.check(node.value, view, "number")
        return Key("most" if node.order == "most" else "least", value)

    def _set(self, node: n.SetRegister, view: View) -> Op:
        target, side = node.register, None
        if isinstance(target, n.Of):
            side = self.expressions.check(target.side, view, "side")
            target = target.name
        if not isinstance(target, n.Name) or target.word not in self.context.registers:
            self._no_register(target)
            return error_op()
        self.context.used.add(target.word)
        register = self.context.registers[target.word]
        if side is not None and not register.each:
            message = f"`{register.name}` is one for all"
            help = "declare it with `each: player` to have one for each player"
            self.context.report("type-mismatch", target.span, message, help)
        value = self.expressions.check(node.value, view, register.type)
        sides = (side or view.side,) if register.each else ()
        where = (register.name, str(self.context.site(node.span)))
        return make("set", value, *sides, value=where)

    def _no_register(self, node: n.Node) -> None:
        from rulesengine.diagnostic import did_you_mean

        word = node.word if isinstance(node, n.Name) else node.span.text
        names = list(self.context.registers)
        help = did_you_mean(word, names) or f"declare it: `registers: {{{word}: {{type: number}}}}`"
        self.context.report("unknown-name", node.span, f"no register `{word}`", help)
