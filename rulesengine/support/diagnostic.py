"""Diagnostics of source texts, and their rendering as text and JSON."""

from dataclasses import dataclass
from typing import Literal

from rulesengine.support.limits import MAX_ERRORS_SHOWN, MAX_MESSAGE, MAX_QUOTED_LINE
from rulesengine.support.source import Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """A second location that a diagnostic refers to."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Fix:
    """The edit that repairs a finding: `text` replaces a span."""

    span: Span
    text: str

    def applied(self) -> str:
        """Return the text of the source with this edit."""
        text = self.span.source.text
        return text[: self.span.start] + self.text + text[self.span.end :]


class Suggestion(str):
    """A help text with a machine-applicable edit: write `write` at `at`, or at the finding."""

    __slots__ = ("at", "write")
    write: str
    at: Span | None

    def __new__(cls, help: str, write: str, at: Span | None = None) -> "Suggestion":
        self = super().__new__(cls, help)
        self.write = write
        self.at = at
        return self


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding in a source text.

    - `code` is stable, in kebab-case.
    - `message` states the fact.
    - `help` suggests a correction.
    - `label` is printed at the caret.
    """

    code: str
    span: Span
    message: str
    help: str = ""
    label: str = ""
    notes: tuple[Note, ...] = ()
    severity: Severity = "error"

    @property
    def fix(self) -> Fix | None:
        """Return the edit that the help suggests, if it is machine-applicable."""
        if not isinstance(self.help, Suggestion):
            return None
        return Fix(self.help.at or self.span, self.help.write)

    def to_json(self) -> dict[str, object]:
        """Return the object that `--json` prints."""
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
            "fix": self._fix_to_json(),
        }

    def _fix_to_json(self) -> dict[str, object] | None:
        if self.fix is None:
            return None
        span = self.fix.span
        line, column = span.source.position(span.start)
        end_line, end_column = span.source.position(span.end)
        return {
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "text": self.fix.text,
        }


def render(diagnostic: Diagnostic) -> str:
    """Render a diagnostic as several lines of plain text, without a final newline."""
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
    """Render all findings up to the limit, separated by blank lines."""
    shown = [render(d) for d in diagnostics[:MAX_ERRORS_SHOWN]]
    if len(diagnostics) > MAX_ERRORS_SHOWN:
        shown.append(f"and {len(diagnostics) - MAX_ERRORS_SHOWN} more")
    return "\n\n".join(shown)


def in_order(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Remove duplicates and sort by file and position."""
    return tuple(
        sorted(dict.fromkeys(diagnostics), key=lambda d: (d.span.source.name, d.span.start, d.code))
    )


def did_you_mean(word: str, candidates: "list[str] | tuple[str, ...]") -> str:
    """Return ``did you mean `x`?`` for the candidate nearest to a word, or an empty text.

    The text is a `Suggestion` that replaces the span of the finding by the candidate.
    """
    best = nearest(word, candidates)
    return Suggestion(f"did you mean `{best}`?", best) if best else ""


def nearest(word: str, candidates: "list[str] | tuple[str, ...]") -> str:
    """Return the candidate with the fewest typing errors in the word, or an empty text.

    One error is allowed for up to five letters, two for up to eight, else three. An error is an
    inserted, deleted or replaced letter, or two exchanged letters. Four or more first letters match
    the whole word.
    """
    word = word[:64]
    most = 1 if len(word) <= 5 else 2 if len(word) <= 8 else 3
    rated = [
        (_edit_distance(word, c, most), i) for i, c in enumerate(candidates) if c and c != word
    ]
    distance, at = min(rated, default=(most + 1, 0))
    if distance <= min(most, len(word) - 1):
        return candidates[at]
    longer = [c for c in candidates if len(word) >= 4 and c.startswith(word)]
    return min(longer, key=len, default="")


def _edit_distance(one: str, other: str, most: int) -> int:
    """Return the edit distance of two words, or `most + 1` if it is greater.

    It is the Damerau-Levenshtein distance in its restricted form (optimal string alignment).
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


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
