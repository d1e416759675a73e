"""Comparison of output with the expected output: equal, equal except for blanks, or different."""

import re
from itertools import zip_longest

from rulesengine.contests.judge.cases import Expected
from rulesengine.language.ir.rules import Site
from rulesengine.support.frozen import record
from rulesengine.support.source import Source

_WORD = re.compile(r"\S+")
_END = "the end"
_SHOWN = 40


@record
class Difference:
    """The first difference: `line` and `column` in the output, and the text found there.

    `expected_line` and `expected_column` are positions in the expected output; `site` is the line
    of the spec that printed the expected text.
    """

    line: int
    column: int
    found: str
    expected_line: int
    expected_column: int
    expected: str
    site: Site | None

    def __str__(self) -> str:
        text = f"line {self.line}, column {self.column}: expected {self.expected}"
        text += f", found {self.found}"
        if (self.line, self.column) != (self.expected_line, self.expected_column):
            text += f" (expected at line {self.expected_line}, column {self.expected_column})"
        if self.site:
            text += f"; {self.site.file}:{self.site.line}: `{self.site.text[:60]}`"
        return text


def compare(expected: Expected, printed: str) -> tuple[bool, Difference | None]:
    """Return True if the words are equal, and the first difference: of words, else of blanks."""
    if printed == expected.text:
        return True, None
    theirs, ours = _WORD.finditer(printed), _WORD.finditer(expected.text)
    for word, expected_word in zip_longest(theirs, ours):
        if not (word and expected_word and word[0] == expected_word[0]):
            at = word.start() if word else len(printed)
            position = expected_word.start() if expected_word else len(expected.text)
            words = (word[0] if word else "", expected_word[0] if expected_word else "")
            return False, _difference(expected, printed, at, position, *words)
    at = _first_unlike(expected.text, printed)
    return True, _difference(expected, printed, at, at, printed[at:][:1], expected.text[at:][:1])


def _first_unlike(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _difference(
    expected: Expected, printed: str, at: int, position: int, word: str, expected_word: str
) -> Difference:
    line, column = Source("output", printed).position(at)
    due_line, due_column = Source("expected", expected.text).position(position)
    if len(word) > 1 and len(word) == len(expected_word):  # point at the first differing character
        offset = _first_unlike(word, expected_word)
        column, due_column, position = column + offset, due_column + offset, position + offset
    site = expected.site(position)
    return Difference(
        line, column, _describe(word), due_line, due_column, _describe(expected_word), site
    )


def _describe(text: str) -> str:
    """Describe a text for a message; blanks and ends have names."""
    names = {"": _END, " ": "a blank", "\n": "the end of the line", "\r": "a carriage return"}
    if text in names:
        return names[text]
    cut = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return f"`{''.join(c if c.isprintable() else '?' for c in cut)}`"
