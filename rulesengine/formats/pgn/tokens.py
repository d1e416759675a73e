"""The tokens of Portable Game Notation, and their division into games."""

import re
from collections.abc import Iterator
from enum import IntEnum

from rulesengine.support.frozen import record

_START = re.compile(r"\s*(?:%.*\n\s*)*(?:\{[^}]*\}\s*)*(?:\[\s*\w+\s+\"|1\s*\.)")


class Kind(IntEnum):
    """The kinds of tokens, by the number of their group in the pattern.

    `CUT` follows a comment without its end.
    """

    WORD = 1
    NUMBER = 2
    COMMENT = 3
    GLYPH = 4
    OPEN = 5
    CLOSE = 6
    RESULT = 7
    HEADER = 8
    LINE_COMMENT = 9
    IGNORED = 10
    UNKNOWN = 11
    CUT = 12


COMMENTS = frozenset({Kind.COMMENT, Kind.LINE_COMMENT, Kind.CUT})


# A result precedes a number and a number precedes a word, since all of them may begin with a digit.
# The mark of a capture en passant, `e.p.`, is ignored; it may be joined to the move.
_TOKEN = re.compile(
    r"""((?!e\.\ ?p\.|[0-9]+\s*\.|(?:1-0|0-1|1/2-1/2|½[-–]½)(?![^\s{}()\[\];]))
        [^\s{}()\[\];$!?.%*]+(?:(?<=[0-9+-])\.[0-9]+)?(?!(?<=e)\.\ ?p\.)[!?]*)
    |([0-9]+\s*\.+|\.+)
    |\{([^}]*)(?:\}|\Z)
    |(\$[0-9]{1,3}|[!?]{1,2})
    |(\()
    |(\))
    |(1-0|0-1|1/2-1/2|½[-–]½|\*)
    |(^\s*\[[^\n]*\]|\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\])
    |;([^\n]*)
    |(^%[^\n]*|e\.\ ?p\.[+#]?)
    |(\S)""",
    re.VERBOSE | re.MULTILINE,
)
_HEADER = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_ESCAPED = re.compile(r'\\(["\\])')

Token = tuple[int, str]


@record
class RawGame:
    """The headers and tokens of one game; `broken` are lines that look like headers."""

    headers: tuple[tuple[str, str], ...]
    tokens: tuple[Token, ...]
    broken: tuple[str, ...]


def is_pgn(text: str) -> bool:
    """True if a text begins with a header or with the number of the first move."""
    return _START.match(text) is not None


def raw_games(text: str) -> Iterator[RawGame]:
    """Yield the games of a text.

    A game ends with its result, or where headers follow its moves.
    """
    headers: list[tuple[str, str]] = []
    tokens: list[Token] = []
    broken: list[str] = []
    header, result, number = int(Kind.HEADER), int(Kind.RESULT), int(Kind.NUMBER)
    depth = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastindex or 0
        if kind == number or kind == Kind.IGNORED:
            continue
        if kind == header:
            if tokens:
                yield RawGame(tuple(headers), tuple(tokens), tuple(broken))
                headers, tokens, broken, depth = [], [], [], 0
            tag_pair = _HEADER.fullmatch(match[0])
            if tag_pair is None:
                broken.append(match[0].strip())
            else:
                headers.append((tag_pair[1], _ESCAPED.sub(r"\1", tag_pair[2])))
            continue
        tokens.append((kind, match[kind]))
        if kind == Kind.COMMENT and match[0][-1] != "}":
            tokens.append((Kind.CUT, "{"))
        elif kind == Kind.OPEN:
            depth += 1
        elif kind == Kind.CLOSE:
            depth -= 1
        elif kind == result and depth <= 0:
            yield RawGame(tuple(headers), tuple(tokens), tuple(broken))
            headers, tokens, broken, depth = [], [], [], 0
    has_game = any(kind not in COMMENTS for kind, _ in tokens)
    if headers or broken or has_game:
        yield RawGame(tuple(headers), tuple(tokens), tuple(broken))
