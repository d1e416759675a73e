"""Reading and changing a document by paths of keys: each change is a new document."""

from rulesengine.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulesengine.language.document.scalars import plain_value
from rulesengine.support.source import Slice, Span


def at(node: Node | None, *path: str) -> Node | None:
    """The value at a path of keys, if there is one."""
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list, or the one value."""
    if node is None:
        return ()
    return node.items if isinstance(node, Sequence) else (node,)


def text(node: Node | None) -> str:
    """The text of a value, empty for a list, a map or nothing."""
    return node.text.text.strip() if isinstance(node, Scalar) and node.value is not None else ""


def head(node: Node) -> Span:
    """A value that is a text or a number, or the first character of anything longer."""
    if isinstance(node, Scalar):
        return node.span
    return Span(node.span.source, node.span.start, node.span.start + 1)


def put(root: Mapping, path: tuple[str, ...], value: Node, place: Span) -> Mapping:
    """The map with a value at a path; new keys stand at `place`."""
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
    """A value without quotes that nobody wrote; `place` stands for it."""
    letters = Slice(place.source, text, (place.start,) * len(text) + (place.start + 1,))
    return Scalar(plain_value(text), letters, place, "plain")


def mapping(place: Span, **values: Node) -> Mapping:
    """A map that nobody wrote."""
    return Mapping(tuple(Entry(key, place, value) for key, value in values.items()), place)
