"""One finding in a text, and how it is shown."""

from dataclasses import dataclass
from typing import Literal

from rulesengine.limits import MAX_ERRORS_SHOWN, MAX_MESSAGE, MAX_QUOTED_LINE
from rulesengine.source import Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that a finding is about."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding: stable `code` in kebab-case, the fact in `message`, the mend in `help`."""

    code: str
    span: Span
    message: str
    help: str = ""
    label: str = ""
    notes: tuple[Note, ...] = ()
    severity: Severity = "error"

    def to_json(self) -> dict[str, object]:
        """The object that `--json` prints."""
        line, column = self.span.source.position(self.span.start)
        return {
            "file": self.span.source.name,
            "line": line,
            "column": column,
            "end_column": column + _caret_width(self.span, line),
            "severity": self.severity,
            "code": self.code,
            "message": _cut(self.message, MAX_MESSAGE),
            "help": _cut(self.help, MAX_MESSAGE),
        }


def render(diagnostic: Diagnostic) -> str:
    """Several lines of plain text, without a last newline."""
    message = _cut(diagnostic.message, MAX_MESSAGE)
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {message}"]
    lines += _quote(diagnostic.span, diagnostic.label)
    for note in diagnostic.notes:
        lines.append(f"note: {_cut(note.message, MAX_MESSAGE)}")
        lines += _quote(note.span, "")
    if diagnostic.help:
        lines.append(f"help: {_cut(diagnostic.help, MAX_MESSAGE)}")
    return "\n".join(lines)


def render_all(diagnostics: tuple[Diagnostic, ...]) -> str:
    """All findings up to the limit, a blank line between two."""
    shown = [render(d) for d in diagnostics[:MAX_ERRORS_SHOWN]]
    if len(diagnostics) > MAX_ERRORS_SHOWN:
        shown.append(f"and {len(diagnostics) - MAX_ERRORS_SHOWN} more")
    return "\n\n".join(shown)


def in_order(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Without repetitions, sorted by file and place."""
    return tuple(
        sorted(dict.fromkeys(diagnostics), key=lambda d: (d.span.source.name, d.span.start, d.code))
    )


def did_you_mean(word: str, candidates: "list[str] | tuple[str, ...]") -> str:
    """``did you mean `x`?`` for the candidate nearest to a word, or an empty text."""
    import difflib

    matches = difflib.get_close_matches(word[:64], candidates, n=1, cutoff=0.6)
    return f"did you mean `{matches[0]}`?" if matches else ""


def _quote(span: Span, label: str) -> list[str]:
    line, column = span.source.position(span.start)
    text = span.source.line_text(line).replace("\t", " ")
    first = max(0, column - MAX_QUOTED_LINE // 2) if len(text) > MAX_QUOTED_LINE else 0
    shown = "".join(c if c.isprintable() else "?" for c in text[first : first + MAX_QUOTED_LINE])
    width = min(_caret_width(span, line), max(1, MAX_QUOTED_LINE - (column - 1 - first)))
    gutter = " " * len(str(line))
    carets = " " * (column - 1 - first) + "^" * width
    return [
        f"{gutter}--> {span.source.name}:{line}:{column}",
        f"{gutter} |",
        f"{line} | {shown}".rstrip(),
        f"{gutter} | {carets} {_cut(label, MAX_MESSAGE)}".rstrip(),
    ]


def _caret_width(span: Span, line: int) -> int:
    last_line, last_column = span.source.position(span.end)
    column = span.source.position(span.start)[1]
    if last_line != line:
        last_column = len(span.source.line_text(line)) + 1
    return max(1, last_column - column)


def _cut(text: str, limit: int) -> str:
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) < limit else text[: limit - 2] + "…"
