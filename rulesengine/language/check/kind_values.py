"""Values of kinds of piece, registers of kinds, and the values before a move.

See decisions 139 and 140.
"""

from types import MappingProxyType
from typing import cast

from rulesengine.language.check.base import without_call
from rulesengine.language.check.context import (
    SHOWN_TYPES,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.check.names import NameChecker
from rulesengine.language.ir.ops import Op, Type, literal, make
from rulesengine.language.ir.rules import Register
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span

# The value of a kind without the key, and of no piece, by type.
_ABSENT: MappingProxyType[str, int | str] = MappingProxyType(
    {
        **dict.fromkeys(("number", "flag", "cells", "directions"), 0),
        **dict.fromkeys(("cell", "side", "kind"), -1),
        "text": "",
    }
)
_LED = frozenset({"direction", "directions"})
_OF_CELLS = frozenset({"cells", "cell", "side", "kind", "kinds"})
# The slots of effects of a move and of the next player, where a move has a state before it.
_MOVING = frozenset({"effects", "turn"})


class KindChecker(NameChecker):
    """A layer of the expression checker for values that differ between kinds of piece."""

    def value_of_kind(self, word: str, kind: n.Node, span: Span, view: ExpressionContext) -> Op:
        """Check `ways of kind(c)`, a value that kinds of piece have in `pieces`."""
        self.context.used.add(word)
        which = self.check(kind, view, "kind")
        values = self._values(word, span, view)
        if is_error(which) or values is None:
            return error_op()
        site = str(self.context.site(span))
        return make("by_kind", which, *values, value=(word, site), type=values[0].type)

    def value_by_kind(self, word: str, span: Span) -> Op:
        """Return the values of all kinds, as `player` reads them, by a variable for the kind."""
        values = self._values(word, span, ExpressionContext(self.context.free_slot))
        kind = Op("variable", "kind", (), "kind")
        if values is None:
            return error_op()
        return make("by_kind", kind, *values, value=(word, "0"), type=values[0].type)

    def register_of_kind(
        self, register: Register, reader: n.Node, span: Span, view: ExpressionContext
    ) -> Op:
        """Check `hand of pawn`, the register of a kind of piece."""
        self.context.used.add(register.name)
        self._check_reading(register, span, view)
        kind, sides = self.kind_and_side(register, reader, view)
        if is_error(kind) or any(map(is_error, sides)):
            return error_op()
        self.check_seen(register, sides, span, view)
        location = (register.name, str(self.context.site(span)))
        return make("kind_register", kind, *sides, value=location, type=register.type)

    def kind_and_side(
        self, register: Register, reader: n.Node, view: ExpressionContext
    ) -> tuple[Op, tuple[Op, ...]]:
        """Return the kind that a register is read for, and the side if it has a value for each.

        `pawn of white` is the kind and the side, `pawn` the kind for the viewpoint.
        """
        if register.each == "kind":
            return self.check(reader, view, "kind"), ()
        if isinstance(reader, n.Name) and self.context.side_named(reader.word):
            return self._without_kind(register, reader), ()
        if isinstance(reader, n.OfSide) and not self._is_kind_of_something(reader.name.word):
            return self.check(reader.name, view, "kind"), (self.check(reader.side, view, "side"),)
        return self.check(reader, view, "kind"), (view.side,)

    def before(self, node: n.Call, view: ExpressionContext) -> Op:
        """Check `before(VALUE)`, a value in the state before the move."""
        if view.slot not in _MOVING:
            message = "there is no state before the move here"
            help = "read it in `do` or `turn` and keep it in a register, or leave `before` out"
            if len(node.arguments) == 1:
                help = without_call(help, node)
            self.context.report("not-here", node.name_span, message, help)
            return error_op()
        outer, self._before = self._before, node
        body = self.infer(node.arguments[0], view.before_move())
        self._before = outer
        return body if is_error(body) else make("before", body, type=body.type)

    def of_no_kind(self, node: n.Name) -> Op:
        """Report a value of kinds, or a register of kinds, without a kind."""
        word = node.word
        message = f"`{word}` has a value for each kind of piece"
        kind = self.context.kinds[0].name if self.context.kinds else "pawn"
        help = Suggestion("say of which kind", f"{word} of {kind}")
        self.context.report("type-mismatch", node.span, message, help)
        return error_op()

    def _without_kind(self, register: Register, side: n.Name) -> Op:
        """Report `hand of white`, where the kind of piece is missing."""
        kind = self.context.kinds[0].name if self.context.kinds else "pawn"
        message = f"`{register.name}` has a value for each kind of piece"
        help = Suggestion("say of which kind", f"{kind} of {side.word}")
        self.context.report("type-mismatch", side.span, message, help)
        return error_op()

    def _is_kind_of_something(self, word: str) -> bool:
        """True if `WORD of x` is a kind: a value of kinds, or a register that holds a kind."""
        register = self.context.registers.get(word)
        return word in self.context.kind_values or (
            register is not None and register.type == "kind"
        )

    def _values(self, word: str, span: Span, view: ExpressionContext) -> list[Op] | None:
        """Return the values of all kinds, and that of no piece if there is one."""
        if not self._enter(n.Name(span, word)):
            return None
        nodes = self.context.kind_values[word]
        inner = ExpressionContext(view.slot, view.side)
        typed = [(self.infer(node, inner), node) for node in nodes if node is not None]
        self._open.pop()
        if any(is_error(op) for op, _ in typed):
            return None
        wide = _united([op.type for op, _ in typed])
        if not wide:
            self._mismatch(typed[1][0], typed[0][0].type, typed[1][1])
            return None
        values = iter([self.coerce(op, wide, node) for op, node in typed])
        absent = literal(cast(Type, wide), _ABSENT[wide]) if wide in _ABSENT else None
        if absent is None and None in nodes:
            message = f"`{word}` is {SHOWN_TYPES[wide]}, which every kind must have"
            self.context.report("missing-key", span, message)
            return None
        checked = [absent if node is None else next(values) for node in nodes]
        return [op for op in (*checked, absent) if op is not None]


def _united(types: list[str]) -> str:
    """Return the type that values of all these types are converted to; empty if there is none."""
    if any(type in _LED for type in types):
        fits = all(type in _LED or type == "cells" for type in types)
        return "directions" if fits else ""
    if len(set(types)) == 1:
        return "cells" if types[0] == "kinds" else types[0]
    return "cells" if all(type in _OF_CELLS for type in types) else ""
