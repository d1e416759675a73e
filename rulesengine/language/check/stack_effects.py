"""Checking of effects and steps on stacks, and of the key `stacks` of the board."""

from collections.abc import Callable

from rulesengine.language.check.context import Context, ExpressionContext, error_op, is_error
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.reader import Reader, entries, get, items, text
from rulesengine.language.check.suggestions import with_key
from rulesengine.language.document.edits import without_entry
from rulesengine.language.document.nodes import Mapping, Node
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import Stacks
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.limits import MAX_STACK

# The words of effects that only boards with stacks have.
_OF_STACKS = frozenset({"under", "taking", "laying"})
_ON_STACKS = frozenset({"put", "remove", "carry", "drop"})
_ALL = literal("number", MAX_STACK)

Piece = Callable[[n.Node, ExpressionContext], tuple[Op, Op]]


def stacks_of(
    node: Node | None, context: Context, reader: Reader, expressions: ExpressionChecker
) -> Stacks | None:
    """Check the key `stacks` of the board; None if it is absent or wrong."""
    if node is None:
        return None
    height = reader.parse(get(node, "height"))
    if height is None:
        return None
    covered, known = set[int](), _kinds_by_word(context)
    for item in items(get(node, "under")):
        for word in text(item).split():
            covered.update(known.get(word, ()))
            if word not in known:
                hint = did_you_mean(word, tuple(known)) or f"the kinds are {', '.join(known)}"
                context.report("unknown-name", item.span, f"no kind of piece `{word}`", hint)
    site = context.site(height.span)
    number = expressions.check(height, ExpressionContext("board"), "number")
    value = None if is_error(number) else constant(number)
    if value is not None and not 2 <= value <= MAX_STACK:
        message = f"the height of a stack is a number from 2 to {MAX_STACK}, found {value}"
        near = str(max(2, min(MAX_STACK, value)))
        context.report("bad-range", height.span, message, Suggestion(f"write {near}", near))
    return Stacks(number, tuple(sorted(covered)), site)


def check_stacks(context: Context, root: Mapping) -> None:
    """Report declarations that do not go with stacks: limits of pieces, and hidden pieces."""
    if not context.stacks:
        return
    for _, _, kind in entries(root.get("pieces")):
        entry = kind.entry("at_most") if isinstance(kind, Mapping) else None
        if entry is not None and isinstance(kind, Mapping):
            message = "`at_most` does not count the pieces below others"
            span, write = without_entry(kind, entry)
            help = Suggestion("leave it out, and keep the number in a register", write, span)
            context.report("not-here", entry.key_span, message, help)
    rules = root.get("rules")
    entry = rules.entry("sees") if isinstance(rules, Mapping) else None
    if context.hiding.pieces and entry is not None and isinstance(rules, Mapping):
        message = "pieces on stacks cannot be hidden"
        span, write = without_entry(rules, entry)
        help = Suggestion("leave `sees` out", write, span)
        context.report("not-here", entry.value.span, message, help)


def _kinds_by_word(context: Context) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the kinds that each kind and attribute names."""
    names = {kind.name: (number,) for number, kind in enumerate(context.kinds)}
    return {**names, **context.kinds_by_attribute}


class StackChecker:
    """The checker of effects on pieces of boards with stacks."""

    def __init__(self, context: Context, expressions: ExpressionChecker) -> None:
        self.context = context
        self.expressions = expressions

    def concern(self, node: n.PieceEffect) -> bool:
        """True if an effect is one on stacks, or has words that only boards with stacks have."""
        has_stacks = self.context.stacks and node.verb in _ON_STACKS
        return has_stacks or not _OF_STACKS.isdisjoint(node.words)

    def effect(self, node: n.PieceEffect, view: ExpressionContext, piece: Piece) -> Op:
        """Return the operation of an effect on stacks."""
        if not self.context.stacks:
            return self._without_stacks(node)
        site, check = self.context.site(node.span), self.expressions.check
        match node.words, node.operands:
            case ("put", word), (what, cells):
                kind, side = piece(what, view)
                value = (word, str(site))
                return make("lay", kind, side, check(cells, view, "cells"), value=value)
            case ("remove", *_), (cells, *number):
                amount = check(number[0], view, "number") if number else _ALL
                return make("unstack", amount, check(cells, view, "cells"), value=site)
            case ("carry", _, "laying"), (cell, direction, pattern):
                digits = check(pattern, view, "number")
                origin = check(cell, view, "cell")
                return make("sow", digits, origin, check(direction, view, "direction"), value=site)
            case ("carry", word, *_), (cell, target, *number):
                return self._carry(node, view, (cell, target), number, word)
        self.report_many(node)
        return error_op()

    def _carry(
        self,
        node: n.PieceEffect,
        view: ExpressionContext,
        cells: tuple[n.Node, n.Node],
        number: list[n.Node],
        word: str,
    ) -> Op:
        to = self.expressions.infer(cells[1], view)
        if to.type == "direction":
            self.report_many(node)
            return error_op()
        origin = self.expressions.check(cells[0], view, "cell")
        target = self.expressions.coerce(to, "cell", cells[1])
        amount = self.expressions.check(number[0], view, "number") if number else _ALL
        value = ("under" if word == "under" else "on", str(self.context.site(node.span)))
        return make("carry_stack", amount, origin, target, value=value)

    def of_step(
        self, kind: str, piece: tuple[Op | None, Op | None], amount: Op | None, site: int
    ) -> tuple[Op, ...]:
        """Return the effect of a step that places a piece, or moves so many pieces."""
        value, target = ("on", str(site)), Op("variable", "cell", (), "to")
        if kind == "place":
            what, side = piece
            assert what is not None
            assert side is not None
            return (make("lay", what, side, make("single", target), value=value),)
        if amount is not None and constant(amount) == 0:
            return ()
        origin = Op("variable", "cell", (), "from")
        return (make("carry_stack", amount or _ALL, origin, target, value=value),)

    def _without_stacks(self, node: n.PieceEffect) -> Op:
        word = next(word for word in node.words if word in _OF_STACKS)
        message = f"`{word}` needs a board with stacks"
        board = self.context.root.get("board") if self.context.root else None
        help = "add `stacks: {height: 8}` to `board`"
        help = with_key(board, "stacks: {height: 8}", help)
        self.context.report("not-here", node.span, message, help)
        return error_op()

    def report_many(self, node: n.PieceEffect | n.CarryEach) -> None:
        """Report an effect that moves the pieces of many cells at once, where there are stacks."""
        message = "stacks are carried one after the other"
        help: str = "carry each stack in a loop: `for c in own do carry c to a1`"
        if isinstance(node, n.CarryEach) or node.verb == "carry":
            help = Suggestion("carry each stack in a loop", _in_a_loop(node), node.span)
        self.context.report("not-here", node.span, message, help)


def _in_a_loop(node: n.PieceEffect | n.CarryEach) -> str:
    """Return the text of an effect that carries each of some stacks."""
    if isinstance(node, n.CarryEach):
        name, cells, target = node.variable, node.cells.span.text, node.target.span.text
        return f"for {name} in {cells} do carry {name} to {target}"
    cells, direction = (operand.span.text for operand in node.operands[:2])
    return f"for c in {cells} do carry c to first(shift(c, {direction}))"
