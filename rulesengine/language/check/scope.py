"""The names of a script while it is checked: what each stands for from one line to the next."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import cast

from rulesengine.language.check.context import (
    ENDED,
    GONE,
    LAST_STEP,
    PLAYER,
    SHOWN_TYPES,
    STEP,
    Context,
    View,
    error_op,
)
from rulesengine.language.check.expressions import Expressions
from rulesengine.language.check.suggestions import new_name
from rulesengine.language.check.templates import template
from rulesengine.language.document.nodes import Node
from rulesengine.language.ir.ops import ON_BOARD, Op, Type, make
from rulesengine.language.ir.rules import Key, Strategy, Template
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.script import Line
from rulesengine.support.frozen import replace
from rulesengine.support.source import Span

NEVER_NAMES = frozenset({"to", "from", "move", "reason", "it", "player"})
# What checks the keys of a strategy.
Keys = Callable[[Node | None, View], tuple[Key, ...]]
_TOLD = MappingProxyType(
    {
        "move": Op("variable", "text", (), "move"),
        "word": Op("variable", "text", (), "word"),
        "reason": make("reason"),
    }
)


class Scope:
    """Names with the operations that they stand for here, and the type that each has throughout."""

    def __init__(self, context: Context, expressions: Expressions, keys: Keys) -> None:
        self.context = context
        self.keys = keys
        self.expressions = expressions
        self.variables = dict(_TOLD)
        self.types: dict[str, str] = dict.fromkeys(_TOLD, "text")
        # Strategies with parameters by these and their types, with the names that they were given.
        self.chosen: dict[tuple[str, tuple[Type, ...]], tuple[Strategy, tuple[str, ...]]] = {}

    def view(self, step: bool = False) -> View:
        variables = MappingProxyType(dict(self.variables))
        return View("script", PLAYER, variables, STEP if step else LAST_STEP)

    def value(self, node: n.Node | None, want: str, step: bool = False) -> Op:
        assert node is not None
        return self.expressions.check(node, self.view(step), want)

    def number(self, node: n.Node | None) -> Op | None:
        return self.value(node, "number") if node else None

    def text(self, node: n.Node | None, step: bool = False) -> Template:
        assert isinstance(node, n.Text)
        return template(node, self.expressions, self.view(step))

    def bind_words(self, line: Line, type: str) -> tuple[str, ...]:
        """Let the names in a line stand for values of a type from here on."""
        for word, span in zip(line.words, line.places, strict=True):
            self.bind(word, type, span)
        return line.words

    def bind(self, word: str, type: str, span: Span) -> None:
        """Let a name stand for a value of a type from here on."""
        context = self.context
        declared = word in context.parameters or word in context.registers
        if word in NEVER_NAMES or declared or word in context.definitions:
            message = f"`{word}` already has a meaning"
            context.report("name-taken", span, message, new_name(word))
        known = self.types.setdefault(word, type) if type != "error" else "error"
        if known not in (type, "error"):
            message = f"`{word}` is {SHOWN_TYPES[known]} above, and {SHOWN_TYPES[type]} here"
            context.report("type-mismatch", span, message, new_name(word))
        if type != "error":
            self.variables[word] = Op("variable", cast(Type, type), (), word)
        elif word not in self.variables:
            self.variables[word] = error_op()  # it has been reported: its uses are no findings

    @contextmanager
    def local(self, word: str, type: str, span: Span) -> Iterator[None]:
        """A name that stands for a value of a type in one part of the script alone."""
        outer, known = self.variables.get(word), self.types.pop(word, None)
        self.bind(word, type, span)
        yield
        self.types.pop(word, None)
        self.variables[word] = outer or replace(error_op(), name=ENDED)
        if known is not None:
            self.types[word] = known

    def leave_board(self) -> None:
        """Let go of the values that are cells or directions of a board which is no more."""
        for word, op in self.variables.items():
            if op.type in ON_BOARD:
                self.variables[word] = replace(error_op(), name=GONE)
