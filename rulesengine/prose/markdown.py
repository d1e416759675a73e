"""Escaping of sentences for Markdown: text of a spec stays text."""

import re
from collections.abc import Iterator
from html import escape

_TICKS = re.compile("`+")
# Marks of links, images, emphasis and escapes; underscores inside words are none.
_MARKS = re.compile(r"[\\\[\]*]|(?<!\w)_|_(?!\w)")


def escape_markdown(text: str) -> str:
    """Escape HTML and Markdown outside code spans.

    Code spans are those of CommonMark: runs of backticks of equal length, the leftmost first.
    """
    return "".join(_parts(text))


def _parts(text: str) -> Iterator[str]:
    at = 0
    while opening := _TICKS.search(text, at):
        yield _escaped(text[at : opening.start()])
        ticks = opening.group()
        closing = next(
            (run for run in _TICKS.finditer(text, opening.end()) if run.group() == ticks), None
        )
        at = closing.end() if closing else opening.end()
        yield text[opening.start() : at] if closing else ticks.replace("`", "\\`")
    yield _escaped(text[at:])


def _escaped(text: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark.group()}", escape(text, quote=False))
