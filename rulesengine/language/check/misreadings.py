"""Warnings for expressions with a meaning that differs from the likely reading of their text."""

from collections.abc import Iterator
from typing import NamedTuple

from rulesengine.language.check.reader import get, items, text
from rulesengine.language.check.recording_checker import RecordingChecker, place
from rulesengine.language.document.nodes import Document
from rulesengine.language.ir.ops import OPS, Op, walk
from rulesengine.language.ir.roles import reads_role, role_of
from rulesengine.language.ir.rules import Rules
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span


class Misreading(NamedTuple):
    """An expression that is easily misread: the code and the text of a warning."""

    code: str
    span: Span
    message: str
    help: str


def misreadings(document: Document) -> Iterator[Misreading]:
    """Yield the misreadings in a document without errors."""
    recorder = RecordingChecker(document)
    checked, _ = recorder.check()
    assert checked is not None
    own = document.root.span.source
    has_origin = any(group.kind in ("move", "lift") for group in checked.rules.groups)
    for parsed in recorder.parsed.values():
        for node in n.walk(parsed):
            if isinstance(node, n.Where) and node.span.source == own:
                yield from _loose_filter(node)
            if isinstance(node, n.Name) and node.span.source == own and not has_origin:
                yield from _missing_origin(node, recorder)
    if not _loses_pieces(checked.rules):
        return
    for end in items(get(get(document.root, "rules"), "end")):
        decides = text(get(end, "result")) != "draw"
        when = recorder.parsed.get(id(get(end, "when")))
        if when is not None and decides and when.span.source == own:
            yield from _empty_inclusions(when, recorder)


def _loose_filter(node: n.Where) -> Iterator[Misreading]:
    """Yield `a or b where condition`: the condition applies to both sets."""
    cells = node.cells
    joins = isinstance(cells, n.Operation) and cells.operator == "or"
    if not joins or _is_bracketed(cells.span):
        return
    assert isinstance(cells, n.Operation)
    all_operands, last = (
        " ".join(span.text.split()) for span in (cells.span, cells.operands[-1].span)
    )
    message = f"`where` applies to all of `{all_operands}`, not to `{last}` alone"
    help = Suggestion(
        f"write `({all_operands}) where …` for this meaning", f"({cells.span.text})", cells.span
    )
    yield Misreading("loose-where", node.span, message, help)


def _missing_origin(node: n.Name, recorder: RecordingChecker) -> Iterator[Misreading]:
    """Yield the first cell of a move where no group of moves moves a piece."""
    ops = recorder.ops.get(place(node), ())
    if node.word == "from" and any(op.type == "cell" for op in ops):
        message = "`from` is no cell: no group of moves has an origin"
        yield Misreading("no-origin", node.span, message, "the cell of a move is `to`")


def _is_bracketed(span: Span) -> bool:
    before, after = span.source.text[: span.start], span.source.text[span.end :]
    return before.rstrip()[-1:] == "(" and after.lstrip()[:1] == ")"


def _empty_inclusions(parsed: n.Node, recorder: RecordingChecker) -> Iterator[Misreading]:
    """Yield each test of all pieces that decides a game and holds without pieces.

    That is `pieces in cells` and `every(c in pieces, …)`, also within other conditions.
    """
    conjuncts = _conjuncts(parsed)
    for node in conjuncts:
        pieces = _tested_pieces(node)
        if pieces is None:
            for inner in _inner_conditions(node):
                yield from _empty_inclusions(inner, recorder)
            continue
        ops = recorder.ops.get(place(pieces), ())
        dynamic = [op for op in ops if op.type in ("cells", "side", "kind", "kinds")]
        if not dynamic or not all(_may_vanish(op) for op in dynamic):
            continue
        if any(_requires(other, pieces) for other in conjuncts if other is not node):
            continue
        shown = " ".join(pieces.span.text.split())
        write = f"any({shown}) and {node.span.text}"
        help = Suggestion(f"to require one as well, write `{' '.join(write.split())}`", write)
        message = f"this also holds if there is no `{shown}`"
        yield Misreading("holds-for-none", node.span, message, help)


def _tested_pieces(node: n.Node) -> n.Node | None:
    """Return a set if a condition tests all of its members; else None."""
    if isinstance(node, n.Operation) and node.operator == "in":
        return node.operands[0]
    if isinstance(node, n.Each) and node.function == "every":
        is_of_players = isinstance(node.domain, n.Name) and node.domain.word == "players"
        return None if is_of_players else node.domain
    return None


def _inner_conditions(node: n.Node) -> Iterator[n.Node]:
    """Yield the conditions that a condition consists of, if none of them is denied."""
    match node:
        case n.Operation(operator="or", operands=operands):
            yield from operands
        case n.Each(function="every" | "any", body=body):
            yield body
        case n.Call(function="as", arguments=(_, condition)):
            yield condition


def _conjuncts(node: n.Node) -> list[n.Node]:
    if isinstance(node, n.Operation) and node.operator == "and":
        return [part for operand in node.operands for part in _conjuncts(operand)]
    return [node]


def _requires(node: n.Node, pieces: n.Node) -> bool:
    """True if a condition tests the size of the same set."""
    return any(
        isinstance(inner, n.Call)
        and inner.function in ("any", "count")
        and pieces in inner.arguments
        for inner in n.walk(node)
    )


def _may_vanish(op: Op) -> bool:
    """True if a set consists of pieces, and so may become empty."""
    return op.type != "cells" or reads_role(op, "pieces")


def _loses_pieces(rules: Rules) -> bool:
    """True if a move may take a piece from the board, or change its owner or its kind."""
    groups = rules.groups
    changes = {
        action
        for op in (*rules.effects, *(op for group in groups for op in group.effects))
        for inner in walk(op)
        for action in OPS[inner.name].does
    }
    captures = any(
        group.kind == "move" and group.target is not None and not _is_vacant(group.target)
        for group in groups
    )
    return captures or not changes.isdisjoint({"removes", "flips", "promotes"})


def _is_vacant(op: Op) -> bool:
    """True if a set certainly contains empty cells only."""
    match role_of(op):
        case "vacancy":
            return True
        case "meet":
            return any(map(_is_vacant, op.args))
        case "join":
            return all(map(_is_vacant, op.args))
        case "difference":
            return _is_vacant(op.args[0])
        case "ray":
            return _is_vacant(op.args[2])
    return False
