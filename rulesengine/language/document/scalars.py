"""YAML scalars: the source offset of each decoded character, and strict parsing of values.

`decode` takes the scalar as written in the source and the value that YAML decoded.
"""

import re
from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.language.document.nodes import Style
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN
from rulesengine.support.source import Slice, Span

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?[0-9]+\.[0-9]+")
_WORDS: MappingProxyType[str, bool | None] = MappingProxyType(
    {"true": True, "false": False, "null": None, "": None}
)
_INTEGER_DIGITS = 20
_FLOAT_DIGITS = 40

_FOLD = r"(?P<fold>[ \t]*\n[ \t\n]*)|(?P<blank>[ \t]+)|"
_PIECES: MappingProxyType[Style, re.Pattern[str]] = MappingProxyType(
    {
        "plain": re.compile(_FOLD + r"(?P<char>.)"),
        "single": re.compile(_FOLD + r"(?P<escape>'')|(?P<char>.)"),
        "double": re.compile(
            _FOLD + r"(?P<join>\\\n[ \t\n]*)"
            r"|(?P<escape>\\(?:x.{2}|u.{4}|U.{8}|.))|(?P<char>.)"
        ),
    }
)
_ESCAPES = MappingProxyType({
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f",
    "r": "\r", "e": "\x1b", " ": " ", '"': '"', "\\": "\\", "/": "/", "N": "\x85", "_": "\xa0",
    "L": "\u2028", "P": "\u2029",
})  # fmt: skip

_Char = tuple[str, int]


def plain_value(text: str) -> str | int | float | bool | None:
    """Parse an unquoted value more strictly than YAML: `on`, `012`, `1e3`, `~` are text.

    A number outside 64 bits stays text too; the schema reports it where a number is required.
    """
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= _INTEGER_DIGITS and _INTEGER.fullmatch(text):
        number = int(text)
        return number if INTEGER_MIN <= number <= INTEGER_MAX else text
    if len(text) <= _FLOAT_DIGITS and _FLOAT.fullmatch(text):
        return float(text)
    return text


def integer_meant(text: str) -> str:
    """Return a help text for a text that some YAML parsers read as an integer, else empty."""
    digits = text.replace("_", "").removeprefix("+").lower()
    if len(digits) > _INTEGER_DIGITS:
        return ""
    if re.fullmatch(r"-?0[0-7]+", digits):
        return f"write {int(digits, 8)}, not {text} (octal in old YAML), or {int(digits)}"
    if re.fullmatch(r"0[xob][0-9a-f]+", digits):
        try:
            return f"write {int(digits, 0)}, not {text}"
        except ValueError:
            return ""
    if match := re.fullmatch(r"(-?[0-9]+)(?:\.0*)?(?:e\+?(1?[0-9]))?", digits):
        return f"write {int(match[1]) * 10 ** int(match[2] or 0)}, not {text}"
    return ""


def decode(span: Span, style: Style, value: str) -> Slice:
    """Return the value with the offset of each character; `span` is the scalar with its quotes.

    If the two cannot be matched (a rejected tag precedes the value), every character has the offset
    of the start.
    """
    quotes = style in ("single", "double")
    start, end = span.start + quotes, span.end - quotes
    if style in _PIECES and span.source.text[start:end] == value:
        return Slice(span.source, value, tuple(range(start, end + 1)))
    chars = list(_flow(span, style) if style in _PIECES else _block(span, value, style))
    if "".join(char for char, _ in chars) != value:
        return Slice(span.source, value, (span.start,) * len(value) + (span.end,))
    last = end if style in _PIECES or not chars else chars[-1][1] + 1
    return Slice(span.source, value, (*(at for _, at in chars), last))


def _flow(span: Span, style: Style) -> Iterator[_Char]:
    quotes = style != "plain"
    text, start, end = span.source.text, span.start + quotes, span.end - quotes
    for match in _PIECES[style].finditer(text, start, max(start, end)):
        at, piece = match.start(), match[0]
        match match.lastgroup:
            case "fold":
                yield from _fold(piece, at)
            case "join":
                yield from (("\n", at + i) for i in _breaks(piece)[1:])
            case "escape":
                yield (_unescape(piece), at)
            case _:
                yield from ((char, at + i) for i, char in enumerate(piece))


def _fold(piece: str, at: int) -> Iterator[_Char]:
    """Fold line breaks: one becomes a blank, several become one less."""
    first, *others = _breaks(piece)
    if not others:
        yield (" ", at + first)
    yield from (("\n", at + i) for i in others)


def _breaks(piece: str) -> list[int]:
    return [i for i, char in enumerate(piece) if char == "\n"]


def _unescape(piece: str) -> str:
    if piece == "''":
        return "'"
    if len(piece) == 2:
        return _ESCAPES.get(piece[1], "")
    try:
        return chr(int(piece[2:], 16))
    except (ValueError, OverflowError):
        return ""


def _block(span: Span, value: str, style: Style) -> Iterator[_Char]:
    """Decode a block scalar by the algorithm of PyYAML's `scan_block_scalar`, with offsets."""
    (header, _), *lines = _lines(span)
    chomping = header.split("#")[0]
    indent = _indent([line for line, _ in lines], value)
    cut = [_cut_indent(line, at, indent) for line, at in lines]
    # reversed, because lines are popped from the end
    body = [part for part in reversed(cut) if part[0]]
    yield from _gap(body)
    while body:
        line, at = body.pop()
        yield from ((char, at + i) for i, char in enumerate(line.rstrip("\n")))
        end = [("\n", at + len(line) - 1)] if line.endswith("\n") else []
        gap = _gap(body)
        if body:
            yield from _between(line, body[-1][0], style, end, gap)
        elif "-" not in chomping:
            yield from end + (gap if "+" in chomping else [])


def _gap(body: list[tuple[str, int]]) -> list[_Char]:
    """Pop the next empty lines."""
    taken: list[_Char] = []
    while body and body[-1][0] == "\n":
        taken.append(body.pop())
    return taken


def _between(
    line: str, following: str, style: Style, end: list[_Char], gap: list[_Char]
) -> list[_Char]:
    """Return the characters between two nonempty lines: folding joins unindented lines."""
    if style == "literal" or line[0] in " \t" or following[0] in " \t":
        return end + gap
    return gap or [(" ", at) for _, at in end]


def _lines(span: Span) -> list[tuple[str, int]]:
    """Return the lines of a span with their breaks and offsets."""
    lines, at = [], span.start
    for line in span.text.split("\n"):
        lines.append((line + "\n", at))
        at += len(line) + 1
    last, start = lines.pop()
    return [*lines, (last[:-1], start)] if len(last) > 1 else lines


def _indent(lines: list[str], value: str) -> int:
    """Return the indent of a block: the blanks that its first nonempty line has lost."""
    raw = next((line for line in lines if line.strip(" \n")), "")
    read = next((line for line in value.split("\n") if line.strip(" ")), "")
    return (len(raw) - len(raw.lstrip(" "))) - (len(read) - len(read.lstrip(" ")))


def _cut_indent(line: str, at: int, indent: int) -> tuple[str, int]:
    blanks = min(indent, len(line) - len(line.lstrip(" ")))
    return line[blanks:], at + blanks
