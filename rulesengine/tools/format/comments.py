"""The comments of a document, each attached to a value."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar, Sequence
from rulesengine.support.source import Source

Collection = Mapping | Sequence
Lines = list[str]  # comments, and an empty text for blank lines

_COMMENT = re.compile(r"(?<!\S)#[^\n]*")


@dataclass(frozen=True, slots=True)
class Comments:
    """Comments by the `id` of a node: above it, behind it, and below its last value."""

    above: dict[int, Lines] = field(default_factory=dict)
    inline: dict[int, Lines] = field(default_factory=dict)
    below: dict[int, Lines] = field(default_factory=dict)
    inside: frozenset[int] = frozenset()  # flow collections that contain a comment

    @classmethod
    def of(cls, document: Document) -> "Comments":
        elements = tuple(_elements(document.root, ()))
        places = tuple(_places(document))
        nodes = (document.root, *(element.value for element in elements))
        comments = cls(inside=frozenset(id(node) for node in nodes if _holds_one(node, places)))
        _Attachment(document.source, elements, comments).attach(document.root, places)
        return comments


def comment_texts(document: Document) -> list[str]:
    """Return the comments of a document, in text order."""
    return [_text(document.source, at) for at in _places(document)]


@dataclass(frozen=True, slots=True)
class _Element:
    """A value, the offset of it or its key, and its enclosing collections, outermost first."""

    start: int
    value: Node
    within: tuple[Collection, ...]

    @property
    def dash(self) -> int:
        """Return the offset of the item's dash, or of the value itself."""
        around = self.within[-1]
        is_item = isinstance(around, Sequence) and not is_flow(around)
        return around.span.start if is_item else self.start


@dataclass(frozen=True, slots=True)
class _Attachment:
    """The algorithm that attaches each comment to a node."""

    source: Source
    elements: tuple[_Element, ...]
    comments: Comments

    def attach(self, root: Mapping, places: tuple[int, ...]) -> None:
        owners: list[tuple[int, int, Lines]] = [
            (element.start, 1, self.comments.above.setdefault(id(element.value), []))
            for element in self.elements
            if self._blank_above(element.start)
        ]
        owners += [(at, 0, self._owner(root, at)) for at in places]
        for at, is_element, lines in sorted(owners, key=lambda owner: owner[:2]):
            if self._is_alone_in_line(at) and self._blank_above(at):
                lines.append("")
            if not is_element:
                lines.append(_text(self.source, at))

    def _owner(self, root: Mapping, at: int) -> Lines:
        """Return the list of comments to which a comment is added."""
        count = bisect_left(self.elements, at, key=lambda element: element.start)
        last = self.elements[count - 1] if count else None
        following = self.elements[count] if count < len(self.elements) else None
        if not self._is_alone_in_line(at):
            return self._attach_in_line(last, following, root, at)
        if last and last.value.span.start > at and _on_one_line(last.value):
            return self.comments.above.setdefault(id(last.value), [])
        foot = self._foot(last, root, at)
        if following and (
            self._column(at) <= self._column(following.dash)
            or any(outer is foot for outer in following.within)
        ):
            return self.comments.above.setdefault(id(following.value), [])
        return self.comments.below.setdefault(id(foot), [])

    def _attach_in_line(
        self, last: _Element | None, following: _Element | None, root: Mapping, at: int
    ) -> Lines:
        line = self.source.text[at - self._column(at) + 1 : at]
        if following and (last is None or not line.strip("-? ")):
            return self.comments.above.setdefault(id(following.value), [])
        if last is None:
            return self.comments.below.setdefault(id(root), [])
        closed = [c for c in last.within if is_flow(c) and c.span.end <= at]
        value = closed[0] if closed else last.value
        return self.comments.inline.setdefault(id(value), [])

    def _foot(self, last: _Element | None, root: Mapping, at: int) -> Collection:
        """Return the innermost collection of a comment that follows the last value."""
        within = last.within if last else (root,)
        flows = [c for c in within if _around(c, at)]
        if flows:
            return flows[-1]
        blocks = [c for c in within if not is_flow(c)]
        column = self._column(at)
        deep = [c for c in blocks if self._column(c.span.start) <= column]
        return deep[-1] if deep else root

    def _column(self, at: int) -> int:
        return self.source.position(at)[1]

    def _is_alone_in_line(self, at: int) -> bool:
        """True if only blanks or the dashes of items precede an offset in its line."""
        return not self.source.text[at - self._column(at) + 1 : at].strip(
            " " if self.source.text[at] == "#" else "- "
        )

    def _blank_above(self, at: int) -> bool:
        line = self.source.position(at)[0]
        return line > 1 and not self.source.line_text(line - 1).strip()


def _elements(node: Node, within: tuple[Collection, ...]) -> Iterator[_Element]:
    """Yield the values of all maps and lists, in text order."""
    match node:
        case Mapping():
            for entry in node:
                yield _Element(entry.key_span.start, entry.value, (*within, node))
                yield from _elements(entry.value, (*within, node))
        case Sequence():
            for item in node:
                yield _Element(item.span.start, item, (*within, node))
                yield from _elements(item, (*within, node))


def _places(document: Document) -> Iterator[int]:
    """Yield the offsets of comments: a `#` outside of scalars."""
    text, at = document.source.text, 0
    for start, end in sorted({*_texts(document.root), (len(text), len(text))}):
        yield from (match.start() for match in _COMMENT.finditer(text, at, max(at, start)))
        at = max(at, end)


def _texts(node: Node) -> Iterator[tuple[int, int]]:
    """Yield the spans of scalars, without the header line of block scalars."""
    match node:
        case Scalar(span=span):
            head = span.text.partition("\n")[0] if node.style in ("literal", "folded") else ""
            yield min(span.start + len(head), span.end), span.end
        case Mapping():
            for entry in node:
                yield entry.key_span.start, entry.key_span.end
                yield from _texts(entry.value)
        case Sequence():
            for item in node:
                yield from _texts(item)


def _text(source: Source, at: int) -> str:
    line, column = source.position(at)
    return source.line_text(line)[column - 1 :].rstrip()


def is_flow(node: Node) -> bool:
    """True if a collection is in brackets; a single pair in a list may omit them."""
    return node.span.text[:1] in ("{", "[")


def _holds_one(node: Node, places: tuple[int, ...]) -> bool:
    """True if a flow collection contains a comment."""
    after = bisect_left(places, node.span.start)
    return not isinstance(node, Scalar) and after < len(places) and _around(node, places[after])


def _around(node: Node, at: int) -> bool:
    return is_flow(node) and node.span.start < at < node.span.end


def _on_one_line(value: Node) -> bool:
    return isinstance(value, Scalar) or is_flow(value)
