"""Occurrences of the names that a document declares: each declaration and each use."""

import re
from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.language.check.reader import entries, get, items
from rulesengine.language.check.recording_checker import RecordingChecker
from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar
from rulesengine.language.syntax import nodes as n
from rulesengine.support.frozen import record
from rulesengine.support.source import Span

# Sections with names as keys, and the kind of name that they declare.
_SECTIONS = MappingProxyType(
    {
        "parameters": "parameter",
        "players": "player",
        "pieces": "piece",
        "registers": "register",
        "tracks": "track",
        "regions": "region",
        "directions": "direction",
        "define": "definition",
        "effects": "effect",
        "strategies": "strategy",
    }
)
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_REGISTER_LINE = re.compile(r"^[ \t]*([a-z][a-z0-9_]*)(?= of [a-z][a-z0-9_]*:|:)", re.MULTILINE)


@record
class Occurrence:
    """A name in the text; `text` is the whole declaration if it is one, else empty."""

    name: str
    kind: str
    span: Span
    text: str


def occurrences(document: Document) -> tuple[Occurrence, ...]:
    """Return the declarations of a document and their uses, even if it has errors."""
    recorder = RecordingChecker(document)
    recorder.check()
    declared = list(_declared(document.root))
    kinds = {one.name: one.kind for one in declared}
    by_place = {(one.span.source.name, one.span.start): one for one in declared}
    for name, span in (*_used(recorder), *_in_tests(document.root)):
        if name in kinds:
            one = Occurrence(name, kinds[name], span, "")
            by_place.setdefault((span.source.name, span.start), one)
    return tuple(by_place[location] for location in sorted(by_place))


def _declared(root: Mapping) -> Iterator[Occurrence]:
    for section, kind in _SECTIONS.items():
        for key, span, value in entries(root.get(section)):
            name = _NAME.match(key)
            if name and not (section == "pieces" and _is_no_name(key, span)):
                yield Occurrence(name[0], kind, _first(span, name[0]), _declaration(key, value))
    if not isinstance(root.get("players"), Mapping):
        for item in items(root.get("players")):
            yield Occurrence(item.span.text, "player", item.span, item.span.text)


def _is_no_name(key: str, span: Span) -> bool:
    """True if a key of `pieces` is `empty`, or was made from an entry with combinations."""
    return key == "empty" or key not in span.text


def _declaration(key: str, value: Node) -> str:
    return f"{key}: {' '.join(value.span.text.split())}"


def _first(span: Span, name: str) -> Span:
    """Return the span of the name at the beginning of a key, which may be in quotes."""
    start = span.start + span.text.find(name)
    return Span(span.source, start, start + len(name))


def _used(recorder: RecordingChecker) -> Iterator[tuple[str, Span]]:
    heads = {id(d.body): frozenset(d.arguments) for d in recorder.context.definitions.values()}
    named = recorder.context.effects.values()
    heads |= {id(node): frozenset(e.arguments) for e in named for node in e.body}
    for node in (*recorder.parsed.values(), *recorder.lines):
        yield from _names(node, heads.get(id(node), frozenset()))


def _names(node: n.Node, bound: frozenset[str]) -> Iterator[tuple[str, Span]]:
    """Yield the names in a node, without bound variables and arguments."""
    match node:
        case n.Name(word=word, span=span):
            if word not in bound:
                yield word, span
        case n.Call(function=word, name_span=span):
            yield word, span
        case n.Index(word=word, span=span):
            yield word, _first(span, word)
        case n.Each(variable=variable, domain=domain, body=body):
            yield from _names(domain, bound)
            yield from _names(body, bound | {variable})
            return
        case (
            n.ForEach(variable=variable, domain=domain, effect=body)
            | n.CarryEach(variable=variable, cells=domain, target=body)
        ):
            yield from _names(domain, bound)
            yield from _names(body, bound | {variable})
            return
    for child in n.children(node):
        yield from _names(child, bound)


def _in_tests(root: Mapping) -> Iterator[tuple[str, Span]]:
    """Yield the registers in the positions of tests, a line each."""
    for test in items(root.get("tests")):
        position = get(test, "position")
        if isinstance(position, Scalar):
            for match in _REGISTER_LINE.finditer(position.text.text):
                yield match[1], position.text.span(match.start(1), match.end(1))
