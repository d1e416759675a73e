"""The choices of a step in addition to its cells: one of some values, or of several named lists."""

import string
from collections.abc import Iterable
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from itertools import product
from math import prod
from types import MappingProxyType

from rulesengine.language.check.builtins import NAMES
from rulesengine.language.check.context import (
    SHOWN_TYPES,
    Context,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.check.declarations import NOT_NAMES
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.reader import Reader, entries, items
from rulesengine.language.check.suggestions import new_name
from rulesengine.language.document.edits import without_entry, without_item
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.language.ir.ops import OPS, Op, literal, make, walk
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import GROUP, Choice
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.limits import MAX_CHOICES
from rulesengine.support.source import Span

# Types of choices that a step stores directly; values of other types are stored by their index.
_HELD = frozenset({"number", "kind", "side", "cell"})
_TYPES = _HELD | {"direction", "text"}
# The value of a choice in a move without one; for other types the value that means none.
_NONE: Table[str, int | str] = MappingProxyType({"number": 0, "text": "", "cells": 0})
CHOICE = Op("variable", "number", (), "choice")


@dataclass(frozen=True, slots=True)
class ChoiceTable:
    """The possible choices of a step, the named choices, and the operations of the names."""

    values: tuple[Op, ...] = ()
    choices: tuple[Choice, ...] = ()
    names: Table[str, Op] = field(default_factory=dict)


def is_fixed(op: Op) -> bool:
    """True if a value is the same in all positions and for all players."""
    return all(OPS[inner.name].reads <= {"names"} for inner in walk(op) if inner.name in OPS)


def last_step_choices(groups: Iterable[Table[str, Op]]) -> dict[str, Op]:
    """Return the names of choices for rules about whole moves: the choice of the last step.

    A move without that choice has the value that means none. A name with values of several types is
    left out.
    """
    choices: dict[str, dict[int, Op]] = {}
    for number, names in enumerate(groups):
        for name, op in names.items():
            choices.setdefault(name, {})[number] = op
    return {
        name: _of_last_step(values)
        for name, values in choices.items()
        if len({op.type for op in values.values()}) == 1
    }


def _of_last_step(values: Table[int, Op]) -> Op:
    """Select a value by the number of the group, among the groups that have the choice."""
    type = next(iter(values.values())).type
    op = literal(type, _NONE.get(type, -1))
    for number, value in values.items():
        here = make("equal", Op("variable", "number", (), GROUP), literal("number", number))
        op = make("if", here, value, op, type=type)
    return op


class ChoiceChecker:
    """The checker of the `choice` of groups."""

    def __init__(self, context: Context, reader: Reader, expressions: ExpressionChecker) -> None:
        self.context = context
        self.reader = reader
        self.expressions = expressions

    def check(self, node: Node | None, at: ExpressionContext) -> ChoiceTable:
        """Check the choices of a group: a list of values, or a map of names to lists."""
        if isinstance(node, Mapping):
            lists = [Choice(key, self._named(key, span, of, at)) for key, span, of in entries(node)]
            joined = self._joined(tuple(choice for choice in lists if choice.values), node)
            wrong = self._wrong(choice.name for choice in lists if not choice.values)
            return ChoiceTable(joined.values, joined.choices, {**joined.names, **wrong})
        values = self._values(node, at)
        if values and values[0].type in _HELD:
            return ChoiceTable(values, (), {"choice": Op("variable", values[0].type, (), "choice")})
        values = self.fixed(values, node, "a choice of directions or texts")
        if values:
            return self._joined((Choice("choice", values),), node)
        return ChoiceTable((), (), self._wrong(["choice"] if node is not None else []))

    def kinds(self, node: Node, at: ExpressionContext) -> tuple[Op, ...]:
        """Check a kind, an attribute or a list of them, the same in all positions."""
        kinds: list[Op] = []
        for item in items(node):
            parsed = self.reader.parse(item)
            op = error_op() if parsed is None else self.expressions.infer(parsed, at)
            if parsed is not None and not (op.type == "kinds" and is_constant(op)):
                op = self.expressions.coerce(op, "kind", parsed)
            kinds += [] if is_error(op) else self._each_kind(op)
        return self.fixed(tuple(kinds), node, "a tile", self._tile())

    def _tile(self) -> str:
        """Return a help that names the first kind with a tile, or an empty text."""
        kind = next((kind.name for kind in self.context.kinds if kind.tile), "")
        return Suggestion(f"name a kind with a tile, such as `{kind}`", kind) if kind else ""

    def _wrong(self, names: Iterable[str]) -> dict[str, Op]:
        """Mark names with reported values as broken, to suppress errors at their uses."""
        wrong = dict.fromkeys(names, error_op())
        self.context.broken |= set(wrong)
        return wrong

    def _named(self, name: str, span: Span, node: Node, at: ExpressionContext) -> tuple[Op, ...]:
        if name in NOT_NAMES or name in NAMES or self.is_declared(name):
            message = f"`{name}` has a meaning already"
            self.context.report("name-taken", span, message, new_name(name))
        return self.fixed(self._values(node, at), node, "a named choice")

    def is_declared(self, name: str) -> bool:
        """True if the spec declares a name."""
        context = self.context
        declared = (context.attributes, context.parameters, context.registers, context.named)
        known = any(name in names for names in (*declared, context.definitions))
        return known or name in {*context.kind_names, *(p.name for p in context.players)}

    def fixed(
        self, values: tuple[Op, ...], node: Node | None, subject: str, instead: str = ""
    ) -> tuple[Op, ...]:
        """Return the values, or none if one depends on the position; report duplicates.

        `instead` is a help for a single value, outside a list.
        """
        for number, (op, item) in enumerate(zip(values, items(node), strict=False)):
            if not is_fixed(op):
                message = f"{subject} is among values that are the same in all positions"
                help = "write kinds, numbers, players, cells, directions or texts"
                alone = instead if item is node else ""
                help = alone or _without(node, item, help)
                self.context.report("not-here", item.span, message, help)
                return ()
            elif _plain(op) in map(_plain, values[:number]):
                message = "this value occurs twice among the choices"
                help = _without(node, item, "leave one out")
                self.context.report("not-allowed-value", item.span, message, help)
        return values

    def _joined(self, choices: tuple[Choice, ...], node: Node | None) -> ChoiceTable:
        """Represent every combination of the choices by its index."""
        count = prod(len(choice.values) for choice in choices)
        if count > MAX_CHOICES and node is not None:
            message = f"{count:,} combinations of choices, at most {MAX_CHOICES} are allowed"
            help = "choose less at once"
            if isinstance(node, Mapping):
                span, write = without_entry(node, node.entries[-1])
                help = Suggestion(f"{help}, without `{node.entries[-1].key}` for one", write, span)
            self.context.report("too-large", node.span, message, help)
            return ChoiceTable((), (), self._wrong(choice.name for choice in choices))
        rows = list(product(*(choice.values for choice in choices))) if choices else []
        names = {
            choice.name: make("chosen", CHOICE, *column, value=choice.name, type=column[0].type)
            for choice, column in zip(choices, zip(*rows, strict=True), strict=True)
        }
        places = tuple(literal("number", place) for place in range(len(rows)))
        return ChoiceTable(places, choices, names)

    def _values(self, node: Node | None, at: ExpressionContext) -> tuple[Op, ...]:
        """Check the possible values, all of one type."""
        values: list[Op] = []
        for item in items(node):
            parsed = self.reader.parse(item)
            if parsed is None:
                continue
            if values:
                op = self.expressions.check(parsed, at, values[0].type)
            else:
                op = self._first(parsed, item, at)
            if not is_error(op):
                self._one_word(op, item)
                values += self._each_kind(op)
        return tuple(values)

    def _each_kind(self, op: Op) -> list[Op]:
        """Return the single value, or each kind of an attribute."""
        if op.type != "kinds":
            return [op]
        assert isinstance(op.value, int)
        numbers = range(len(self.context.kinds))
        return [literal("kind", number) for number in numbers if op.value >> number & 1]

    def _one_word(self, op: Op, item: Node) -> None:
        """Report a text that could not be parsed back from a move."""
        texts = [str(o.value) for o in walk(op) if is_constant(o) and o.type == "text"]
        wrong = next(
            (text for text in texts if not text or set(text) & set(string.whitespace)), None
        )
        if wrong is not None:
            word = "-".join(wrong.split()) or "none"
            help = Suggestion(f"write `{word}`", f"'\"{word}\"'") if is_constant(op) else ""
            message = "the text of a choice is one word, it is part of how a move is written"
            self.context.report("not-allowed-value", item.span, message, help)

    def _first(self, node: n.Node, item: Node, at: ExpressionContext) -> Op:
        """Check the first value of a choice, which determines the type of the others."""
        before = len(self.context.findings)
        op = self.expressions.infer(node, at)
        if is_error(op):
            self._quoted(item, before)
            return op
        if op.type in _TYPES or (op.type == "kinds" and is_constant(op)):
            return op
        message = (
            "a choice is among numbers, kinds, players, cells, directions or texts,"
            f" not {SHOWN_TYPES[op.type]}"
        )
        self.context.report("type-mismatch", node.span, message)
        return error_op()

    def _quoted(self, item: Node, before: int) -> None:
        """Suggest quotation marks for an unknown word."""
        new = self.context.findings[before:]
        word = item.text.text if isinstance(item, Scalar) else ""
        unknown = len(new) == 1 and new[0].code == "unknown-name" and word.isidentifier()
        names = [*self.context.kind_names, *(player.name for player in self.context.players)]
        if not unknown or did_you_mean(word, names):
            return
        help = f"a text has quotation marks, inside those of YAML: '\"{word}\"'"
        first = new[0]
        del self.context.findings[before:]
        self.context.report(
            first.code, first.span, first.message, Suggestion(help, f"'\"{word}\"'")
        )


def _without(node: Node | None, item: Node, help: str) -> str:
    """Return a help that removes an item from its list."""
    if not isinstance(node, Sequence) or len(node.items) < 2:
        return help
    span, write = without_item(node, item)
    return Suggestion(help, write, span)


def _plain(op: Op) -> object:
    """Return a key that identifies a simple value; an operation is identified by its id."""
    named = op.value[0] if isinstance(op.value, tuple) else op.value
    return id(op) if op.args else (op.name, named)
