"""Strict YAML: a source to nodes with spans, from the events of PyYAML's parser, with limits.

The events are processed one by one: `yaml.load` would resolve aliases and tags, and the composer of
the C parser crashes on deep nesting.
"""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import yaml
from yaml.events import (
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from rulesengine.language.document.edits import without_entry
from rulesengine.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, quote
from rulesengine.language.document.recovery import CorrectedText
from rulesengine.language.document.scalars import decode, plain_value
from rulesengine.language.document.yaml_errors import (
    character_finding,
    cut_by_a_comma,
    not_allowed_character,
    not_allowed_in,
    unquoted,
    yaml_error,
)
from rulesengine.support.diagnostic import Diagnostic, Note, Suggestion
from rulesengine.support.limits import MAX_DEPTH, MAX_NODES, MAX_STRING
from rulesengine.support.source import Slice, Source, Span

_MAX_KEY = 256
_MAX_FINDINGS = 100
_MAX_STOPS = 20  # errors that are corrected to continue parsing
_START = "start with `spec: 1` and `name: …`"
_STYLES: MappingProxyType[str | None, Style] = MappingProxyType(
    {"'": "single", '"': "double", "|": "literal", ">": "folded"}
)


def parse(source: Source, loader: Any = None) -> tuple[Mapping | None, list[Diagnostic]]:
    """Parse a source to a map and every finding; None if there is no map.

    `loader` is a loader class of PyYAML, by default the C one if it is available.
    """
    if finding := not_allowed_character(source):
        return None, [finding]
    loader = loader or getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    draft, stops = CorrectedText.of(source), list[Diagnostic]()
    while True:
        walk = _Walk(draft.text, loader)
        try:
            root = walk.document()
        except _Stop as stop:
            diagnostic, fix = draft.diagnostic(stop.diagnostic), stop.diagnostic.fix
            again = any((f.code, f.span) == (diagnostic.code, diagnostic.span) for f in stops)
            if not again:  # if a correction did not help, the error is the same
                stops.append(diagnostic)
            if fix and not again and len(stops) < _MAX_STOPS:
                draft = draft.mended(fix)
                continue
            return None, [*stops, *map(draft.diagnostic, walk.findings)]
        return draft.mapping(root), [*stops, *map(draft.diagnostic, walk.findings)]


class _Stop(Exception):
    """A syntax error that stops the parser unless it is corrected."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


class _Walk:
    """A pass over the events of one source that builds nodes no deeper than MAX_DEPTH."""

    def __init__(self, source: Source, loader: Any) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.nodes = 0
        self.flows = 0  # the flow collections around the current value
        self.events = _events(source, loader)

    def document(self) -> Mapping:
        first = self._next()
        while not isinstance(first, DocumentStartEvent | StreamEndEvent):
            first = self._next()
        if isinstance(first, StreamEndEvent):
            raise _Stop(self._nothing())
        if first.version or first.tags:
            self._find("yaml-directive", self._span(first), "YAML directives are not allowed")
        root = self._node(self._next(), 1)
        if isinstance(root, Scalar) and root.style == "plain" and not root.text.text:
            raise _Stop(self._nothing())
        self._end()
        if isinstance(root, Mapping):
            return root
        shape = "a list" if isinstance(root, Sequence) else "text"
        span = Span(self.source, root.span.start, root.span.start + 1)
        raise _Stop(
            Diagnostic("not-a-map", span, f"a spec is a map of keys, found {shape}", _START)
        )

    def _end(self) -> None:
        while not isinstance(event := self._next(), StreamEndEvent):
            if isinstance(event, DocumentStartEvent):
                message = "a spec is one document, found a second one"
                raise _Stop(Diagnostic("two-documents", self._span(event), message))

    def _nothing(self) -> Diagnostic:
        holds = "holds nothing but comments" if "#" in self.source.text else "is empty"
        return Diagnostic("empty-spec", Span(self.source, 0, 0), f"the file {holds}", _START)

    def _next(self) -> Event:
        return next(self.events)

    def _node(self, event: Event, depth: int) -> Node:
        self.nodes += 1
        span = self._span(event)
        if self.nodes > MAX_NODES:
            raise _Stop(Diagnostic("too-many-values", span, f"more than {MAX_NODES} values"))
        if depth > MAX_DEPTH and isinstance(event, MappingStartEvent | SequenceStartEvent):
            raise _Stop(_too_deep(span))
        self._refuse_properties(event, span)
        match event:
            case MappingStartEvent() | SequenceStartEvent():
                return self._collection(event, depth)
            case ScalarEvent():
                return self._scalar(event, span)
            case _:
                return Scalar(span.text, decode(span, "plain", span.text), span, "plain")

    def _collection(self, event: MappingStartEvent | SequenceStartEvent, depth: int) -> Node:
        self.flows += bool(event.flow_style)
        read = self._mapping if isinstance(event, MappingStartEvent) else self._sequence
        node = read(event, depth)
        self.flows -= bool(event.flow_style)
        return node

    def _refuse_properties(self, event: Event, span: Span) -> None:
        """Report anchors, aliases and tags, which are often meant as unquoted symbols."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if not anchor and not tag:
            return
        word = re.split(r"[\s,]", span.text, maxsplit=1)[0]
        is_symbol = len(word) <= 2 and not span.text[len(word) :].strip(" \t,")
        span = Span(self.source, span.start, span.start + len(word))
        help = unquoted(span).help if is_symbol else "write the value itself"
        if anchor:
            self._find("yaml-anchor", span, "anchors and aliases are not allowed", help)
        if tag:
            self._find("yaml-tag", span, "tags are not allowed", help)

    def _mapping(self, start: Event, depth: int) -> Mapping:
        entries: dict[str, Entry] = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            key = self._node(event, depth + 1)
            value = self._node(self._next(), depth + 1)
            if not isinstance(key, Scalar) or not self._is_key(key):
                self._bad_key(key)
            elif first := entries.get(key.text.text):
                note = Note(first.key_span, "the first one")
                message = f"the key {quote(first.key)} occurs here twice"
                second = Entry(key.text.text, key.span, value)
                both = Mapping((*entries.values(), second), self._span(start).to(value.span))
                span, write = without_entry(both, second)
                help = Suggestion("keep one of the two", write, span)
                self._add(Diagnostic("repeated-key", key.span, message, help, notes=(note,)))
            else:
                entries[key.text.text] = Entry(key.text.text, key.span, value)
        return Mapping(tuple(entries.values()), self._span(start).to(self._span(event)))

    def _is_key(self, key: Scalar) -> bool:
        text = key.text.text
        merges = text == "<<" and key.style == "plain"
        return bool(text) and "\n" not in text and len(text) <= _MAX_KEY and not merges

    def _bad_key(self, key: Node) -> None:
        if isinstance(key, Scalar) and key.text.text == "<<":
            help = "use `extends` to build on another spec"
            self._find("merge-key", key.span, "merge keys are not allowed", help)
            return
        description = "an empty one"
        if isinstance(key, Scalar) and key.text.text:
            description = "one that is too long"
        if not isinstance(key, Scalar):
            description = "a map" if isinstance(key, Mapping) else "a list"
        span = Span(self.source, key.span.start, key.span.start + 1)
        self._find("bad-key", span, f"a key is a short text on one line, found {description}")

    def _sequence(self, start: Event, depth: int) -> Sequence:
        items = []
        while not isinstance(event := self._next(), SequenceEndEvent):
            items.append(self._node(event, depth + 1))
        return Sequence(tuple(items), self._span(start).to(self._span(event)))

    def _scalar(self, event: ScalarEvent, span: Span) -> Scalar:
        style = _STYLES.get(event.style, "plain")
        text = decode(span, style, event.value)
        if self.flows and style == "plain" and (stop := cut_by_a_comma(span)):
            raise _Stop(stop)
        self._check_text(text, span)
        value = plain_value(event.value) if style == "plain" and not event.tag else event.value
        return Scalar(value, text, _trimmed(span), style)

    def _check_text(self, text: Slice, span: Span) -> None:
        if len(text.text) > MAX_STRING:
            short = Span(self.source, span.start, span.start + 1)
            message = f"a text of {len(text.text)} characters, at most {MAX_STRING} are allowed"
            self._find("text-too-long", short, message)
        if char := not_allowed_in(text.text):
            at = text.text.index(char)
            self._add(character_finding(text.span(at, at + 1), char))

    def _span(self, event: Event) -> Span:
        return Span(self.source, _offset(event.start_mark), _offset(event.end_mark))

    def _find(self, code: str, span: Span, message: str, help: str = "") -> None:
        self._add(Diagnostic(code, span, message, help))

    def _add(self, finding: Diagnostic) -> None:
        self.findings.append(finding)
        if len(self.findings) >= _MAX_FINDINGS:
            raise _Stop(finding)


def _events(source: Source, loader: Any) -> Iterator[Event]:
    """Yield PyYAML's events; any exception of PyYAML becomes a finding."""
    try:
        yield from yaml.parse(source.text, loader)
    except yaml.MarkedYAMLError as error:
        problem, context = error.problem_mark, error.context_mark
        at = _offset(problem or context)
        start = _offset(context or problem)
        words = error.problem or "", error.context or ""
        if "nesting depth" in words[0]:  # a limit of libyaml from 0.2.6 on, above ours
            raise _Stop(_too_deep(Span(source, at, at + 1))) from None
        raise _Stop(yaml_error(source, *words, at, start)) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        message = "this text is not YAML"
        raise _Stop(Diagnostic("misplaced-text", Span(source, 0, 0), message)) from None


def _too_deep(span: Span) -> Diagnostic:
    return Diagnostic("too-deep", span, f"nested deeper than {MAX_DEPTH}")


def _offset(mark: Any) -> int:
    """Return the offset of a mark of PyYAML in characters; both parsers count alike."""
    return int(mark.index) if mark else 0


def _trimmed(span: Span) -> Span:
    """Return the span without the trailing blank lines of a block scalar."""
    return Span(span.source, span.start, span.start + len(span.text.rstrip("\n ")))
