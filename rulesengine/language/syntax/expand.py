"""Desugaring: phrases become the expressions that an author could have written instead.

See decision 006.
"""

import re
from collections.abc import Callable
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.vocabulary import EFFECTS, RESERVED
from rulesengine.support.source import Span

# A phrase of a strategy and the equivalent key.
KEY_WORDS = MappingProxyType(
    {
        "lowest": ("most", "screen_row"),
        "highest": ("least", "screen_row"),
        "leftmost": ("least", "screen_column"),
        "rightmost": ("most", "screen_column"),
    }
)

_WORD_BEFORE, _WORD_AFTER = re.compile(r"([a-z]\w*) +$"), re.compile(r" +([a-z]\w*)")
_NEAR = 100  # characters in which the name before another one is found
_NO_NAMES = RESERVED | {*EFFECTS, "do", "until", "on", "to"}


def in_phrase(node: n.Name) -> bool:
    """True if another name is next to a name, as in `own king`."""
    text, at = node.span.source.text, node.span
    start = max(at.start - _NEAR, 0)
    neighbours = (_WORD_BEFORE.search(text, start, at.start), _WORD_AFTER.match(text, at.end))
    return any(match and match[1] not in _NO_NAMES for match in neighbours)


def is_phrase(node: n.Node) -> bool:
    """True if a node has an expansion."""
    return isinstance(node, n.Words | n.Where | n.Touching | n.Between | n.OfSide | n.Prefer) or (
        isinstance(node, n.KeyWord) and node.word in KEY_WORDS
    )


def expand_one(node: n.Node, kinds: frozenset[str] = frozenset()) -> n.Node:
    """Return the expansion of one phrase; phrases inside it are left as they are."""
    span = node.span
    match node:
        case n.Words(words=words):
            return n.Operation(span, "and", words)
        case n.Where(cells=cells, condition=condition):
            return n.Each(span, "where", "it", cells, condition, span)
        case n.Touching(cells=cells, others=others):
            return n.Operation(span, "and", (cells, _call(span, "neighbours", others)))
        case n.Between(over=over, start=start, until=until):
            return _call(span, "run", start, over, until)
        case n.OfSide(name=name, side=n.Name(word="neutral") as side) if name.word in kinds:
            return n.Operation(span, "and", (side, name))
        case n.OfSide(name=name, side=side) if name.word in kinds:
            own = n.Operation(name.span, "and", (n.Name(name.span, "own"), name))
            return _call(span, "as", side, own)
        case n.OfSide(name=name, side=side):
            return _call(span, "as", side, name)
        case n.Prefer(conditions=conditions):
            return n.Key(span, "most", _ranked(span, conditions))
        case n.KeyWord(word=word) if word in KEY_WORDS:
            order, function = KEY_WORDS[word]
            return n.Key(span, order, _call(span, function, n.Name(span, "to")))
    return node


def expand(node: n.Node, kinds: frozenset[str] = frozenset()) -> n.Node:
    """Return the node with every phrase inside it expanded."""
    match node:
        case n.OfSide(span=span, name=name, side=n.OfSide(name=inner, side=side)):
            # a register of a kind and of a player: the kind is read for the player
            node = _call(span, "as", side, n.OfSide(span, name, inner))
    node = _inside(node, lambda child: expand(child, kinds))
    return expand_one(node, kinds) if is_phrase(node) else node


def _inside(node: n.Node, change: Callable[[n.Node], n.Node]) -> n.Node:
    if isinstance(node, n.PieceEffect) and node.verb == "put":
        piece, cells = node.operands
        return replace(node, operands=(piece, change(cells)))
    if isinstance(node, n.SetRegister):
        # The target is a name, not a value, so it is not expanded.
        return replace(node, register=_named(node.register, change), value=change(node.value))
    new: dict[str, Any] = {}
    for f in fields(node):
        value = getattr(node, f.name)
        if isinstance(value, n.Node):
            new[f.name] = change(value)
        elif isinstance(value, tuple):
            new[f.name] = tuple(_changed(v, change) for v in value)
    return replace(node, **new)


def _named(node: n.Node, change: Callable[[n.Node], n.Node]) -> n.Node:
    """Expand only the side of a register."""
    return replace(node, side=change(node.side)) if isinstance(node, n.OfSide) else node


def _changed(value: object, change: Callable[[n.Node], n.Node]) -> object:
    if isinstance(value, n.Node):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_changed(v, change) for v in value)
    return value


def _ranked(span: Span, conditions: tuple[n.Node, ...]) -> n.Node:
    """Build a number that is greater the earlier the first true condition is."""
    value: n.Node = n.Number(span, 0)
    for rank, condition in enumerate(reversed(conditions), start=1):
        value = n.Conditional(condition.span, condition, n.Number(span, rank), value)
    return value


def _call(span: Span, function: str, *arguments: n.Node) -> n.Call:
    return n.Call(span, function, arguments, (), span)
