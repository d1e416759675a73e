"""Division of a text in Portable Game Notation into games without reading every token."""

import re
from collections.abc import Iterator

from rulesengine.support.frozen import record

_HEADERS = re.compile(r"(?:^\[[^\n]*\n\s*)+", re.MULTILINE)
_PAIR = re.compile(r'\[(\w+) "([^"\\\n]*)"\]')
# Characters of comments, variations, glyphs and lines that are ignored.
_MARKS = re.compile(r"[{}();$%\[\]!?]")
_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})


@record
class Chunk:
    """The text of one game or of several, from the headers on.

    `words` are the moves of a single game without comments and variations, else None.
    """

    text: str
    headers: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] | None = None
    result: str = ""


def chunks(text: str) -> Iterator[Chunk]:
    """Yield the games of a text.

    Headers inside a comment are no division: the rest of such a text is one chunk.
    """
    begins = [match.span() for match in _HEADERS.finditer(text)]
    if not begins or text[: begins[0][0]].strip():
        yield Chunk(text)
        return
    for number, (begin, end) in enumerate(begins):
        after = begins[number + 1][0] if number + 1 < len(begins) else len(text)
        moves = text[end:after]
        if moves.count("{") != moves.count("}"):
            yield Chunk(text[begin:])
            return
        yield _plain(text[begin:end], moves) or Chunk(text[begin:after])


def _plain(headers: str, moves: str) -> Chunk | None:
    """Return the chunk of a game without comments and variations; None for any other."""
    pairs = _PAIR.findall(headers)
    if _MARKS.search(moves) or len(pairs) != headers.count("\n[") + headers.startswith("["):
        return None
    every = moves.split()
    words = [word for word in every if word[-1] != "."]
    result = words.pop() if words and words[-1] in _RESULTS else ""
    if not result or not _RESULTS.isdisjoint(words) or "." in "".join(words):
        return None
    return Chunk(headers + moves, tuple(pairs), tuple(words), result)
