"""The tokens of Portable Draughts Notation, as those of Portable Game Notation."""

import re
from collections.abc import Iterator

from rulesengine.formats.pgn.tokens import COMMENTS, Kind, RawGame, Token

_TOKEN = re.compile(
    r"""((?:[0-9]{1,3}|[A-Za-z][0-9]{1,2})
        (?:\s?[-x:]\s?(?:[0-9]{1,3}|[A-Za-z][0-9]{1,2}))+(?:[!?]{1,2}|\*)?)(?![-0-9])
    |([0-9]+\s*\.+|\.+)
    |\{([^}]*)(?:\}|\Z)
    |(\$[0-9]{1,3}|[!?]{1,2}|\(\s*[!?*]{1,2}\s*\))
    |(\()
    |(\))
    |(1/2-1/2|[012]-[012]|\*)
    |(^\s*\[[^\n]*\]|\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\])
    |;([^\n]*)
    |(^%[^\n]*)
    |([^\s(){};$]+)""",
    re.VERBOSE | re.MULTILINE,
)
_HEADER = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_ESCAPED = re.compile(r'\\(["\\])')
_RESULT = re.compile(r"1/2-1/2|[012]-[012]")


class _Draft:
    """A game under construction."""

    def __init__(self) -> None:
        self.headers: list[tuple[str, str]] = []
        self.tokens: list[Token] = []
        self.broken: list[str] = []
        self.depth = 0

    def game(self) -> RawGame:
        """Return the game."""
        return RawGame(tuple(self.headers), tuple(self.tokens), tuple(self.broken))

    def add_header(self, text: str) -> None:
        """Add a line that looks like a header."""
        match = _HEADER.fullmatch(text)
        if match is None:
            self.broken.append(text.strip())
            return
        name, value = match[1], _ESCAPED.sub(r"\1", match[2])
        self.headers.append((name, value))


def raw_games(text: str) -> Iterator[RawGame]:
    """Yield the games of a text; a game ends with its result, or where headers follow moves."""
    draft = _Draft()
    for match in _TOKEN.finditer(text):
        kind, word = match.lastindex or 0, match[match.lastindex or 0]
        if kind == Kind.WORD and _RESULT.fullmatch(word):
            kind = Kind.RESULT
        match kind:
            case Kind.NUMBER | Kind.IGNORED:
                continue
            case Kind.HEADER:
                if draft.tokens:
                    yield draft.game()
                    draft = _Draft()
                draft.add_header(word)
                continue
            case Kind.WORD:
                word = re.sub(r"\s", "", word).removesuffix("*")
            case Kind.GLYPH:
                word = word.strip("()").strip()
            case Kind.UNKNOWN:
                kind = Kind.WORD  # reported as a move that is not legal
            case Kind.OPEN:
                draft.depth += 1
            case Kind.CLOSE:
                draft.depth -= 1
        if word != "*" or kind == Kind.RESULT:
            draft.tokens.append((kind, word))
        if kind == Kind.COMMENT and match[0][-1] != "}":
            draft.tokens.append((Kind.CUT, "{"))
        if kind == Kind.RESULT and draft.depth <= 0:
            yield draft.game()
            draft = _Draft()
    has_game = any(kind not in COMMENTS for kind, _ in draft.tokens)
    if draft.headers or draft.broken or has_game:
        yield draft.game()
