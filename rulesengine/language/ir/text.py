"""Serialisation of records and operations as text: `read(show(value)) == value`.

The text consists of bracketed lists: `(Record field …)`, `[item …]` for a tuple, and `(name:type
value argument …)` for an operation. The value is `-` if there is none.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from rulesengine.language.ir.node_types import RECORDS, tag_of
from rulesengine.language.ir.ops import Op, Type, row_of
from rulesengine.support.frozen import names_of

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[()\[\]]|[^\s()\[\]"]+')
_WIDTH = 96
# Trailing fields that are omitted when empty: rules without them keep their hash.
_LEFT_OUT = frozenset(
    {
        "chance",
        "choices",
        "claim",
        "crop",
        "directions",
        "evaluation",
        "formats",
        "limit",
        "look",
        "narrowed",
        "definitions",
        "playouts",
        "search",
        "seen",
        "sees",
        "stacks",
        "texts",
        "tile",
        "tiles",
        "together",
        "told",
        "unranked",
        "weight",
        "written",
    }
)


def show(value: object) -> str:
    """Return the text of a record, indented for reading."""
    return _layout(_tree(value), 0) + "\n"


def read(text: str) -> Any:
    """Parse the text of a record; raises ValueError for a text that `show` never writes."""
    tokens = iter(_TOKEN.findall(text))
    value = _value(next(tokens, ""), tokens)
    if next(tokens, None) is not None:
        raise ValueError("more than one value")
    return value


_Tree = str | tuple[str, list["_Tree"]]


def _tree(value: object) -> "_Tree":
    if isinstance(value, Op):
        head = f"{value.name}:{value.type}"
        return "(", [head, _tree(value.value), *(_tree(a) for a in value.args)]
    if isinstance(value, tuple):
        return "[", [_tree(v) for v in value]
    if names := names_of(value):
        values = [getattr(value, name) for name in names]
        while names[len(values) - 1] in _LEFT_OUT and not values[-1]:
            values.pop()
        return "(", [tag_of(type(value)), *map(_tree, values)]
    if value is None:
        return "-"
    return json.dumps(value, ensure_ascii=False)


def _flat(tree: "_Tree") -> str:
    if isinstance(tree, str):
        return tree
    close = ")" if tree[0] == "(" else "]"
    return tree[0] + " ".join(_flat(t) for t in tree[1]) + close


def _layout(tree: "_Tree", indent: int) -> str:
    flat = _flat(tree)
    if isinstance(tree, str) or len(flat) + indent <= _WIDTH:
        return " " * indent + flat
    head, rest = tree[0], tree[1]
    if head == "(" and isinstance(rest[0], str):
        head, rest = head + rest[0], rest[1:]
    lines = [" " * indent + head] + [_layout(t, indent + 1) for t in rest]
    return "\n".join(lines) + (")" if tree[0] == "(" else "]")


def _value(token: str, tokens: Iterator[str]) -> Any:
    if token == "[":
        return tuple(_items(tokens, "]"))
    if token == "(":
        return _record(next(tokens, ""), tokens)
    if token == "-":
        return None
    if token in ("", ")", "]"):
        raise ValueError(f"unexpected {token!r}")
    value = json.loads(token)
    if not isinstance(value, str | int):
        raise ValueError(f"unexpected {token!r}")
    return value


def _items(tokens: Iterator[str], close: str) -> list[Any]:
    items: list[Any] = []
    for token in tokens:
        if token == close:
            return items
        items.append(_value(token, tokens))
    raise ValueError("a list without its end")


def _record(head: str, tokens: Iterator[str]) -> Any:
    items = _items(tokens, ")")
    name, colon, type_ = head.partition(":")
    if colon and row_of(name) and items:
        return Op(name, cast(Type, type_), tuple(items[1:]), items[0])
    if head in RECORDS:
        try:
            return RECORDS[head](*items)
        except TypeError as error:
            raise ValueError(str(error)) from None
    raise ValueError(f"no record or operation {head!r}")
