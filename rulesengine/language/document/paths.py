"""Access to a document by paths of keys; each change makes a new document."""

from rulesengine.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulesengine.language.document.scalars import plain_value
from rulesengine.support.source import Slice, Span


def at(node: Node | None, *path: str) -> Node | None:
    """Return the value at a path of keys, if it exists."""
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def items(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list, or the single value."""
    if node is None:
        return ()
    return node.items if isinstance(node, Sequence) else (node,)


def text(node: Node | None) -> str:
    """Return the text of a value, empty for a list, a map or None."""
    return node.text.text.strip() if isinstance(node, Scalar) and node.value is not None else ""


def head(node: Node) -> Span:
    """Return the span of a scalar, or of the first character of a collection."""
    if isinstance(node, Scalar):
        return node.span
    return Span(node.span.source, node.span.start, node.span.start + 1)


def put(root: Mapping, path: tuple[str, ...], value: Node, place: Span) -> Mapping:
    """Return the map with a value at a path; new keys have the span `place`."""
    key, *rest = path
    old = root.entry(key)
    if rest:
        inside = old.value if old and isinstance(old.value, Mapping) else Mapping((), place)
        value = put(inside, tuple(rest), value, place)
    new = Entry(key, old.key_span if old else place, value)
    if old:
        return Mapping(tuple(new if e.key == key else e for e in root.entries), root.span)
    return Mapping((*root.entries, new), root.span)


def plain(text: str, place: Span) -> Scalar:
    """Make a plain scalar that is not in the source, with the span `place`."""
    letters = Slice(place.source, text, (place.start,) * len(text) + (place.start + 1,))
    return Scalar(plain_value(text), letters, place, "plain")


def mapping(place: Span, **values: Node) -> Mapping:
    """Make a map that is not in the source."""
    return Mapping(tuple(Entry(key, place, value) for key, value in values.items()), place)
