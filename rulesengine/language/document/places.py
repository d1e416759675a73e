"""Places of findings: those in a parent move to the spec that changes it."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from rulesengine.language.document import Find, parse, read
from rulesengine.language.document.nodes import Mapping, Node, Sequence
from rulesengine.support.diagnostic import Diagnostic, Note, in_order
from rulesengine.support.source import Source, Span


def with_places_in(
    source: Source, diagnostics: list[Diagnostic], find: Find, is_right: Callable[[Source], bool]
) -> tuple[Diagnostic, ...]:
    """Return findings in text order; those in a correct parent move to the spec that extends it.

    Their place is the entry with the name that the message quotes, else `extends`.
    """
    elsewhere = {f.span.source for f in diagnostics if f.span.source != source}
    document = parse(source)[0] if elsewhere else None
    extends = document.root.entry("extends") if document else None
    right = {other for other in elsewhere if extends and is_right(other)}
    if document is None or extends is None or not right:
        return in_order(diagnostics)
    by_place: dict[tuple[str, Span, str], Diagnostic] = {}
    for finding in diagnostics:
        span, moved = finding.span, finding
        if span.source in right:
            word = finding.message.partition("`")[2].partition("`")[0]
            span = _entry_named(document.root, word) or extends.value.span
            note = Note(finding.span, "it is needed here")
            moved = replace(finding, span=span, help=_help_for(finding, find), notes=(note,))
        by_place.setdefault((finding.code, span, finding.message), moved)
    return in_order([*by_place.values()])


def _help_for(finding: Diagnostic, find: Find) -> str:
    """Return the help for a finding in a parent; it suggests no edit of the parent."""
    document, _ = read(finding.span.source, find)
    tests = document.root.entry("tests") if document else None
    if tests and finding.span.inside(tests.value.span):
        return "replace the inherited tests: `tests: null` leaves them out"
    return f"{finding.help}" if finding.severity == "warning" else ""  # without an edit


def _entry_named(node: Node | None, name: str) -> Span | None:
    """Return the span of the first key of this name in a document, at any depth."""
    if not isinstance(node, Mapping):
        return None
    for entry in node:
        span = entry.key_span if entry.key == name else _entry_named(entry.value, name)
        if span:
            return span
    return None


def values_of(node: Node, keys: list[Span]) -> Iterator[Span]:
    """Yield the span of each value if its own span or that of its key is among `keys`."""
    parts = [entry.value for entry in node] if isinstance(node, Mapping) else []
    if isinstance(node, Mapping):
        yield from (e.value.span for e in node if e.key_span in keys or e.value.span in keys)
    for part in (*parts, *(node if isinstance(node, Sequence) else ())):
        yield from values_of(part, keys)
