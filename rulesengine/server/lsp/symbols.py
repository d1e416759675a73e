"""The symbols of a spec in an editor: links to its parents, and renaming."""

import re

from lsprotocol import types as lsp

from rulesengine.errors import UsageError
from rulesengine.language import pipeline
from rulesengine.server.lsp.positions import Text
from rulesengine.support.source import Source, Span
from rulesengine.tools.completion import Occurrences, occurrence_at

_RENAMED = ("definition", "piece", "register")


class RenameError(ValueError):
    """The reason why a name cannot be changed, as one sentence for the author."""


def names(text: Text) -> Occurrences:
    """Return the names that a spec declares and uses."""
    return () if text.problem else pipeline.occurrences(text.source)


def parent_at(text: Text, offset: int) -> Source | None:
    """Return the parent at an offset in `extends`, or None."""
    line, column = text.source.position(offset)
    words = text.source.line_text(line)
    for match in re.finditer(r"[^\s,\[\]:'\"]+", words):
        if match.start() <= column - 1 <= match.end() and _is_parent(text.source, line):
            try:
                return pipeline.find_parent(match[0], text.source)
            except UsageError:
                return None
    return None


def _is_parent(source: Source, line: int) -> bool:
    """True if a line is that of `extends`, or an item of the list below it."""
    while line > 1 and re.match(r"\s*-\s", source.line_text(line)):
        line -= 1
    return source.line_text(line).startswith("extends:")


def rename(text: Text, occurrences: Occurrences, offset: int, new: str) -> list[lsp.TextEdit]:
    """Return the edits that rename a definition, a piece or a register. Raises RenameError."""
    one = occurrence_at(text.source, occurrences, offset)
    if one is None or one.kind not in _RENAMED:
        raise RenameError("only definitions, pieces and registers of the spec can be renamed")
    spans = [o.span for o in occurrences if o.name == one.name]
    elsewhere = next((s.source.name for s in spans if s.source != text.source), "")
    if elsewhere:
        raise RenameError(f"`{one.name}` also occurs in {elsewhere}: rename it there")
    changed = _replaced(text.source, spans, new)
    before = {(f.code, f.message) for f in pipeline.analyse(text.source).findings}
    for finding in pipeline.analyse(changed).findings:
        if finding.severity == "error" and (finding.code, finding.message) not in before:
            raise RenameError(f"`{new}` does not do as a name: {finding.message}")
    return [lsp.TextEdit(text.range(span), new) for span in spans]


def _replaced(source: Source, spans: list[Span], new: str) -> Source:
    text = source.text
    for span in sorted(spans, key=lambda span: -span.start):
        text = text[: span.start] + new + text[span.end :]
    return Source(source.name, text)
