"""Resolution of `extends` and `with`: a document over its parents, then transformed.

Maps merge, lists replace, null deletes; a map over a list merges with its items by their names. The
spans of values refer to the file that contains them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulesengine.errors import UsageError
from rulesengine.language.document.edits import without_entry, without_item
from rulesengine.language.document.inherited_tests import with_defaults
from rulesengine.language.document.language_version import newer
from rulesengine.language.document.nodes import (
    Document,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    to_plain,
)
from rulesengine.language.document.transform_requests import TransformError, TransformRequest
from rulesengine.language.document.transforms import transform, transform_requests
from rulesengine.support.diagnostic import Diagnostic, Note, Suggestion, did_you_mean
from rulesengine.support.source import Source, Span

Find = Callable[[str, Source], Source]
Parse = Callable[[Source], tuple[Mapping | None, list[Diagnostic]]]

MAX_TRANSFORMS = 32
_MAX_PARENTS = 32
_INHERITANCE_KEYS = frozenset({"extends", "with"})


def resolve(
    document: Document, find: Find, parse: Parse, transforms: int = MAX_TRANSFORMS
) -> tuple[Document, list[Diagnostic]]:
    """Merge a document with its parents and transform it; also return the findings.

    `find` returns the source of a name in a child, or raises UsageError; `parse` reads it. Parents
    are merged from the first to the last, then the child; the transforms of `with` come last. Only
    the first `transforms` of them are applied.
    """
    resolver = _Resolver(find, parse, transforms)
    root = resolver.resolve(document.source, document.root, (_Link(document.source, None),))
    done = tuple((request.name, request.span) for request in resolver.transformed)
    return Document(document.source, root, done), resolver.findings


def merge(parent: Mapping, child: Mapping) -> Mapping:
    """Merge a child over its parent, the parent's keys first; null deletes a key of the parent."""
    merged = [_over(entry, child.entry(entry.key)) for entry in parent.entries]
    new = [entry for entry in child.entries if parent.entry(entry.key) is None]
    return Mapping((*(entry for entry in merged if entry), *new), child.span)


def clashes(
    first: Mapping, second: Mapping, child: Mapping | None, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Entry, Entry]]:
    """Yield the keys to which two parents give different values and their child gives none."""
    for one in first.entries:
        other = second.entry(one.key)
        own = child.entry(one.key) if child else None
        if other is None or to_plain(one.value) == to_plain(other.value):
            continue
        below = own.value if own and isinstance(own.value, Mapping) else None
        if isinstance(one.value, Mapping) and isinstance(other.value, Mapping):
            if own is None or below is not None:
                yield from clashes(one.value, other.value, below, (*path, one.key))
        elif own is None:
            yield (*path, one.key), one, other


def _on_top(parent: Mapping, own: Mapping) -> Mapping:
    """Merge a whole spec over its parent; it may delete sections that the parent does not have."""
    own_entries = (entry for entry in own if parent.entry(entry.key) or not _deletes(entry))
    merged = merge(parent, Mapping(tuple(own_entries), own.span))
    return merged if own.entry("tests") else with_defaults(merged, parent)


def _deletes(entry: Entry) -> bool:
    """True if `null` is written; a missing value does not delete."""
    node = entry.value
    return isinstance(node, Scalar) and node.value is None and node.text.text == "null"


def _over(parent: Entry, child: Entry | None) -> Entry | None:
    match child:
        case None:
            return parent
        case Entry(value=Scalar(value=None)):
            return None
        case Entry(value=Mapping() as new) if isinstance(parent.value, Mapping):
            return Entry(child.key, child.key_span, merge(parent.value, new))
        case Entry(value=Mapping() as new) if named := _named(parent.value, new):
            return Entry(child.key, child.key_span, named)
    return child


def _named(parent: Node, own: Mapping) -> Sequence | None:
    """Change or delete items of a list by name; None if the map does not name items of the list."""
    items = parent.items if isinstance(parent, Sequence) else ()
    if not isinstance(parent, Sequence) or not {e.key for e in own} <= {*map(_name, items)} - {""}:
        return None
    changed = ((item, own.entry(_name(item))) for item in items)
    merged = (_over(Entry("", item.span, item), entry) for item, entry in changed)
    return Sequence(tuple(entry.value for entry in merged if entry), parent.span)


def _name(item: Node) -> str:
    """Return the name of an item of a list; empty if it has none."""
    name = item.get("name") if isinstance(item, Mapping) else None
    return name.text.text if isinstance(name, Scalar) else ""


def unmatched_entries(parent: Node, child: Node) -> Iterator[tuple[Entry, tuple[str, ...]]]:
    """Yield the entries of a map over a list that match no item, with the names of the items."""
    if isinstance(child, Mapping) and isinstance(parent, Mapping):
        for entry in child:
            below = parent.get(entry.key)
            if below is not None:
                yield from unmatched_entries(below, entry.value)
    elif isinstance(child, Mapping) and isinstance(parent, Sequence):
        names = tuple(filter(None, map(_name, parent.items)))
        if names and all(isinstance(e.value, Mapping) or _deletes(e) for e in child):
            yield from ((entry, names) for entry in child if entry.key not in names)


@dataclass(frozen=True, slots=True)
class _Link:
    """A source on the path from the first child, and the span where its child names it."""

    source: Source
    named: Span | None


class _Resolver:
    """A resolver that reads each parent once, even if several specs extend it."""

    def __init__(self, find: Find, parse: Parse, transforms: int) -> None:
        self.find = find
        self.parse = parse
        self.transforms = transforms
        self.findings: list[Diagnostic] = []
        self.transformed: list[TransformRequest] = []
        self.cache: dict[Source, Mapping] = {}

    def resolve(self, source: Source, root: Mapping, path: tuple[_Link, ...]) -> Mapping:
        """Return a map without `extends` and `with`; `path` leads from the first child to it."""
        own = Mapping(tuple(e for e in root.entries if e.key not in _INHERITANCE_KEYS), root.span)
        merged: Mapping | None = None
        for name in self._names(root.get("extends")):
            if parent := self._parent(name, source, path):
                if merged:
                    self._report_clashes(merged, parent, own, name)
                merged = merge(merged, parent) if merged else parent
        if merged:
            self._report_strangers(merged, own)
        return self._transform(_on_top(merged, own) if merged else own, root)

    def _transform(self, merged: Mapping, root: Mapping) -> Mapping:
        requests, findings = transform_requests(root.get("with"))
        self.findings += findings
        for request in requests:
            if len(self.transformed) < self.transforms:
                self.transformed.append(request)
                merged = self._transform_once(merged, root, request)
        return merged

    def _transform_once(self, merged: Mapping, root: Mapping, request: TransformRequest) -> Mapping:
        """Apply one transform and drop inherited tests, which describe the untransformed game."""
        if root.get("tests") is None:
            merged = Mapping(tuple(e for e in merged.entries if e.key != "tests"), merged.span)
        try:
            return transform(merged, request)
        except TransformError as refusal:
            span = refusal.span or request.span
            help = refusal.help or (_without_request(root, request) if refusal.span is None else "")
            details = (refusal.message, help, "", refusal.notes)
            self.findings.append(Diagnostic("transform-fails", span, *details))
            return merged

    def _names(self, value: Node | None) -> list[Scalar]:
        """Return the names in the value of `extends`; report anything else."""
        if value is None:
            return []
        items = value.items if isinstance(value, Sequence) else (value,)
        scalars = [item for item in items if isinstance(item, Scalar)]
        names = [item for item in scalars if item.value is not None and item.text.text.strip()]
        if len(names) < len(items):
            span = Span(value.span.source, value.span.start, value.span.start + 1)
            message = "expected a name or a list of names for `extends`"
            self.findings.append(Diagnostic("wrong-type", span, message))
        return names[:_MAX_PARENTS]

    def _parent(self, name: Scalar, child: Source, path: tuple[_Link, ...]) -> Mapping | None:
        way = tuple(Note(link.named, "extended here") for link in path[-1:] if link.named)
        try:
            source = self.find(name.text.text, child)
        except UsageError as error:
            diagnostic = Diagnostic(
                "unknown-parent", name.span, error.message, error.hint, notes=way
            )
            self.findings.append(diagnostic)
            return None
        sources = [link.source for link in path]
        if source in sources:
            circle = path[sources.index(source) :]
            names = [link.source.name for link in circle] + [source.name]
            message = f"specs extend each other in a circle: {' -> '.join(names)}"
            notes = tuple(Note(link.named, "on the way") for link in circle[1:2] if link.named)
            self.findings.append(Diagnostic("extends-circle", name.span, message, notes=notes))
            return None
        return self._read(name, source, path)

    def _read(self, name: Scalar, source: Source, path: tuple[_Link, ...]) -> Mapping | None:
        if source not in self.cache:
            if len(self.cache) + len(path) > _MAX_PARENTS:
                message = f"more than {_MAX_PARENTS} specs extend each other"
                self.findings.append(Diagnostic("too-many-parents", name.span, message))
                return None
            root, findings = self.parse(source)
            version = newer(source, root)
            self.findings += [version] if version else findings
            empty = Mapping((), Span(source, 0, 0))
            link = _Link(source, name.span)
            self.cache[source] = self.resolve(source, root, (*path, link)) if root else empty
        return self.cache[source]

    def _report_strangers(self, merged: Mapping, own: Mapping) -> None:
        for entry, names in unmatched_entries(merged, own):
            message = f"the list has no item named `{entry.key}`"
            help = did_you_mean(entry.key, names) or "its names are " + ", ".join(names)
            self.findings.append(Diagnostic("unknown-name", entry.key_span, message, help))

    def _report_clashes(self, first: Mapping, second: Mapping, own: Mapping, name: Scalar) -> None:
        for path, one, other in clashes(first, second, own):
            key = ".".join(path)
            notes = (Note(one.key_span, "one parent"), Note(other.key_span, "the other"))
            message = f"two parents give `{key}` different values"
            help = f"say here which is meant: give `{key}` a value, or delete it with `null`"
            self.findings.append(Diagnostic("parents-clash", name.span, message, help, notes=notes))


def _without_request(root: Mapping, request: TransformRequest) -> str:
    """Return a help that removes a request for a transform, the whole `with` if it is alone."""
    entry = root.entry("with")
    if entry is None or entry.key_span.source != request.span.source:
        return ""
    span, write = without_entry(root, entry)
    value = entry.value
    if isinstance(value, Mapping) and len(value.entries) > 1:
        own = [one for one in value.entries if one.key_span == request.span]
        span, write = without_entry(value, own[0]) if own else (span, write)
    elif isinstance(value, Sequence) and len(value.items) > 1:
        items = [item for item in value.items if item.span == request.span]
        if not items:
            return ""
        span, write = without_item(value, items[0])
    return Suggestion(f"leave `{request.name}` out", write, span)
