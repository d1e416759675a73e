"""Findings as diagnostics and quick fixes of the protocol."""

from collections.abc import Sequence
from types import MappingProxyType

from lsprotocol import types as lsp

from rulesengine.server.lsp.positions import Text
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.tools import lint

_SEVERITY = MappingProxyType(
    {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
)


def findings(text: Text) -> tuple[Diagnostic, ...]:
    """Return the findings of a text, none for a file that is not a spec."""
    return lint.findings(text.source) if text.is_spec and not text.problem else ()


def diagnostics(text: Text, reported: Sequence[Diagnostic]) -> list[lsp.Diagnostic]:
    """Convert findings; those of a parent are placed in the first line."""
    if text.problem:
        start = lsp.Position(0, 0)
        return [lsp.Diagnostic(lsp.Range(start, start), text.problem, source="rulesengine")]
    return [_diagnostic(text, one) for one in reported]


def _diagnostic(text: Text, diagnostic: Diagnostic) -> lsp.Diagnostic:
    message = (
        f"{diagnostic.message}\nhelp: {diagnostic.help}" if diagnostic.help else diagnostic.message
    )
    range_ = text.range(diagnostic.span)
    if diagnostic.span.source.name != text.source.name:
        line, _ = diagnostic.span.source.position(diagnostic.span.start)
        message = f"{diagnostic.span.source.name}:{line}: {message}"
        range_ = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    notes = [
        lsp.DiagnosticRelatedInformation(text.location(note.span), note.message)
        for note in diagnostic.notes
    ]
    return lsp.Diagnostic(
        range_,
        message,
        severity=_SEVERITY[diagnostic.severity],
        code=diagnostic.code,
        source="rulesengine",
        related_information=notes or None,
    )


def fixes(
    text: Text, diagnostics: Sequence[Diagnostic], selection: lsp.Range
) -> list[lsp.CodeAction]:
    """Return the quick fixes of the findings in a range."""
    start, end = text.offset(selection.start), text.offset(selection.end)
    actions = []
    for one in diagnostics:
        inside = one.span.start <= end and start <= one.span.end
        if one.fix and inside and one.fix.span.source.name == text.source.name:
            edit = lsp.TextEdit(text.range(one.fix.span), one.fix.text)
            actions.append(
                lsp.CodeAction(
                    one.help,
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[_diagnostic(text, one)],
                    edit=lsp.WorkspaceEdit(changes={text.uri: [edit]}),
                )
            )
    return actions
