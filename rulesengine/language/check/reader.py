"""Access to values of the document; the schema has already reported wrong types."""

import re

from rulesengine.language.check.context import Context
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.parse import Start, parse
from rulesengine.support.source import Slice, Span

_HEAD = re.compile(r"([a-z][a-z0-9_]*)(?:\(([a-z0-9_, ]*)\))?")


class Reader:
    """A parser of parts of a document that adds syntax errors to the findings of the context."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def parse(self, node: Node | None, start: Start = "expression") -> n.Node | None:
        """Parse the text of a scalar; a YAML list is a list expression."""
        if isinstance(node, Sequence) and start == "expression":
            items = [self.parse(item) for item in node.items]
            good = tuple(item for item in items if item is not None)
            return n.Listing(node.span, good) if good else None
        if not isinstance(node, Scalar) or node.value is None:
            return None
        tree, findings = parse(node.text, start)
        self.context.findings += findings
        return tree

    def head(self, key: str, span: Span) -> tuple[str, tuple[str, ...]]:
        """Parse the name and the arguments of a definition's key, `liberties(cells)`."""
        match = _HEAD.fullmatch(key)
        if match is None:
            message = f"expected a name such as `{_as_name(key)}`, found `{key[:40]}`"
            self.context.report("bad-name", span, message)
            return "", ()
        arguments = tuple(a.strip() for a in (match[2] or "").split(",") if a.strip())
        return match[1], arguments


def items(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list, or the single value."""
    if node is None:
        return ()
    return node.items if isinstance(node, Sequence) else (node,)


def text(node: Node | None, default: str = "") -> str:
    """Return the text of a scalar."""
    return node.text.text if isinstance(node, Scalar) and node.value is not None else default


def has_lines(node: Scalar) -> bool:
    """True if a text may be a drawing: a block text, or one with line breaks in quotes."""
    return node.style == "literal" or "\n" in node.text.text.strip()


def text_slice(node: Node | None) -> Slice | None:
    return node.text if isinstance(node, Scalar) and node.value is not None else None


def integer(node: Node | None, default: int) -> int:
    if isinstance(node, Scalar) and type(node.value) is int:
        return node.value
    return default


def get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def entries(node: Node | None) -> list[tuple[str, Span, Node]]:
    if not isinstance(node, Mapping):
        return []
    return [(e.key, e.key_span, e.value) for e in node.entries]


def _as_name(key: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "_", key.lower()).strip("_")[:32] or "name"
