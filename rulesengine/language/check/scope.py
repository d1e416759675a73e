"""The scope of a script: the meaning of its names, line by line."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import cast

from rulesengine.language.check.builtins import NAMES
from rulesengine.language.check.context import (
    ENDED,
    GONE,
    LAST_STEP,
    PLAYER,
    SHOWN_TYPES,
    STEP,
    Context,
    ExpressionContext,
    error_op,
)
from rulesengine.language.check.declarations import NOT_NAMES
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.suggestions import new_name
from rulesengine.language.check.templates import template
from rulesengine.language.document.nodes import Node
from rulesengine.language.ir.ops import ON_BOARD, Op, Type, make
from rulesengine.language.ir.rules import Key, Strategy, Template
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.script import Line
from rulesengine.support.frozen import replace
from rulesengine.support.source import Span

# The function that checks the keys of a strategy.
Keys = Callable[[Node | None, ExpressionContext], tuple[Key, ...]]
_BUILT_IN = MappingProxyType(
    {
        "move": Op("variable", "text", (), "move"),
        "word": Op("variable", "text", (), "word"),
        "reason": make("reason"),
        "no_numbers": make("no_numbers"),
        "no_words": make("no_words"),
        "empty_symbol": make("empty_symbol"),
    }
)
# The names that a script cannot bind: the words of expressions and of scripts. `word` is not one,
# since statements that read bind it.
NEVER_NAMES = NOT_NAMES | frozenset(NAMES) | (_BUILT_IN.keys() - {"word"})


class Scope:
    """The names with their current operations, and the type of each throughout the script."""

    def __init__(self, context: Context, expressions: ExpressionChecker, keys: Keys) -> None:
        self.context = context
        self.keys = keys
        self.expressions = expressions
        self.variables = dict(_BUILT_IN)
        self.types: dict[str, str] = {word: op.type for word, op in _BUILT_IN.items()}
        # Strategies by name and types of arguments, with the names of their variables.
        self.chosen: dict[tuple[str, tuple[Type, ...]], tuple[Strategy, tuple[str, ...]]] = {}

    def view(self, step: bool = False) -> ExpressionContext:
        variables = MappingProxyType(dict(self.variables))
        return ExpressionContext("script", PLAYER, variables, STEP if step else LAST_STEP)

    def value(self, node: n.Node | None, expected: str, step: bool = False) -> Op:
        assert node is not None
        return self.expressions.check(node, self.view(step), expected)

    def number(self, node: n.Node | None) -> Op | None:
        return self.value(node, "number") if node else None

    def text(self, node: n.Node | None, step: bool = False) -> Template:
        assert isinstance(node, n.Text)
        return template(node, self.expressions, self.view(step))

    def bind_words(self, line: Line, type: str) -> tuple[str, ...]:
        """Bind the names in a line to values of a type from here on."""
        for word, span in zip(line.words, line.places, strict=True):
            self.bind(word, type, span)
        return line.words

    def bind(self, word: str, type: str, span: Span) -> None:
        """Bind a name to a value of a type from here on."""
        context = self.context
        declared = word in context.parameters or word in context.registers
        if word in NEVER_NAMES or declared or word in context.definitions:
            problem = (
                "is a word of the language" if word in NEVER_NAMES else "already has a meaning"
            )
            message = f"`{word}` {problem}"
            context.report("name-taken", span, message, new_name(word))
        known = self.types.setdefault(word, type) if type != "error" else "error"
        if known not in (type, "error"):
            message = f"`{word}` is {SHOWN_TYPES[known]} above, and {SHOWN_TYPES[type]} here"
            context.report("type-mismatch", span, message, new_name(word))
        if type != "error":
            self.variables[word] = Op("variable", cast(Type, type), (), word)
        elif word not in self.variables:
            self.variables[word] = error_op()  # reported already, so its uses are not

    @contextmanager
    def local(self, word: str, type: str, span: Span) -> Iterator[None]:
        """Bind a name to a value of a type in one part of the script only."""
        outer, known = self.variables.get(word), self.types.pop(word, None)
        self.bind(word, type, span)
        yield
        self.types.pop(word, None)
        self.variables[word] = outer or replace(error_op(), name=ENDED)
        if known is not None:
            self.types[word] = known

    def leave_board(self) -> None:
        """Invalidate the variables that hold cells or directions of a replaced board."""
        for word, op in self.variables.items():
            if op.type in ON_BOARD:
                self.variables[word] = replace(error_op(), name=GONE)
