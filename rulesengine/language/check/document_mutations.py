"""Mutants of a document: small edits of its rules that its tests should detect."""

import re
from collections.abc import Iterator
from itertools import pairwise

from rulesengine.language.check.expression_mutations import Change, changes
from rulesengine.language.check.recording_checker import RecordingChecker
from rulesengine.language.document.edits import is_flow, without_entry, without_item
from rulesengine.language.document.nodes import Document, Entry, Mapping, Node, Scalar, Sequence
from rulesengine.support.frozen import record
from rulesengine.support.source import Slice, Span

# Entries that can be removed to change the meaning of the rules.
_MAY_GO = frozenset("when forbid then do keep turn along optional from misere".split())
_SHOWN = 60


@record
class Mutant:
    """A change: its span, its description, and the text of the changed spec."""

    span: Span
    change: str
    text: str


def mutants(document: Document) -> tuple[Mutant, ...]:
    """Return the mutants of the rules and definitions in the document's own source."""
    recorder = RecordingChecker(document)
    recorder.check()
    by_text: dict[str, Mutant] = {}
    for section in ("define", "effects", "rules"):
        for change in _in(document.root.get(section), section, recorder):
            if change.span.source == document.source:
                mutant = _mutant_of(change)
                by_text.setdefault(mutant.text, mutant)
    by_text.pop(document.source.text, None)
    return tuple(sorted(by_text.values(), key=lambda m: (m.span.start, m.span.end)))


def _mutant_of(change: Change) -> Mutant:
    text, span = change.span.source.text, change.edit[0]
    return Mutant(change.span, change.words, text[: span.start] + change.edit[1] + text[span.end :])


def _in(node: Node | None, key: str, recorder: RecordingChecker) -> Iterator[Change]:
    """Yield the changes in a part of the rules under a key."""
    if node is None:
        return
    parsed = recorder.parsed.get(id(node))
    if parsed is not None and not isinstance(node, Sequence):
        yield from changes(parsed, recorder)
    match node:
        case Mapping():
            for entry in node:
                yield from _entry(node, entry, key, recorder)
        case Sequence():
            for item in node:
                yield from _in(item, key, recorder)
            yield from _items(node, key)


def _entry(
    mapping: Mapping, entry: Entry, key: str, recorder: RecordingChecker
) -> Iterator[Change]:
    yield from _in(entry.value, entry.key, recorder)
    span = entry.key_span
    if (
        entry.key in _MAY_GO
        and key not in ("define", "effects", "end")
        and len(mapping.entries) > 1
    ):
        if span.source == entry.value.span.source == mapping.span.source:
            yield Change(span, without_entry(mapping, entry), f"leave out `{_entry_text(entry)}`")
    if entry.key in ("optional", "misere") and isinstance(entry.value, Scalar):
        other = "false" if entry.value.value is True else "true"
        yield Change(span, (entry.value.span, other), f"`{_entry_text(entry)}` -> `{other}`")


def _items(node: Sequence, key: str) -> Iterator[Change]:
    """Yield edits that remove an item or, where order matters, exchange it with the next one."""
    if key not in ("moves", "steps", "end", "do", "keep") or len(node.items) < 2:
        return
    for item in node:
        if item.span.source == node.span.source:
            edit = without_item(node, _trimmed(item))
            yield Change(item.span, edit, f"leave out `{_cut(item.span.text)}`")
    if key in ("end", "keep"):
        for one, other in pairwise(_trimmed(item) for item in node):
            yield Change(one.span, _exchanged(one, other), "exchange this one with the next")


def _exchanged(one: Node, other: Node) -> tuple[Span, str]:
    text = one.span.source.text
    between = text[one.span.end : other.span.start]
    return one.span.to(other.span), other.span.text + between + one.span.text


def _trimmed(item: Node) -> Node:
    """Return the item without the blanks and comments at the end of a block's span."""
    if is_flow(item):
        return item
    end = _last(item)
    span = Span(item.span.source, item.span.start, max(end, item.span.start + 1))
    return Scalar(None, _slice(span), span, "plain")


def _slice(span: Span) -> Slice:
    offsets = tuple(range(span.start, span.end + 1))
    return Slice(span.source, span.text, offsets)


def _last(node: Node) -> int:
    """Return the offset where the text of a value ends."""
    match node:
        case Mapping() if not is_flow(node):
            return max(_last(node.entries[-1].value), node.entries[-1].key_span.end)
        case Sequence() if not is_flow(node):
            return _last(node.items[-1])
    return len(node.span.source.text[: node.span.end].rstrip())


def _entry_text(entry: Entry) -> str:
    return f"{entry.key}: {_cut(entry.value.span.text)}"


def _cut(text: str) -> str:
    shown = " ".join(re.sub(r"\s#[^\n]*", "", text).split())
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
