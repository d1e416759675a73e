"""A Pygments lexer of specs: YAML with expressions of the language as scalars.

Needs Pygments, which comes with the extra `docs`. Pygments finds the lexer by the name
`rulesengine`.
"""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers.data import YamlLexer
from pygments.token import (
    Error,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    Text,
    _TokenType,
)

from rulesengine.tools.explain.word_classes import WordClass, word_classes

_TOKENS = MappingProxyType(
    {
        WordClass.FUNCTION: Name.Function,
        WordClass.NAME: Name.Builtin,
        WordClass.DIRECTION: Name.Constant,
        WordClass.KEYWORD: Keyword,
    }
)
_PARTS = re.compile(
    r"(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<number>\d+)"
    r"|(?P<operator><=|>=|!=|[-+*/%<>=])"
    r"|(?P<punctuation>[(),:.{}\[\]]+)"
    r"|(?P<text>.)",
    re.S,
)
_GROUPS = MappingProxyType(
    {"number": Number, "operator": Operator, "punctuation": Punctuation, "text": Text}
)
# Plain scalars, and the lines of block scalars.
_SCALARS = (Literal.Scalar.Plain, Name.Constant)
# Keys with text for people.
_PROSE = frozenset({"about", "name", "reason", "says", "source", "summary"})


class SpecLexer(Lexer):
    """Tokenise a spec: the YAML lexer of Pygments, with expressions split into words."""

    name = "rulesengine spec"
    url = ""
    aliases = ("rulesengine",)
    filenames = ()
    version_added = ""

    def __init__(self, **options: Any) -> None:
        """Create the lexer; the options are those of Pygments' lexers."""
        super().__init__(**options)
        self._yaml = YamlLexer(**options)

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield (offset, token type, text); the texts together are the input."""
        key = ""
        untyped: Any = self._yaml  # its stubs have no types for the method
        for offset, token, value in untyped.get_tokens_unprocessed(text):
            if token in Name.Tag:
                key = value.strip()
            if token in Error:  # a spec with a mistake
                yield offset, Text, value
            elif not any(token in scalar for scalar in _SCALARS):
                yield offset, token, value
            elif key in _PROSE:
                yield offset, Text, value
            else:
                yield from _expression(offset, value)


def _expression(offset: int, value: str) -> Iterator[tuple[int, _TokenType, str]]:
    classes = word_classes()
    for found in _PARTS.finditer(value):
        group = found.lastgroup or "text"
        yield offset + found.start(), _token(group, classes.get(found[0])), found[0]


def _token(group: str, word: WordClass | None) -> _TokenType:
    """Return the token of a part of an expression; other words are names of the spec."""
    if group != "word":
        return _GROUPS[group]
    return Name if word is None else _TOKENS[word]
