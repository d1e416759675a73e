"""What is wrong with the drawing of a start, at the row or the sign that is to blame."""

import re
from typing import Protocol

from rulesengine.check.context import Context
from rulesengine.check.reader import get, items, text
from rulesengine.diagnostic import Diagnostic, Mend
from rulesengine.ir.rules import Rules
from rulesengine.source import Slice, Span
from rulesengine.spec.document import Mapping, Node, Scalar


class Problem(Protocol):
    """A drawing that does not fit; row and sign count from 1, 0 is none."""

    @property
    def message(self) -> str: ...

    @property
    def row(self) -> int: ...

    @property
    def sign(self) -> int: ...

    @property
    def wanted(self) -> int: ...


def diagram_finding(problem: Problem, start: Scalar, rules: Rules) -> Diagnostic:
    """The finding about a drawing, with what to write instead."""
    rows = [
        start.text.cut(m.start(), m.start() + len(m[0].rstrip()))
        for m in re.finditer(r"[^ \t\n][^\n]*", start.text.text)
    ]
    if problem.row == 0:
        return _wrong_rows(problem, rows, rules.empty_symbol)
    row = rows[problem.row - 1]
    signs = [i for i, sign in enumerate(row.text) if not sign.isspace()]
    if problem.sign:
        at = signs[problem.sign - 1]
        span = row.span(at, at + 1)
        return Diagnostic("bad-start", span, problem.message, _other_sign(row.text[at], rules))
    return _wrong_row(problem, row, signs, rules.empty_symbol)


def drawn_on_one_line(context: Context, node: Node, root: Mapping) -> Diagnostic | None:
    """A drawing in quotes or as a list, where a block text is due."""
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
    help = Mend("write `start: |` and the rows below it, indented", f"|{lines}", span)
    first = items(node)[0].span
    return Diagnostic("bad-start", first, message, help)


def _wrong_rows(problem: Problem, rows: list[Slice], empty: str) -> Diagnostic:
    """Too few rows or too many: the finding is about the last, or the first too many."""
    missing = problem.wanted - len(rows)
    row = rows[min(problem.wanted, len(rows)) - 1 + (missing < 0)]
    span = row.span(0, len(row.text))
    if missing < 0:
        end = rows[-1].span(0, len(rows[-1].text)).end
        before = rows[problem.wanted - 1]
        start = before.span(0, len(before.text)).end
        surplus = Span(span.source, start, end)
        return Diagnostic(
            "bad-start", span, problem.message, Mend("leave this row out", "", surplus)
        )
    indent = " " * (span.source.position(span.start)[1] - 1)
    write = f"\n{indent}{empty * len(''.join(row.text.split()))}" * missing
    help = Mend("add a row of empty cells", write, Span(span.source, span.end, span.end))
    return Diagnostic("bad-start", span, problem.message, help)


def _wrong_row(problem: Problem, row: Slice, signs: list[int], empty: str) -> Diagnostic:
    span = row.span(0, len(row.text))
    if len(signs) < problem.wanted:
        write = empty * (problem.wanted - len(signs))
        end = Span(span.source, span.end, span.end)
        help = Mend(f"a free cell is drawn as `{empty}`", write, end)
        return Diagnostic("bad-start", span, problem.message, help)
    surplus = row.span(signs[problem.wanted], len(row.text))
    help = Mend("leave the last signs out", "", surplus)
    return Diagnostic("bad-start", surplus, problem.message, help)


def _other_sign(sign: str, rules: Rules) -> str:
    symbols = [s for kind in rules.kinds for s in kind.symbols if s]
    other = next((s for s in symbols if s.lower() == sign.lower()), "")
    if other:
        return Mend(f"did you mean `{other}`?", other)
    shown = " ".join(symbols)
    return Mend(
        f"the pieces are {shown}, a free cell is `{rules.empty_symbol}`", rules.empty_symbol
    )
