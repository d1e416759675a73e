"""Serialisation of a document in the standard layout, with its values and comments."""

from collections.abc import Iterator
from dataclasses import dataclass

from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar, Sequence
from rulesengine.tools.format.comments import Comments, Lines, is_flow
from rulesengine.tools.format.diagrams import aligned, is_diagram, keeps_shifts
from rulesengine.tools.format.key_order import ITEM, Order, Path
from rulesengine.tools.format.scalars import (
    block_head,
    block_lines,
    is_block,
    key_text,
    one_line,
    wrapped_lines,
)

WIDTH = 100
_STEP = "  "
_EDITOR = "# yaml-language-server:"


def printed(document: Document, order: Order) -> str:
    """Return the text of a document in the standard layout."""
    root = document.root
    if not root.entries:
        return "{}\n"
    comments = Comments.of(document)
    first = id(root.entries[0].value)
    head, rest = _header(comments.above.get(first, []))
    comments.above[first] = rest
    printer = _Printer(order, comments, keeps_shifts(document))
    lines = [*head, *printer.block(root, "", ())]
    return "".join(f"{line}\n" for line in lines)


def _header(lines: Lines) -> tuple[Lines, Lines]:
    """Split leading comments into the file header and the comments of the first key."""
    ends = [i for i, line in enumerate(lines) if (i and not line) or line.startswith(_EDITOR)]
    count = ends[-1] + 1 if ends else 0
    head = lines[:count]
    return (head[1:] if head and not head[0] else head), lines[count:]


@dataclass(frozen=True, slots=True)
class _Printer:
    order: Order
    comments: Comments
    shifts: bool

    def block(self, node: Node, indent: str, path: Path, *, above: bool = True) -> list[str]:
        """Return the lines of a map or list; `above` includes comments above its first value."""
        lines: list[str] = []
        for head, value, below in self._parts(node, path):
            behind = self._behind(f"{indent}{head}", value, indent, below)
            notes = self._above(value, below, indent, not behind) if above or lines else []
            if notes[:1] == [""] and (not lines or not lines[-1]):
                notes = notes[1:]
            lines += _indented(notes, indent)
            lines += behind or self._below(head, value, indent, below)
        return lines + _indented(self.comments.below.get(id(node), []), indent)

    def _above(self, value: Node, path: Path, indent: str, is_below: bool) -> Lines:
        """Return the comments above a value, and those without any other place."""
        inline = self.comments.inline.get(id(value), [])
        notes = [*self.comments.above.get(id(value), []), *inline[1:]]
        if is_below and path[-1] == ITEM:
            notes += inline[:1]
            head, first, below = next(self._parts(value, path))
            behind = self._behind(f"{indent}{_STEP}{head}", first, indent + _STEP, below)
            notes += filter(None, self._above(first, below, indent + _STEP, not behind))
        return notes

    def _parts(self, node: Node, path: Path) -> Iterator[tuple[str, Node, Path]]:
        """Yield each value of a collection with its key or dash, and its path."""
        if isinstance(node, Mapping):
            for entry in self.order.entries(node, path):
                yield f"{key_text(entry.key)}:", entry.value, (*path, entry.key)
        elif isinstance(node, Sequence):
            for item in node:
                yield "-", item, (*path, ITEM)

    def _behind(self, head: str, value: Node, indent: str, path: Path) -> list[str]:
        """Return the lines of a value that begins after its key or dash, none if below it."""
        inline = self.comments.inline.get(id(value), [])[:1]
        comment = f"  {inline[0]}" if inline else ""
        if isinstance(value, Scalar):
            return self._scalar(head, value, indent, path, comment)
        if _members(value) and (not is_flow(value) or id(value) in self.comments.inside):
            return []
        lines = _flow_lines(value, f"{head} ", self.order, path)
        return [*lines[:-1], f"{lines[-1]}{comment}"] if lines else []

    def _below(self, head: str, value: Node, indent: str, path: Path) -> list[str]:
        """Return the lines of a nested map or list; a list item begins after its dash."""
        inline = self.comments.inline.get(id(value), [])[:1]
        if head != "-":
            comment = f"  {inline[0]}" if inline else ""
            return [f"{indent}{head}{comment}", *self.block(value, indent + _STEP, path)]
        first, *others = self.block(value, indent + _STEP, path, above=False)
        return [f"{indent}- {first.lstrip(' ')}", *others]

    def _scalar(self, head: str, node: Scalar, indent: str, path: Path, comment: str) -> list[str]:
        if is_block(node):
            text = node.text.text
            text = aligned(text, shifts=self.shifts) if is_diagram(node, path) else text
            below = block_lines(node, text, indent + _STEP)
            return [f"{head} {block_head(node, text)}{comment}", *below]
        text = one_line(node) or ("null" if path[-1] == ITEM else "")
        lines = wrapped_lines(node)
        if lines and len(head) + 1 + len(text) > WIDTH:
            return [f"{head} >-{comment}", *(f"{indent}{_STEP}{line}" for line in lines)]
        return [f"{head} {text}".rstrip(" ") + comment]


def _indented(notes: Lines, indent: str) -> Lines:
    return [f"{indent}{note}" if note else "" for note in notes]


def _members(node: Node) -> tuple[Node, ...]:
    match node:
        case Mapping():
            return tuple(entry.value for entry in node)
        case Sequence():
            return node.items
    return ()


def _flow_lines(node: Node, head: str, order: Order, path: Path) -> list[str]:
    """Format a collection in brackets after its key; a long list of scalars is wrapped.

    Return no lines for any other long collection, which is written in block style.
    """
    line = f"{head}{_flow(node, order, path)}"
    if len(line) <= WIDTH:
        return [line]
    if not isinstance(node, Sequence) or any(not isinstance(i, Scalar) for i in node):
        return []
    return _filled(head, [_flow(item, order, path) for item in node])


def _filled(head: str, words: list[str]) -> list[str]:
    lines, indent = [f"{head}[{words[0]}"], " " * (len(head) - len(head.lstrip(" "))) + _STEP
    for word in words[1:]:
        lines[-1] += ","
        if len(lines[-1]) + len(word) + 2 > WIDTH:
            lines.append(f"{indent}{word}")
        else:
            lines[-1] += f" {word}"
    return [*lines[:-1], f"{lines[-1]}]"]


def _flow(node: Node, order: Order, path: Path) -> str:
    match node:
        case Scalar():
            return one_line(node, flow=True)
        case Mapping():
            inside = (
                f"{key_text(e.key, flow=True)}: {_flow(e.value, order, (*path, e.key))}"
                for e in order.entries(node, path)
            )
            return f"{{{', '.join(inside)}}}"
        case Sequence():
            return f"[{', '.join(_flow(item, order, (*path, ITEM)) for item in node)}]"
