"""The document tree of a spec with source spans; later stages see nothing else of YAML."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulesengine.support.source import Slice, Source, Span

Style = Literal["plain", "single", "double", "literal", "folded"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value: the decoded `text` with the offset of every character, and its meaning.

    A plain number keeps its text, because the expression `6` is parsed like any other.
    """

    value: str | int | float | bool | None
    text: Slice
    span: Span
    style: Style


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value; a key is always text."""

    key: str
    key_span: Span
    value: "Node"


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries in written order with distinct keys."""

    entries: tuple[Entry, ...]
    span: Span
    _by_key: dict[str, Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {entry.key: entry for entry in self.entries})

    def entry(self, key: str) -> Entry | None:
        return self._by_key.get(key)

    def get(self, key: str) -> "Node | None":
        entry = self._by_key.get(key)
        return entry.value if entry else None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Items in written order."""

    items: tuple["Node", ...]
    span: Span

    def __iter__(self) -> Iterator["Node"]:
        return iter(self.items)


Node = Scalar | Mapping | Sequence


@dataclass(frozen=True, slots=True)
class Document:
    """A whole spec; after `extends` its values may come from several sources.

    `transforms` are the applied transforms, each with the span of its request.
    """

    source: Source
    root: Mapping
    transforms: tuple[tuple[str, Span], ...] = ()


def to_plain(node: Node) -> object:
    """Convert a tree to dicts, lists and values, without spans."""
    match node:
        case Scalar():
            return node.value
        case Mapping():
            return {entry.key: to_plain(entry.value) for entry in node.entries}
        case Sequence():
            return [to_plain(item) for item in node.items]


def quote(text: str, limit: int = 40) -> str:
    """Quote a text of the user for a message: in backticks and cut."""
    return f"`{text if len(text) <= limit else text[: limit - 1] + '…'}`"
