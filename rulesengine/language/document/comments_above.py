"""The comments of a spec above a key or an item, and between the lines of its value."""

from collections.abc import Iterator

from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.support.source import Source, Span


def comment_above(span: Span) -> str:
    """Return the comment in the lines directly above a key or an item, without its marks."""
    source = span.source
    line, column = source.position(span.start)
    if source.line_text(line)[: column - 1].strip(" -"):
        return ""
    lines: list[str] = []
    while line > 1 and source.line_text(line - 1).lstrip().startswith("#"):
        line -= 1
        lines.insert(0, source.line_text(line))
    return _joined(lines)


def comments_inside(node: Node) -> str:
    """Return the comments in lines of their own between the lines of a value."""
    source, span = node.span.source, node.span
    first, last = (source.position(at)[0] for at in (span.start, span.end))
    texts = {line for scalar in _scalars(node) for line in _lines(source, scalar.span)}
    inside = (source.line_text(line) for line in range(first + 1, last + 1) if line not in texts)
    return _joined([line for line in inside if line.lstrip().startswith("#")])


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip().lstrip("#").strip() for line in lines).strip()


def _scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Mapping():
            for entry in node:
                yield from _scalars(entry.value)
        case Sequence():
            for item in node:
                yield from _scalars(item)


def _lines(source: Source, span: Span) -> range:
    first, last = source.position(span.start)[0], source.position(max(span.start, span.end - 1))[0]
    return range(first, last + 1)
