"""Source to checked rules with every finding: the stages before a game can be made."""

import re
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rulesengine import spec
from rulesengine.check import Checked, check
from rulesengine.diagnostic import Diagnostic, in_order
from rulesengine.errors import UsageError
from rulesengine.ir.rules import Rules
from rulesengine.lower import LoweringError, lower
from rulesengine.resources import bundled_path
from rulesengine.source import Source, Span
from rulesengine.spec.document import Document, Mapping, Node, Scalar, Sequence, to_plain

__all__ = ["Analysis", "LoweringError", "analyse", "diagnose", "diagnose_bound", "place"]

_HELP = MappingProxyType({"too-expensive": "nest fewer loops, or go through fewer cells"})


@dataclass(frozen=True, slots=True)
class Analysis:
    """A source read as far as it goes: the document, the rules if they are right, findings."""

    document: Document | None
    checked: Checked | None
    findings: tuple[Diagnostic, ...]
    tests: tuple[Any, ...]


def analyse(source: Source) -> Analysis:
    """Read and check a spec, and lower it for its defaults."""
    document, shape = spec.read(source, find_parent)
    if document is None:
        return Analysis(None, None, tuple(shape), ())
    checked, meaning = check(document)
    known = [(f.span.source, f.span.start) for f in shape]
    new = [f for f in meaning if (f.span.source, f.span.start) not in known]
    findings = in_order([*shape, *new])
    tests = document.root.get("tests")
    plain = tuple(to_plain(t) for t in tests) if isinstance(tests, Sequence) else ()
    wrong = any(f.severity == "error" for f in findings)
    analysis = Analysis(document, None if wrong else checked, findings, plain)
    return analysis if analysis.checked is None else _try_defaults(analysis, analysis.checked)


def diagnose(analysis: Analysis, error: LoweringError) -> Diagnostic:
    """A lowering error at its place in the spec."""
    assert analysis.document is not None
    root = analysis.document.root
    span: Span = root.span
    if error.site >= 0 and analysis.checked is not None:
        span = analysis.checked.spans[error.site]
    else:
        node = root.get("start" if error.code == "bad-start" else "board")
        span = node.span if node else span
        if error.row and isinstance(node, Scalar):
            span = _in_diagram(node, error.row, error.sign)
    return Diagnostic(error.code, span, error.message, _HELP.get(error.code, ""))


def _in_diagram(start: Scalar, row: int, sign: int) -> Span:
    """A row of the diagram of the start, or one symbol of it; both count from 1."""
    rows = [m.span() for m in re.finditer(r"[^ \t\n][^\n]*", start.text.text)]
    begin, end = rows[row - 1]
    signs = [i for i in range(begin, end) if not start.text.text[i].isspace()]
    if sign:
        return start.text.span(signs[sign - 1], signs[sign - 1] + 1)
    return start.text.span(begin, signs[-1] + 1)


def diagnose_bound(rules: Rules, error: LoweringError) -> str:
    """A lowering error of a game whose text is no longer at hand, on one line."""
    if error.site < 0:
        return error.message
    site = rules.sites[error.site]
    return f"{site.file}:{site.line}:{site.column}: {error.message}"


def place(analysis: Analysis, *keys: str) -> Span:
    """Where the last of the keys stands, each inside the one before, or as far as there is one."""
    assert analysis.document is not None
    node: Node | None = analysis.document.root
    span = analysis.document.root.span
    for key in keys:
        entry = node.entry(key) if isinstance(node, Mapping) else None
        if entry is None:
            break
        node, span = entry.value, entry.key_span
    return span


def find_parent(name: str, child: Source) -> Source:
    """The source that `extends` names: a bundled spec, or a file beside the child."""
    name = name.removeprefix("./")
    if not name.endswith(".yaml") and "/" not in name:
        return Source.read(bundled_path(name))
    if "/" in name or "\\" in name:
        raise UsageError(f"`{name[:64]}`: a parent is a bundled game or a file beside the spec")
    return Source.read(Path(child.name).parent / name)


def _try_defaults(analysis: Analysis, checked: Checked) -> Analysis:
    defaults = {p.name: p.default for p in checked.rules.parameters}
    try:
        lower(checked.rules, defaults)
    except LoweringError as error:
        findings = in_order([*analysis.findings, diagnose(analysis, error)])
        return Analysis(analysis.document, None, findings, analysis.tests)
    return analysis
