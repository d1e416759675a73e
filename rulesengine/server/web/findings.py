"""Findings as the page shows them: with offsets, for an editor, and with lines and columns."""

from rulesengine.support.diagnostic import Diagnostic, Note, render
from rulesengine.support.source import Span

Table = dict[str, object]
# The name of a text that no file holds: it lies in no folder, and `extends` finds nothing there.
PAGE = "spec"


def shown(finding: Diagnostic) -> Table:
    """A finding; offsets are those of the page's own text, None for what stands in a parent."""
    told = finding.to_json()
    keys = ("code", "severity", "message", "help", "line", "column", "end_column")
    return {
        **{key: told[key] for key in keys},
        **_place(finding.span),
        "label": finding.label,
        "notes": [_note(note) for note in finding.notes],
        "fix": _fix(finding),
        "text": render(finding),
    }


def _place(span: Span) -> Table:
    own = span.source.name == PAGE
    start, end = (span.start, span.end) if own else (None, None)
    return {"from": start, "to": end, "file": "" if own else _parent(span)}


def _parent(span: Span) -> str:
    """The name of a bundled spec, without its folder."""
    return span.source.name.replace("\\", "/").rpartition("/")[2].removesuffix(".yaml")


def _note(note: Note) -> Table:
    line, column = note.span.source.position(note.span.start)
    return {"message": note.message, **_place(note.span), "line": line, "column": column}


def _fix(finding: Diagnostic) -> Table | None:
    """The edit that mends a finding, unless it is one of a parent."""
    fix = finding.fix
    if fix is None or fix.span.source.name != PAGE:
        return None
    return {"from": fix.span.start, "to": fix.span.end, "text": fix.text}
