"""The printer of documents as YAML that `read` accepts: `show --stage document` and `resolved`."""

import json
import re
from collections.abc import Callable, Iterator

from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar, Sequence
from rulesengine.language.document.scalars import plain_value

Comment = Callable[[Node], str]

_PLAIN = re.compile(r"[A-Za-z(][A-Za-z0-9_ ()+*/<>=!.,'-]*(?<! )")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_]+")
_LINES = re.compile(r"[^\s].*(?:\n.*)*[^\n]\n?")


def dump(document: Document, *, origin: bool = False) -> str:
    """Return the text without comments; it has the values and keys of the document, in order.

    With `origin` a comment after each value gives its source location as `file:line`.
    """
    comment = _place if origin else _nothing
    return "".join(f"{line}\n" for line in _lines(document.root, comment))


def _nothing(node: Node) -> str:
    return ""


def _place(node: Node) -> str:
    """Return the source location of a value, as a comment."""
    line, _ = node.span.source.position(node.span.start)
    name = "".join(c if c.isprintable() else "?" for c in node.span.source.name)
    return f"  # {name}:{line}"


def _lines(node: Node, comment: Comment) -> Iterator[str]:
    """Yield the lines of a map or list, not yet indented."""
    match node:
        case Mapping():
            for entry in node.entries:
                yield from _under(f"{_key(entry.key)}:", entry.value, comment)
        case Sequence():
            for item in node.items:
                yield from _under("-", item, comment)
        case Scalar():
            yield f"{_scalar(node)}{comment(node)}"


def _under(head: str, node: Node, comment: Comment, indent: str = "  ") -> Iterator[str]:
    """Yield a value after `key:` or `-`: on the same line, or indented below it."""
    if isinstance(node, Scalar) and _is_block(node):
        text = node.text.text
        keep = "" if text.endswith("\n") else "-"
        yield f"{head} |{keep}{comment(node)}"
        yield from (f"{indent}{line}" if line else "" for line in text.rstrip("\n").split("\n"))
        return
    if isinstance(node, Scalar):
        yield f"{head} {_scalar(node)}{comment(node)}"
        return
    below = [f"{indent}{line}" if line else "" for line in _lines(node, comment)]
    if not below:
        yield f"{head} {'{}' if isinstance(node, Mapping) else '[]'}{comment(node)}"
    elif head == "-":
        yield f"- {below[0].lstrip(' ')}"
        yield from below[1:]
    else:
        yield head
        yield from below


def _is_block(node: Scalar) -> bool:
    text = node.text.text
    return isinstance(node.value, str) and "\n" in text and bool(_LINES.fullmatch(text))


def _scalar(node: Scalar) -> str:
    if node.value is None:
        return "null"
    if not isinstance(node.value, str):
        return node.text.text
    text = node.value
    is_text = isinstance(plain_value(text), str)
    return text if is_text and _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
