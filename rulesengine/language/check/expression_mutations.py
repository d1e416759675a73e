"""Mutations of one expression, effect or result, each an edit of its text."""

import re
from collections.abc import Iterator
from itertools import pairwise
from types import MappingProxyType

from rulesengine.language.check.recording_checker import RecordingChecker, place
from rulesengine.language.document.edits import Edit
from rulesengine.language.syntax import nodes as n
from rulesengine.support.frozen import record
from rulesengine.support.source import Span

_NAMES = MappingProxyType(
    {
        "own": "enemy",
        "enemy": "own",
        "player": "opponent",
        "opponent": "player",
        "mover": "next(mover)",
        "orthogonal": "diagonal",
        "diagonal": "orthogonal",
        "wins": "loses",
        "loses": "wins",
        "highest": "lowest",
        "lowest": "highest",
        "most": "least",
        "least": "most",
        "true": "false",
        "false": "true",
    }
)
_FUNCTIONS = MappingProxyType({"any": "none", "none": "any", "every": "any"})
_SIGNS = MappingProxyType(
    {
        "and": "or",
        "or": "and",
        "=": "!=",
        "!=": "=",
        "<": "<=",
        "<=": "<",
        ">": ">=",
        ">=": ">",
        "+": "-",
        "-": "+",
    }
)
_NEUTRAL = MappingProxyType(
    {("and", "flag"): "true", ("and", "cells"): "all", ("or", "flag"): "false"}
)


@record
class Change:
    """A mutation: its span, its edit, and its description."""

    span: Span
    edit: Edit
    words: str


def changes(node: n.Node, recorder: RecordingChecker) -> Iterator[Change]:
    """Yield every mutation of a node and of the nodes inside it."""
    for inner in n.walk(node):
        for span, text in _edits(inner, recorder):
            yield Change(span, (span, text), f"`{_one_line(span.text)}` -> `{text}`")


def _edits(node: n.Node, recorder: RecordingChecker) -> Iterator[Edit]:
    match node:
        case n.Number(value=value):
            yield from ((node.span, str(value + by)) for by in (1, -1) if value + by >= 0)
        case n.Range(low=n.Name(span=span)):
            yield from ((span, f"{span.text} {by} 1") for by in "+-")
        case n.Name(word=word):
            yield from _name(node, word, recorder)
        case n.Operation():
            yield from _operation(node, recorder)
        case n.Where(cells=cells) | n.Touching(cells=cells):
            yield node.span, cells.span.text
        case n.Call(function=word) | n.Each(function=word) if word in _FUNCTIONS:
            yield node.name_span, _FUNCTIONS[word]
        case n.Listing(items=items) if len(items) > 1 and node.span.text.startswith("["):
            for left_out in items:
                rest = ", ".join(item.span.text for item in items if item is not left_out)
                yield node.span, f"[{rest}]"
        case n.PieceEffect(verb="flip", operands=(cells, *_)):
            yield node.span, f"remove {cells.span.text}"
        case n.Repeat(effect=effect):
            yield node.span, effect.span.text
        case n.Block(effects=effects) if len(effects) > 1:
            for left_out in effects:
                rest = ", ".join(effect.span.text for effect in effects if effect is not left_out)
                yield node.span, f"({rest})"
        case n.Wins() | n.Loses() | n.ByScore() | n.Key():
            yield from _word(node)


def _name(node: n.Node, word: str, recorder: RecordingChecker) -> Iterator[Edit]:
    two = len(recorder.context.players) == 2
    if word in _NAMES and (two or word != "player"):
        yield node.span, _NAMES[word]
    board = recorder.context.topology
    members = dict(board.direction_sets).get(word, ()) if board else ()
    if board and len(members) > 1 and word != "all":
        names = [board.directions[member].name for member in members]
        for left_out in names:
            yield node.span, f"[{', '.join(name for name in names if name != left_out)}]"


def _operation(node: n.Operation, recorder: RecordingChecker) -> Iterator[Edit]:
    operator, operands = node.operator, node.operands
    if operator == "not":
        yield node.span, operands[0].span.text
        return
    if operator == "minus":
        yield node.span, operands[0].span.text
    for left, right in pairwise(operands):
        sign = _sign(left, right, operator)
        if sign is not None and operator in _SIGNS:
            yield sign, _SIGNS[operator]
    if operator in ("and", "or"):
        ops = recorder.ops.get(place(node), ())
        kind = ops[0].type if ops else "error"
        neutral = _NEUTRAL.get((operator, kind), "nowhere")
        for operand in operands:
            yield operand.span, neutral


def _sign(left: n.Node, right: n.Node, sign: str) -> Span | None:
    """Return the span of the operator between two operands, which may be in brackets."""
    between = Span(left.span.source, left.span.end, right.span.start)
    bounded = rf"\b{sign}\b" if sign.isalpha() else re.escape(sign)
    match = re.search(bounded, between.text)
    if match is None:
        return None
    return Span(between.source, between.start + match.start(), between.start + match.end())


def _word(node: n.Node) -> Iterator[Edit]:
    """Exchange the word of a result or a key for its opposite."""
    for match in re.finditer(r"[a-z]+", node.span.text):
        word = match[0]
        if word in ("wins", "loses", "highest", "lowest", "most", "least"):
            at = node.span.start + match.start()
            yield Span(node.span.source, at, at + len(word)), _NAMES[word]
            return


def _one_line(text: str) -> str:
    return " ".join(text.split())
