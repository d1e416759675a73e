"""Findings in the formats of `check --format`: text, JSON, GitHub commands and SARIF."""

from collections.abc import Sequence
from urllib.parse import quote

from rulesengine.support.diagnostic import Diagnostic, Note, render_all
from rulesengine.support.source import Span

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def text(spec: str, findings: Sequence[Diagnostic]) -> str:
    """Format the findings of one spec with their source lines, or `ok`."""
    return f"{render_all(tuple(findings))}\n\n" if findings else f"{spec}: ok"


def github(findings: Sequence[Diagnostic]) -> str:
    """Format each finding as a workflow command, which GitHub shows next to the line."""
    return "".join(f"{_command(finding)}\n" for finding in findings)


def to_json(findings: Sequence[Diagnostic]) -> dict[str, object]:
    """Return the object that `--format json` prints."""
    return {"diagnostics": [finding.to_json() for finding in findings]}


def to_sarif(findings: Sequence[Diagnostic]) -> dict[str, object]:
    """Return a SARIF 2.1.0 log with one run; lines and character columns count from 1.

    The format: OASIS, Static Analysis Results Interchange Format 2.1.0.
    """
    codes = sorted({finding.code for finding in findings})
    driver = {"name": "rulesengine", "rules": [{"id": c} for c in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes.index(finding.code)) for finding in findings],
    }
    return {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}


def _command(finding: Diagnostic) -> str:
    place = finding.to_json()
    fields = {
        "file": place["file"],
        "line": place["line"],
        "col": place["column"],
        "endColumn": place["end_column"],
        "title": finding.code,
    }
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in fields.items())
    help = f"\nhelp: {place['help']}" if finding.help else ""
    return f"::{finding.severity} {shown}::{_data(str(place['message']) + help)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _result(finding: Diagnostic, index: int) -> dict[str, object]:
    shown = finding.to_json()
    help = f"\nhelp: {shown['help']}" if finding.help else ""
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": f"{shown['message']}{help}"},
        "locations": [{"physicalLocation": _location(finding.span)}],
    }
    if finding.notes:
        result["relatedLocations"] = [_related(note) for note in finding.notes]
    if finding.fix:
        change = {
            "deletedRegion": _region(finding.fix.span),
            "insertedContent": {"text": finding.fix.text},
        }
        artifact = {"artifactLocation": _artifact(finding.fix.span), "replacements": [change]}
        result["fixes"] = [{"artifactChanges": [artifact]}]
    return result


def _related(note: Note) -> dict[str, object]:
    return {"physicalLocation": _location(note.span), "message": {"text": note.message}}


def _location(span: Span) -> dict[str, object]:
    return {"artifactLocation": _artifact(span), "region": _region(span)}


def _artifact(span: Span) -> dict[str, str]:
    return {"uri": quote(span.source.name.replace("\\", "/"))}


def _region(span: Span) -> dict[str, int]:
    """Return the region of a span; the end is the column after its last character."""
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    }
