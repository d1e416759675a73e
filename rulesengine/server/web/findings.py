"""Findings as JSON for the page, with offsets for the editor and with lines and columns."""

from rulesengine.support.diagnostic import Diagnostic, Note, render
from rulesengine.support.source import Span

Table = dict[str, object]
# The name of the page's text. It is in no folder, so `extends` finds no file next to it.
PAGE = "spec"


def finding_to_json(finding: Diagnostic) -> Table:
    """Return a finding; offsets refer to the page's own text and are None for text of a parent."""
    fields = finding.to_json()
    keys = ("code", "severity", "message", "help", "line", "column", "end_column")
    return {
        **{key: fields[key] for key in keys},
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
    """Return the name of a bundled spec, without its folder."""
    return span.source.name.replace("\\", "/").rpartition("/")[2].removesuffix(".yaml")


def _note(note: Note) -> Table:
    line, column = note.span.source.position(note.span.start)
    return {"message": note.message, **_place(note.span), "line": line, "column": column}


def _fix(finding: Diagnostic) -> Table | None:
    """Return the fix of a finding, unless it edits a parent."""
    fix = finding.fix
    if fix is None or fix.span.source.name != PAGE:
        return None
    return {"from": fix.span.start, "to": fix.span.end, "text": fix.text}
