"""Expansion of one entry of `pieces` to a kind for each combination of attributes.

See decision 066.
"""

import re
import string
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from math import prod

from rulesengine.language.document.edits import with_entry
from rulesengine.language.document.nodes import Document, Entry, Mapping, Node, Scalar, Sequence
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.limits import MAX_KINDS
from rulesengine.support.source import Slice, Span

_IS, _AT_MOST = "is", "at_most"
_LABELS = string.digits + string.ascii_lowercase
_IN_A_NAME = re.compile("[a-z0-9_]")


def with_combinations(document: Document) -> tuple[Document, list[Diagnostic]]:
    """Replace each entry of `pieces` that has lists in its `is` by one kind per combination.

    A kind is named by the key and its symbol, the first one if it has several owners; the key
    itself becomes an attribute of all of them.
    """
    pieces = document.root.get("pieces")
    if not isinstance(pieces, Mapping) or not any(map(_alternatives, pieces.entries)):
        return document, []
    findings: list[Diagnostic] = []
    kinds = tuple(kind for entry in pieces for kind in _expanded(entry, findings))
    root = tuple(
        replace(entry, value=Mapping(kinds, pieces.span)) if entry.key == "pieces" else entry
        for entry in document.root
    )
    return replace(document, root=Mapping(root, document.root.span)), findings


def _alternatives(entry: Entry) -> tuple[Sequence, ...]:
    """Return the lists in `is`; each kind has one word of each list."""
    written = entry.value.get(_IS) if isinstance(entry.value, Mapping) else None
    items = written.items if isinstance(written, Sequence) else ()
    return tuple(item for item in items if isinstance(item, Sequence))


def _expanded(entry: Entry, findings: list[Diagnostic]) -> Iterator[Entry]:
    """Yield the kinds of an entry, in the order of its symbols."""
    node, lists = entry.value, _alternatives(entry)
    if not lists or not isinstance(node, Mapping):
        yield entry
        return
    count = prod(len(one.items) for one in lists)
    findings += _mistakes(entry, node, count)
    lengths = [len(symbols.text.text) for _, symbols in _symbols(node)]
    have = min([count, MAX_KINDS, *lengths]) if lengths else 0
    rows = product(*(item.items if isinstance(item, Sequence) else (item,) for item in _is(node)))
    for number, words in enumerate(islice(rows, have)):
        yield _kind(entry, node, number, words)


def _is(node: Mapping) -> tuple[Node, ...]:
    written = node.get(_IS)
    return written.items if isinstance(written, Sequence) else ()


def _symbols(node: Mapping) -> Iterator[tuple[Entry, Scalar]]:
    """Yield the symbols of each owner, one text."""
    for entry in node:
        if entry.key not in (_IS, _AT_MOST) and isinstance(entry.value, Scalar):
            yield entry, entry.value


def _mistakes(entry: Entry, node: Mapping, count: int) -> Iterator[Diagnostic]:
    """Yield the errors of an entry with combinations."""
    if count > MAX_KINDS:
        message = f"{count:,} kinds of piece, at most {MAX_KINDS} are allowed"
        yield Diagnostic("wrong-count", entry.key_span, message)
        return
    if not any(_symbols(node)):
        message = f"`{entry.key}` is {count} kinds and has no symbols"
        example = f'neutral: "{_LABELS[:count]}"'
        span, write = with_entry(node, example)
        fix = Suggestion(f"give them symbols, a text for each owner: `{example}`", write, span)
        yield Diagnostic("missing-key", entry.key_span, message, fix)
    for owner, symbols in _symbols(node):
        actual = len(symbols.text.text)
        if actual != count:
            shown = f"{actual} symbol{'' if actual == 1 else 's'}"
            message = f"`{entry.key}` is {count} kinds, `{owner.key}` has {shown}"
            help = _write("write a symbol for each kind, one after the other", count)
            yield Diagnostic("wrong-count", symbols.span, message, help)
    for _, symbols in islice(_symbols(node), 1):
        wrong = [c for c in symbols.text.text if not _IN_A_NAME.fullmatch(c.lower())]
        if wrong:
            message = f"`{entry.key}{wrong[0]}` cannot be the name of a kind"
            advice = (
                "kinds that are made together are called by their symbols: use letters or digits"
            )
            help = _write(advice, count)
            yield Diagnostic("bad-name", symbols.span, message, help)


def _write(help: str, count: int) -> str:
    """Return the help with suitable symbols, if there are as many digits and letters."""
    symbols = _LABELS[:count]
    return help if len(symbols) < count else Suggestion(f"{help}: `{symbols}`", f'"{symbols}"')


def _kind(entry: Entry, node: Mapping, number: int, words: tuple[Node, ...]) -> Entry:
    """Return one of the kinds, with its own symbols and words."""
    symbols = {owner.key: _one_symbol(text, number) for owner, text in _symbols(node)}
    first = next(iter(symbols.values())).text.text if symbols else ""
    span = entry.key_span
    own = Scalar(entry.key, _plain(entry.key, span), span, "plain")
    values: dict[str, Node] = {**symbols, _IS: Sequence((own, *words), span)}
    entries = (replace(e, value=values.get(e.key, e.value)) for e in node)
    return Entry(entry.key + first.lower(), span, Mapping(tuple(entries), node.span))


def _one_symbol(symbols: Scalar, number: int) -> Scalar:
    text = symbols.text.cut(number, number + 1)
    return replace(symbols, value=text.text, text=text, span=text.span(0, 1))


def _plain(text: str, span: Span) -> Slice:
    return Slice(span.source, text, tuple(range(span.start, span.start + len(text) + 1)))
