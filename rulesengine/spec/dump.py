"""The document as YAML text that `read` reads back: `show --stage document` and `resolved`."""

import json
import re
from collections.abc import Iterator

from rulesengine.spec.document import Document, Mapping, Node, Scalar, Sequence
from rulesengine.spec.scalars import plain_value

_PLAIN = re.compile(r"[A-Za-z(][A-Za-z0-9_ ()+*/<>=!.,'-]*(?<! )")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_]+")
_LINES = re.compile(r"[^\s].*(?:\n.*)*[^\n]\n?")


def dump(document: Document) -> str:
    """The text, without comments; its values and keys, in order, are the document's."""
    return "".join(f"{line}\n" for line in _lines(document.root))


def _lines(node: Node) -> Iterator[str]:
    """The lines of a map or list, not yet indented."""
    match node:
        case Mapping():
            for entry in node.entries:
                yield from _under(f"{_key(entry.key)}:", entry.value, "  ")
        case Sequence():
            for item in node.items:
                yield from _under("-", item, "  ")
        case Scalar():
            yield _scalar(node)


def _under(head: str, node: Node, indent: str) -> Iterator[str]:
    """A value after `key:` or `-`: on the same line, or indented below it."""
    if isinstance(node, Scalar) and _is_block(node):
        text = node.text.text
        yield f"{head} |" if text.endswith("\n") else f"{head} |-"
        yield from (f"{indent}{line}" if line else "" for line in text.rstrip("\n").split("\n"))
        return
    if isinstance(node, Scalar):
        yield f"{head} {_scalar(node)}"
        return
    below = [f"{indent}{line}" if line else "" for line in _lines(node)]
    if not below:
        yield f"{head} {'{}' if isinstance(node, Mapping) else '[]'}"
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
