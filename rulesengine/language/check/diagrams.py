"""Diagnostics for a drawing of the board, at the row or the sign that causes them."""

import re
from dataclasses import dataclass
from typing import Protocol

from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import get, items, text
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Style
from rulesengine.language.ir.drawn_sets import IN, OUT
from rulesengine.language.ir.rules import Rules
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.source import Slice, Span


class Problem(Protocol):
    """A drawing that does not fit; row and sign count from 1, 0 is none."""

    @property
    def row(self) -> int: ...

    @property
    def sign(self) -> int: ...

    @property
    def expected(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The signs of a drawing, the sign of an empty cell, and their descriptions for messages.

    With stacks, blanks separate the cells, each of which has several signs.
    """

    code: str
    signs: tuple[str, ...]
    free: str
    meaning: str
    free_meaning: str
    has_stacks: bool = False


def diagram_finding(problem: Problem, message: str, start: Scalar, rules: Rules) -> Diagnostic:
    """Make the diagnostic for the drawing of a start, with a correction."""
    signs, free = tuple(s for k in rules.kinds for s in k.symbols if s), rules.empty_symbol
    meaning = f"the pieces are {' '.join(signs)}, a free cell is `{free}`"
    free_meaning = f"a free cell is drawn as `{free}`"
    alphabet = Alphabet("bad-start", signs, free, meaning, free_meaning, rules.stacks is not None)
    return _finding(problem, message, start, alphabet)


def drawing_finding(problem: Problem, message: str, drawing: Scalar) -> Diagnostic:
    """Make the diagnostic for a drawn set of cells."""
    meaning = f"a cell of the set is `{IN}`, another one `{OUT}`"
    return _finding(problem, message, drawing, Alphabet("bad-board", (IN,), OUT, meaning, meaning))


def _finding(problem: Problem, message: str, drawing: Scalar, alphabet: Alphabet) -> Diagnostic:
    rows = [
        drawing.text.cut(m.start(), m.start() + len(m[0].rstrip()))
        for m in re.finditer(r"[^ \t\n][^\n]*", drawing.text.text)
    ]
    if problem.row == 0:
        return _wrong_rows(problem, message, rows, alphabet, drawing.style)
    row = rows[problem.row - 1]
    if alphabet.has_stacks and (diagnostic := _wrong_stack(problem, message, row, alphabet)):
        return diagnostic
    signs = [i for i, sign in enumerate(row.text) if not sign.isspace()]
    if problem.sign:
        at = signs[problem.sign - 1]
        span = row.span(at, at + 1)
        return Diagnostic(alphabet.code, span, message, _other_sign(row.text[at], alphabet))
    return _wrong_row(problem, message, row, signs, alphabet)


def _wrong_stack(
    problem: Problem, message: str, row: Slice, alphabet: Alphabet
) -> Diagnostic | None:
    """Report a stack that is too high or covers a piece, or a row with too many or few cells."""
    words = [match.span() for match in re.finditer(r"\S+", row.text)]
    if problem.sign:
        signs = [i for i, sign in enumerate(row.text) if not sign.isspace()]
        at = signs[problem.sign - 1]
        if row.text[at] not in alphabet.signs:
            return None
        span = row.span(at, at + 1)
        rest = row.span(at, next(end for start, end in words if start <= at < end))
        help = Suggestion("leave the pieces above out", "", rest)
        return Diagnostic(alphabet.code, span, message, help)
    span = row.span(0, len(row.text))
    if len(words) < problem.expected:
        write = f" {alphabet.free}" * (problem.expected - len(words))
        end = Span(span.source, span.end, span.end)
        help = Suggestion(alphabet.free_meaning, write, end)
        return Diagnostic(alphabet.code, span, message, help)
    surplus = row.span(words[problem.expected - 1][1], len(row.text))
    return Diagnostic(
        alphabet.code, surplus, message, Suggestion("leave the last cells out", "", surplus)
    )


def drawn_on_one_line(context: Context, node: Node, root: Mapping) -> Diagnostic | None:
    """Report a drawing in quotes or as a list, where a block text is expected."""
    symbols = {s for kind in context.kinds for s in kind.symbols if s}
    symbols.add(text(get(root.get("pieces"), "empty"), "."))
    rows = [row for item in items(node) for row in text(item).replace("/", " ").split()]
    if not rows or not set("".join(rows)) <= symbols:
        return None
    entry = root.entry("start")
    column = entry.key_span.source.position(entry.key_span.start)[1] if entry else 1
    lines = "".join(f"\n{' ' * (column + 1)}{row}" for row in rows)
    span = Span(node.span.source, node.span.start, node.span.start + len(node.span.text.rstrip()))
    message = "a drawing of the board is a block text"
    help = Suggestion("write `start: |` and the rows below it, indented", f"|{lines}", span)
    first = items(node)[0].span
    return Diagnostic("bad-start", first, message, help)


def _wrong_rows(
    problem: Problem, message: str, rows: list[Slice], alphabet: Alphabet, style: Style
) -> Diagnostic:
    """Report missing rows at the last row, or surplus rows at the first of them."""
    missing = problem.expected - len(rows)
    row = rows[min(problem.expected, len(rows)) - 1 + (missing < 0)]
    span = row.span(0, len(row.text))
    if missing < 0:
        end = rows[-1].span(0, len(rows[-1].text)).end
        before = rows[problem.expected - 1]
        start = before.span(0, len(before.text)).end
        surplus = Span(span.source, start, end)
        help = Suggestion("leave this row out", "", surplus)
        return Diagnostic(alphabet.code, span, message, help)
    indent = " " * (span.source.position(span.start)[1] - 1)
    line_breaks = {"double": "\\n", "single": f"\n\n{indent}"}  # in quotes
    row_start = line_breaks.get(style, f"\n{indent}")
    gap = " " if alphabet.has_stacks else ""
    cells = len(row.text.split() if alphabet.has_stacks else "".join(row.text.split()))
    write = f"{row_start}{gap.join([alphabet.free] * cells)}" * missing
    help = Suggestion("add a row of empty cells", write, Span(span.source, span.end, span.end))
    return Diagnostic(alphabet.code, span, message, help)


def _wrong_row(
    problem: Problem, message: str, row: Slice, signs: list[int], alphabet: Alphabet
) -> Diagnostic:
    span = row.span(0, len(row.text))
    if len(signs) < problem.expected:
        write = alphabet.free * (problem.expected - len(signs))
        end = Span(span.source, span.end, span.end)
        return Diagnostic(
            alphabet.code, span, message, Suggestion(alphabet.free_meaning, write, end)
        )
    surplus = row.span(signs[problem.expected], len(row.text))
    help = Suggestion("leave the last signs out", "", surplus)
    return Diagnostic(alphabet.code, surplus, message, help)


def _other_sign(sign: str, alphabet: Alphabet) -> str:
    other = next((s for s in alphabet.signs if s.lower() == sign.lower()), "")
    if other:
        return Suggestion(f"did you mean `{other}`?", other)
    return Suggestion(alphabet.meaning, alphabet.free)
