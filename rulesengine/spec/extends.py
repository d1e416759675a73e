"""`extends`: a document on top of its parents: maps merge, lists replace, null deletes.

Every value keeps pointing into the file that it came from.
"""

from collections.abc import Callable

from rulesengine.diagnostic import Diagnostic
from rulesengine.errors import UsageError
from rulesengine.source import Source, Span
from rulesengine.spec.document import Document, Entry, Mapping, Node, Scalar, Sequence

Find = Callable[[str, Source], Source]
Parse = Callable[[Source], tuple[Mapping | None, list[Diagnostic]]]

_MAX_PARENTS = 32


def resolve(document: Document, find: Find, parse: Parse) -> tuple[Document, list[Diagnostic]]:
    """The document merged with its parents, without the key `extends`, and the findings.

    `find` gives the source that a name means to a child, or raises UsageError; `parse` reads
    it. Parents are merged from the first to the last, then the child.
    """
    resolver = _Resolver(find, parse)
    root = resolver.resolve(document.source, document.root, (document.source,))
    return Document(document.source, root), resolver.findings


def merge(parent: Mapping, child: Mapping) -> Mapping:
    """The child over the parent, the parent's keys first; null deletes what the parent has."""
    kept = [_over(entry, child.entry(entry.key)) for entry in parent.entries]
    new = [entry for entry in child.entries if parent.entry(entry.key) is None]
    return Mapping((*(entry for entry in kept if entry), *new), child.span)


def _over(parent: Entry, child: Entry | None) -> Entry | None:
    match child:
        case None:
            return parent
        case Entry(value=Scalar(value=None)):
            return None
        case Entry(value=Mapping() as new) if isinstance(parent.value, Mapping):
            return Entry(child.key, child.key_span, merge(parent.value, new))
    return child


class _Resolver:
    """Reads each parent once, however many specs build on it."""

    def __init__(self, find: Find, parse: Parse) -> None:
        self.find = find
        self.parse = parse
        self.findings: list[Diagnostic] = []
        self.done: dict[Source, Mapping] = {}

    def resolve(self, source: Source, root: Mapping, path: tuple[Source, ...]) -> Mapping:
        """A map without `extends`, merged; `path` leads from the first child to this source."""
        own = Mapping(tuple(e for e in root.entries if e.key != "extends"), root.span)
        merged: Mapping | None = None
        for name in self._names(root.get("extends")):
            if parent := self._parent(name, source, path):
                merged = merge(merged, parent) if merged else parent
        return merge(merged, own) if merged else own

    def _names(self, value: Node | None) -> list[Scalar]:
        """The names in the value of `extends`; what is no name is a finding."""
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

    def _parent(self, name: Scalar, child: Source, path: tuple[Source, ...]) -> Mapping | None:
        try:
            source = self.find(name.text.text, child)
        except UsageError as error:
            self.findings.append(Diagnostic("unknown-parent", name.span, str(error)))
            return None
        if source in path:
            circle = [part.name for part in path[path.index(source) :]] + [source.name]
            message = f"specs extend each other in a circle: {' -> '.join(circle)}"
            self.findings.append(Diagnostic("extends-circle", name.span, message))
            return None
        return self._read(name, source, path)

    def _read(self, name: Scalar, source: Source, path: tuple[Source, ...]) -> Mapping | None:
        if source not in self.done:
            if len(self.done) + len(path) > _MAX_PARENTS:
                message = f"more than {_MAX_PARENTS} specs extend each other"
                self.findings.append(Diagnostic("too-many-parents", name.span, message))
                return None
            root, findings = self.parse(source)
            self.findings += findings
            empty = Mapping((), Span(source, 0, 0))
            self.done[source] = self.resolve(source, root, (*path, source)) if root else empty
        return self.done[source]
