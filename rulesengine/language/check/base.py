"""What checking an expression rests on: coercion, ranges, circles, and the findings about types."""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.language.check.builtins import NAMES, RANGE_HIGH
from rulesengine.language.check.context import (
    BOARD_ONLY,
    EARLIEST,
    FORBIDDEN,
    SHOWN_TYPES,
    Context,
    View,
    error_op,
    is_error,
)
from rulesengine.language.check.suggestions import type_mend
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Mend
from rulesengine.support.source import Span

# What an operation makes of a value where another type is due.
COERCED = MappingProxyType(
    {
        ("cell", "cells"): "single",
        ("side", "cells"): "owned",
        ("kind", "cells"): "of_kind",
        ("kinds", "cells"): "of_kind",  # of each of them
        ("direction", "directions"): "just",
    }
)
_INSTEAD = MappingProxyType(
    {
        "can_move": "ask it in `turn` or `end`, or give a tier of moves behind `otherwise`",
        "winner": "only `strategies` and `io` can read it",
        "won": "only `strategies` and `io` can read it",
        "lost": "only `strategies` and `io` can read it",
        "drawn": "only `strategies` and `io` can read it",
        "over": "only `strategies` and `io` can read it",
        "replies": "only `strategies` and `io` can look ahead",
        "score": "say what it is made of instead, such as `count(own)`",
    }
)
_SHOWN_SLOTS = MappingProxyType(
    {"effects": "do", "strategy": "strategies", "script": "io", "pieces": "at_most"}
)


class Base:
    """Checks expressions in a context; what a node means is added by the classes above."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._open: list[str] = []
        # What a definition means for given arguments, which are kept so that their ids stay theirs.
        self._memo: dict[tuple[object, ...], tuple[Op, tuple[Op, ...]]] = {}
        self._sides: dict[tuple[object, ...], Op] = {}
        self._level = 0
        self._wanted = ""  # the type that is due where a name stands, for what is offered instead

    def check(self, node: n.Node, view: View, want: str) -> Op:
        """The operation of a node, of the type that is wanted there."""
        self._wanted = want
        op = self.infer(node, view)
        return self.coerce(op, want, node)

    def coerce(self, op: Op, want: str, node: n.Node) -> Op:
        if is_error(op) or op.type == want:
            return op
        if want == "directions" and _is_all(op):
            return Op("named_direction", "directions", (), "all")
        if op.type == "kinds" and want == "cells":
            return self._of_each_kind(op, lambda kind: make("of_kind", kind), "or")
        name = COERCED.get((op.type, want))
        if name:
            return make(name, op)
        self._mismatch(op, want, node)
        return error_op()

    def _of_each_kind(self, kinds: Op, ask: Callable[[Op], Op], joined: str) -> Op:
        """What is asked of several kinds, asked of each; of either branch where there are two."""
        if kinds.name == "literal":
            assert isinstance(kinds.value, int)
            which = [i for i in range(len(self.context.kinds)) if kinds.value >> i & 1]
            return make(joined, *(ask(literal("kind", i)) for i in which))
        test, *branches = kinds.args
        values = [self._of_each_kind(branch, ask, joined) for branch in branches]
        return make(kinds.name, test, *values, type=values[0].type)

    def infer(self, node: n.Node, view: View) -> Op:
        """The operation of a node, of whatever type it has."""
        raise NotImplementedError

    def range(self, node: n.Node, view: View, low: int | None) -> tuple[Op, Op]:
        """The two bounds of a range; a number alone is the range of just that number."""
        if not isinstance(node, n.Range):
            op = self.check(node, view, "number")
            return op, op
        least = literal("number", low if low is not None else -RANGE_HIGH - 1)
        first = self.check(node.low, view, "number") if node.low else least
        last = self.check(node.high, view, "number") if node.high else None
        return first, last or literal("number", RANGE_HIGH)

    def _allowed(self, word: str, node: n.Node, view: View) -> bool:
        early = view.slot in EARLIEST and word in BOARD_ONLY
        if early or view.slot in FORBIDDEN.get(word, ()):
            places = (
                "the board"
                if view.slot == "board"
                else f"`{_SHOWN_SLOTS.get(view.slot, view.slot)}`"
            )
            message = f"`{word}` cannot be read in {places}, which it depends on"
            self.context.report(
                "not-here", _word_span(word, node), message, _instead(word, node, view)
            )
            return False
        return True

    def _enter(self, node: n.Node, name: str = "") -> bool:
        """Note that a name is being read; a circle is reported."""
        word = name or (node.word if isinstance(node, n.Name) else "")
        if word in self._open:
            circle = " -> ".join([*self._open[self._open.index(word) :], word])
            alone = self._open[-1] == word
            help = "say it without its own name" if alone else "say one without the others"
            self.context.report("circle", node.span, f"defined by itself: {circle}", help)
            return False
        self._open.append(word)
        return True

    def _mismatch(self, op: Op, want: str, node: n.Node) -> None:
        found = SHOWN_TYPES[op.type]
        message = f"expected {SHOWN_TYPES[want]}, found {found}"
        help = type_mend(op, want, node, self.context)
        self.context.report("type-mismatch", node.span, message, help=help, label=found)


def _is_all(op: Op) -> bool:
    """Whether a value is `all`, by whatever name, for each player."""
    if op.name == "by_side":
        return all(map(_is_all, op.args[1:]))
    return op.name == "region" and op.value == "all"


def _word_span(word: str, node: n.Node) -> Span:
    """The word itself where it is called."""
    calls = isinstance(node, n.Call) and node.function == word
    return node.name_span if calls and isinstance(node, n.Call) else node.span


def _instead(word: str, node: n.Node, view: View) -> str:
    """What to do where a word cannot be read."""
    if view.slot == "board":
        return "a board is made of cells, numbers and parameters"
    if view.slot == "pieces":
        return "how many there can be follows from numbers and parameters"
    if word in NAMES and NAMES[word].op == "record":
        # What lives for a move is at its start again where scores are asked.
        return "keep it in a register" + ("" if view.slot == "score" else " with `lives: move`")
    if word == "after" and isinstance(node, n.Call) and node.arguments:
        value = node.arguments[0].span.text
        return Mend(
            "the move has been made where this is read: leave `after` out", value, node.span
        )
    return _INSTEAD.get(word, "")
