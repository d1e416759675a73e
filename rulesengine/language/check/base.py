"""The basis of expression checking: coercion, ranges, circular definitions, type errors."""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.language.check.builtins import NAMES, RANGE_HIGH
from rulesengine.language.check.context import (
    BEYOND_VIEW,
    BOARD_ONLY,
    EARLIEST,
    FORBIDDEN,
    RECALLING,
    SHOWN_TYPES,
    VIEWED,
    Context,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.check.suggestions import suggest_conversion
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import (
    alternatives,
    is_by_side,
    is_constant,
    is_read_elsewhere,
    is_whole_board,
)
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.expand import in_phrase
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.source import Span

# The operation that converts a value to another type.
COERCED = MappingProxyType(
    {
        ("cell", "cells"): "single",
        ("side", "cells"): "owned",
        ("kind", "cells"): "of_kind",
        ("kinds", "cells"): "of_kind",  # applied to each of them
        ("direction", "directions"): "just",
    }
)
_INSTEAD = MappingProxyType(
    {
        "can_act": "read it in `turn` or `end`, or add a tier of moves behind `otherwise`",
        "can_move": "read it in `turn` or `end`, or add a tier of moves behind `otherwise`",
        "winner": "only `strategies` and `io` can read it",
        "won": "only `strategies` and `io` can read it",
        "lost": "only `strategies` and `io` can read it",
        "drawn": "only `strategies` and `io` can read it",
        "over": "only `strategies` and `io` can read it",
        "replies": "only `strategies` and `io` can look ahead",
        "score": "write its definition instead, such as `count(own)`",
    }
)
_SHOWN_SLOTS = MappingProxyType(
    {
        "effects": "do",
        "strategy": "strategies",
        "script": "io",
        "pieces": "at_most",
        "chance": "moves",
    }
)


class ExpressionBase:
    """The base of the expression checker; its subclasses define the meaning of nodes."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._open: list[str] = []
        # The operations of definitions with given arguments. The arguments are referenced because
        # the keys contain their ids.
        self._memo: dict[tuple[object, ...], tuple[Op, tuple[Op, ...]]] = {}
        self._sides: dict[tuple[object, ...], Op] = {}
        self._level = 0
        self._before: n.Call | None = None  # the innermost `before(…)` around an expression
        self._wanted = ""  # the expected type of a name, for suggestions

    def check(self, node: n.Node, view: ExpressionContext, expected: str) -> Op:
        """Return the operation of a node, converted to the expected type."""
        around, self._wanted = self._wanted, expected
        op = self.infer(node, view)
        self._wanted = around
        return self.coerce(op, expected, node)

    def coerce(self, op: Op, expected: str, node: n.Node) -> Op:
        if is_error(op) or op.type == expected:
            return op
        if expected == "directions" and _is_all(op):
            return Op("named_direction", "directions", (), "all")
        if expected == "cells" and is_read_elsewhere(op):
            # The cells of a kind, for example, are read in the other position.
            value = self.coerce(op.args[-1], expected, node)
            return make(op.name, *op.args[:-1], value, type="cells")
        if op.type == "kinds" and expected == "cells":
            return self._of_each_kind(op, lambda kind: make("of_kind", kind), "or")
        name = COERCED.get((op.type, expected))
        if name:
            if op.type == "side" and isinstance(node, n.Name):
                self._warn_of_side(node)
            return make(name, op)
        self._mismatch(op, expected, node)
        return error_op()

    def _warn_of_side(self, node: n.Name) -> None:
        """Warn that `left` alone means the pieces of a player, not the cells of that name."""
        board, word = self.context.topology, node.word
        if board is None or word not in [name for name, _ in board.regions] or in_phrase(node):
            return
        if self.context.side_named(word):
            message = f"`{word}` means the pieces of the player, not the `{word}` of the board"
            write = f"(all where owner(it) = {word})"
            help = Suggestion(f"write `{write}` for the pieces", write)
            finding = Diagnostic("ambiguous-name", node.span, message, help, severity="warning")
            self.context.findings.append(finding)

    def _of_each_kind(self, kinds: Op, value_of: Callable[[Op], Op], joined: str) -> Op:
        """Apply a test to each of several kinds, and to both branches of a conditional."""
        if is_constant(kinds):
            assert isinstance(kinds.value, int)
            which = [i for i in range(len(self.context.kinds)) if kinds.value >> i & 1]
            return make(joined, *(value_of(literal("kind", i)) for i in which))
        test, *branches = kinds.args
        values = [self._of_each_kind(branch, value_of, joined) for branch in branches]
        return make(kinds.name, test, *values, type=values[0].type)

    def infer(self, node: n.Node, view: ExpressionContext) -> Op:
        """Return the operation of a node with its own type."""
        raise NotImplementedError

    def range(self, node: n.Node, view: ExpressionContext, low: int | None) -> tuple[Op, Op]:
        """Return the two bounds of a range; a single number is both bounds."""
        if not isinstance(node, n.Range):
            op = self.check(node, view, "number")
            return op, op
        least = literal("number", low if low is not None else -RANGE_HIGH - 1)
        first = self.check(node.low, view, "number") if node.low else least
        last = self.check(node.high, view, "number") if node.high else None
        return first, last or literal("number", RANGE_HIGH)

    def _allowed(self, word: str, node: n.Node, view: ExpressionContext) -> bool:
        early = view.slot in EARLIEST and word in BOARD_ONLY
        if early or view.slot in FORBIDDEN.get(word, ()):
            places = (
                "the board"
                if view.slot == "board"
                else f"`{_SHOWN_SLOTS.get(view.slot, view.slot)}`"
            )
            message = f"`{word}` cannot be read in {places}, which it depends on"
            help = _instead(word, node, view)
            if view.slot == "before" and self._before:
                help = without_call(help, self._before)
            self.context.report("not-here", _word_span(word, node), message, help)
            return False
        if self.context.hiding.choices and word in RECALLING:
            message = f"`{word}` reads earlier positions: no game with `together` keeps them"
            self.context.report("not-here", _word_span(word, node), message)
            return False
        if view.slot in VIEWED and self.context.hiding and word in BEYOND_VIEW:
            message = f"`{word}` reads more than the player who moves sees"
            help = "let the move be legal, and decide in `do`: that reads the whole position"
            self.context.report("hidden-read", _word_span(word, node), message, help)
        return True

    def _enter(self, node: n.Node, name: str = "") -> bool:
        """Begin the expansion of a name; report a circular definition."""
        word = name or (node.word if isinstance(node, n.Name) else "")
        if word in self._open:
            circle = " -> ".join([*self._open[self._open.index(word) :], word])
            alone = self._open[-1] == word
            help = "say it without its own name" if alone else "say one without the others"
            self.context.report("circle", node.span, f"defined by itself: {circle}", help)
            return False
        self._open.append(word)
        return True

    def _mismatch(self, op: Op, expected: str, node: n.Node) -> None:
        type_name = SHOWN_TYPES[op.type]
        message = f"expected {SHOWN_TYPES[expected]}, found {type_name}"
        help = suggest_conversion(op, expected, node, self.context)
        self.context.report("type-mismatch", node.span, message, help=help, label=type_name)


def _is_all(op: Op) -> bool:
    """True if a value is `all` for each player, under whatever name."""
    if is_by_side(op):
        return all(map(_is_all, alternatives(op)))
    return is_whole_board(op)


def _word_span(word: str, node: n.Node) -> Span:
    """Return the span of the word itself if it is called."""
    calls = isinstance(node, n.Call) and node.function == word
    return node.name_span if calls and isinstance(node, n.Call) else node.span


def without_call(help: str, call: n.Call) -> Suggestion:
    """Return the help with the fix to write the argument alone, in brackets if it needs them."""
    argument = call.arguments[0]
    is_one = isinstance(argument, n.Name | n.Number | n.Call | n.Each)
    write = argument.span.text if is_one else f"({argument.span.text})"
    return Suggestion(help, write, call.span)


def _instead(word: str, node: n.Node, view: ExpressionContext) -> str:
    """Suggest an alternative where a word is not allowed."""
    if view.slot == "board":
        return "a board is made of cells, numbers and parameters"
    if view.slot == "pieces":
        return "how many there can be follows from numbers and parameters"
    if view.slot == "before":
        return f"a position before the move has no `{word}`: read it outside `before`"
    if word in NAMES and NAMES[word].op == "record":
        # Registers that live for a move have their start values again when scores are evaluated.
        return "keep it in a register" + ("" if view.slot == "score" else " with `lives: move`")
    if word == "after" and isinstance(node, n.Call) and node.arguments:
        value = node.arguments[0].span.text
        return Suggestion(
            "the move has been made where this is read: leave `after` out", value, node.span
        )
    return _INSTEAD.get(word, "")
