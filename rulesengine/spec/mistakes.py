"""What is wrong with a text that is no YAML, in our own words: a parser's error to a diagnostic."""

import re

from rulesengine.diagnostic import Diagnostic
from rulesengine.source import Source, Span
from rulesengine.spec.document import shown

# What YAML gives a meaning of its own at the start of a value.
_INDICATOR = re.compile(r"[-*&!%@`|?>,:\]{}\[][^\s,\]}]{0,30}")

_NOT_ALLOWED = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)

# Words of the parser (both parsers: C and Python), then code, message and help of ours.
_TABLE = (
    ("end of stream", "unclosed-quote", "a quoted text without its end", "add the closing quote"),
    (
        "expected ',' or",
        "unclosed-bracket",
        "a bracket that is not closed, or a missing comma",
        "a `,` or `#` that belongs to a value needs quotes",
    ),
    (
        "mapping values",
        "unexpected-colon",
        "a colon does not fit here",
        "put text that holds `: ` in quotes; keys of one map start in the same column",
    ),
    ("expected ':'", "missing-colon", "a key without its colon", "write `key: value`"),
    (
        "escape",
        "unknown-escape",
        "an unknown escape in a double-quoted text",
        r"write a backslash as `\\`, or use single quotes",
    ),
    ("document start", "text-after-end", "text after the end of the spec", ""),
    (
        "indentation|chomping|comment or line break",
        "bad-block",
        "the first line of a block text holds `|` or `>` alone",
        "start the text on the next line, indented",
    ),
)
_SYMBOL = re.compile(
    "alias|anchor|tag|cannot start|sequence entries|mapping keys|node content|percent|directive"
)


def not_allowed_character(source: Source) -> Diagnostic | None:
    """A control or bidirectional character, a lone surrogate or carriage return in a source."""
    if match := _NOT_ALLOWED.search(source.text):
        return character_finding(Span(source, match.start(), match.end()), match[0])
    return None


def not_allowed_in(text: str) -> str:
    """The first character of a decoded text that no spec may hold, or an empty text."""
    match = _NOT_ALLOWED.search(text)
    return match[0] if match else ""


def character_finding(span: Span, char: str) -> Diagnostic:
    message = f"the character U+{ord(char):04X} may not stand in a spec"
    return Diagnostic("bad-character", span, message, "control and direction marks are refused")


def yaml_mistake(source: Source, problem: str, context: str, at: int, start: int) -> Diagnostic:
    """Say what is wrong at offset `at`; `start` is where the parser's `context` began."""
    if context.startswith("while scanning an") or context.endswith("tag"):
        at = start
    if source.text[at : at + 1] == "\t":
        help = "indent with blanks"
        return Diagnostic("tab", Span(source, at, at + 1), "a tab may not stand here", help)
    token = _INDICATOR.match(source.text, at)
    if token and (_SYMBOL.search(problem + context) or _is_value(source.text, at)):
        return unquoted(Span(source, at, token.end()))
    if "node content" in problem:
        at, problem = start, "expected ',' or"
    for words, code, message, help in _TABLE:
        if re.search(words, problem):
            if code in ("unclosed-quote", "unclosed-bracket"):
                at = start
            return Diagnostic(code, Span(source, at, at + 1), message, help)
    return _misplaced(source, at)


def unquoted(span: Span) -> Diagnostic:
    """A value that starts with a character to which YAML gives a meaning of its own."""
    quote = "'" if '"' in span.text else '"'
    message = f"{shown(span.text)} has a meaning of its own in YAML"
    return Diagnostic("unquoted-symbol", span, message, f"quote it: {quote}{span.text}{quote}")


def _is_value(text: str, at: int) -> bool:
    """Whether a colon stands where a value is due, as in `empty: :`."""
    return text[at] == ":" and text[max(0, at - 2) : at] == ": "


def _misplaced(source: Source, at: int) -> Diagnostic:
    if source.text[at : at + 1] == ":":
        message = "a key is a short text on one line, found an empty one"
        return Diagnostic("bad-key", Span(source, at, at + 1), message)
    word = re.compile(r"[^\s:,]{0,30}").match(source.text, at)
    span = Span(source, at, max(at + 1, word.end() if word else at))
    if not source.text[at:].strip():
        return Diagnostic("unfinished", span, "the spec ends too early", "close every bracket")
    help = "entries of one map or list start in the same column; text after a quote is not read"
    return Diagnostic("misplaced-text", span, f"{shown(span.text)} does not fit here", help)
