"""A Pygments lexer of specs: YAML with expressions of the language as scalars.

Needs Pygments, which comes with the extra `docs`. Pygments finds the lexer by the name
`rulesengine`.
"""

import re
from collections.abc import Iterator, Sequence
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

from rulesengine.tools.explain.word_classes import (
    EXPRESSION_KEYS,
    PROSE_KEYS,
    WordClass,
    word_classes,
)

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
_CALL = re.compile(r"([a-z_]+)\(")
# Plain scalars of block and of flow collections, and the lines of block scalars.
_SCALARS = (Literal.Scalar.Plain, Name.Variable, Name.Constant)
_Part = tuple[int, _TokenType, str]


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

    def get_tokens_unprocessed(self, text: str) -> Iterator[_Part]:
        """Yield (offset, token type, text); the texts together are the input."""
        key = ""
        tokens = self._yaml_tokens(text)
        for offset, token, value in tokens:
            if _is_a(token, Name.Tag):
                key = value.strip()
            if _is_a(token, Literal.String) and value in "\"'":
                yield from _quoted(key, [(offset, token, value), *_until(value, tokens)])
            elif not any(_is_a(token, scalar) for scalar in _SCALARS):
                yield offset, token, value
            elif key in PROSE_KEYS:
                yield offset, Text, value
            else:
                yield from _expression(offset, value)

    def _yaml_tokens(self, text: str) -> Iterator[_Part]:
        untyped: Any = self._yaml  # its stubs have no types for the method
        for offset, token, value in untyped.get_tokens_unprocessed(text):
            # an error is a spec with a mistake
            yield offset, Text if token is Error else token, value


def _is_a(token: _TokenType, kind: _TokenType) -> bool:
    return kind in token.split()


def _until(quote: str, tokens: Iterator[_Part]) -> Iterator[_Part]:
    """Yield the tokens up to a closing quote."""
    for part in tokens:
        yield part
        if part[1] is Literal.String and part[2] == quote:
            return


def _quoted(key: str, parts: Sequence[_Part]) -> Iterator[_Part]:
    """Yield the tokens of a quoted scalar: of an expression if its key or a call shows one."""
    text = "".join(value for _, _, value in parts[1:-1])
    classes = word_classes()
    calls = (classes.get(name) for name in _CALL.findall(text))
    if key not in EXPRESSION_KEYS and (key in PROSE_KEYS or WordClass.FUNCTION not in calls):
        yield from parts
        return
    yield parts[0]
    for offset, token, value in parts[1:-1]:
        if token is Literal.String:
            yield from _expression(offset, value)
        else:
            yield offset, token, value
    yield from parts[1:][-1:]


def _expression(offset: int, value: str) -> Iterator[_Part]:
    classes = word_classes()
    for match in _PARTS.finditer(value):
        group = match.lastgroup or "text"
        yield offset + match.start(), _token(group, classes.get(match[0])), match[0]


def _token(group: str, word: WordClass | None) -> _TokenType:
    """Return the token of a part of an expression; other words are names of the spec."""
    if group != "word":
        return _GROUPS[group]
    return Name if word is None else _TOKENS[word]
