"""Edits of a spec's text that preserve its layout: an entry added or removed, a value quoted."""

import re

from rulesengine.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulesengine.support.source import Span

Edit = tuple[Span, str]  # a span and its replacement


def is_flow(node: Node) -> bool:
    """True if a map or list is in flow style, `{…}` or `[…]`."""
    return node.span.text[:1] in ("{", "[")


def with_entry(mapping: Mapping, text: str) -> Edit:
    """Add `key: value` to a map as its second entry, in the style of the map."""
    source = mapping.span.source
    own = [entry for entry in mapping.entries if entry.key_span.source == source]
    if not own:
        at = mapping.span.start + is_flow(mapping)
        return Span(source, at, at), text
    first = own[0]
    if is_flow(mapping):
        at = end_of(first.value, first)
        return Span(source, at, at), f", {text}"
    indent = " " * (source.position(first.key_span.start)[1] - 1)
    text = text.replace("\n", "\n" + indent)
    if len(own) > 1:
        at = own[1].key_span.start
        return Span(source, at, at), f"{text}\n{indent}"
    at = end_of(first.value, first)
    return Span(source, at, at), f"\n{indent}{text}"


def without_entry(mapping: Mapping, entry: Entry) -> Edit:
    """Remove an entry with its comma or its lines; an entry from another file stays."""
    source, text = mapping.span.source, mapping.span.source.text
    if entry.key_span.source != source or entry.value.span.source != source:
        return Span(entry.key_span.source, entry.key_span.start, entry.key_span.start), ""
    start, end = entry.key_span.start, end_of(entry.value, entry)
    if is_flow(mapping):
        before = re.compile(r",\s*$").search(text, mapping.span.start, start)
        after = re.compile(r"\s*,\s*").match(text, end)
        if before:
            return Span(source, before.start(), end), ""
        return Span(source, start, after.end() if after else end), ""
    rest = re.compile(r"[^\n]*\n?").match(text, end)
    end = rest.end() if rest else end
    following = re.compile(r"\s*").match(text, end)
    if following and entry is mapping.entries[0] and len(mapping.entries) > 1:
        return Span(source, start, following.end()), ""
    line = start - source.position(start)[1] + 1
    return Span(source, line if not text[line:start].strip() else start, end), ""


def without_item(sequence: Sequence, item: Node) -> Edit:
    """Remove an item of a list, with its comma or its line."""
    source, text = item.span.source, item.span.source.text
    start, end = item.span.start, item.span.end
    if is_flow(sequence):
        before = re.compile(r",\s*$").search(text, sequence.span.start, start)
        after = re.compile(r"\s*,\s*").match(text, end)
        return Span(
            source, before.start() if before else start, end if before or not after else after.end()
        ), ""
    line = start - source.position(start)[1] + 1
    rest = re.compile(r"[^\n]*\n?").match(text, end)
    return Span(source, line, rest.end() if rest else end), ""


def quoted(text: str) -> str:
    """Return the text as a quoted scalar on one line."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def end_of(node: Node, entry: Entry) -> int:
    """Return the end of a value; a collection's own span extends to the next event."""
    if isinstance(node, Scalar):
        return max(node.span.end, entry.key_span.end + 1)
    if is_flow(node):
        return node.span.end
    last = node.items[-1] if isinstance(node, Sequence) else node.entries[-1].value
    inner = entry if isinstance(node, Sequence) else node.entries[-1]
    return end_of(last, inner)
