"""The clauses of a document's rules, each with its source location and its operations."""

from collections.abc import Iterator

from rulesengine.language.check.recording_checker import RecordingChecker, place
from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar, Sequence
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Rules, Site
from rulesengine.language.syntax import nodes as n
from rulesengine.support.frozen import record
from rulesengine.support.source import Span

# Keys of rules with values that are neither conditions nor cells.
_OTHERS = frozenset("score turn result reason name place along choice step optional misere".split())
_INSIDE = n.Operation | n.Where | n.Conditional | n.Each | n.Call


@record
class Clause:
    """A condition or a set of cells of the rules, or one of its parts.

    `key` is the key above it in the spec, such as `when`. A clause is true if one of its operations
    is; a set of cells counts as true if it is not empty.
    """

    site: Site
    key: str
    ops: tuple[Op, ...]


def clauses(document: Document) -> tuple[Rules, tuple[Clause, ...]]:
    """Return the rules of a document without errors, and their clauses in the order of the text."""
    recorder = RecordingChecker(document)
    checked, _ = recorder.check()
    assert checked is not None
    by_place: dict[tuple[str, int, int], Clause] = {}
    for key, value in _values(document.root):
        for node in _parts(recorder.parsed.get(id(value))):
            ops = tuple(op for op in recorder.ops.get(place(node), ()) if _is_test(op))
            if ops:
                by_place.setdefault(place(node), Clause(_site(node.span), key, ops))
    return checked.rules, tuple(by_place[location] for location in sorted(by_place))


def _is_test(op: Op) -> bool:
    return op.type in ("flag", "cells")


def _site(span: Span) -> Site:
    line, column = span.source.position(span.start)
    return Site(span.source.name, line, column, " ".join(span.text.split()))


def _values(root: Mapping) -> Iterator[tuple[str, Scalar | Sequence]]:
    for section in ("define", "effects", "rules"):
        node = root.get(section)
        if node is not None:
            yield from _inside(section, node)


def _inside(key: str, node: Node) -> Iterator[tuple[str, Scalar | Sequence]]:
    """Yield the single values in a part of the rules, each with the key above it."""
    if isinstance(node, Mapping):
        for entry in node:
            if entry.key not in _OTHERS:
                yield from _inside(entry.key, entry.value)
        return
    yield key, node
    for item in node if isinstance(node, Sequence) else ():
        yield from _inside(key, item)


def _parts(node: n.Node | None) -> Iterator[n.Node]:
    """Yield a clause and its parts."""
    match node:
        case n.EffectIf(test=test, then=then, otherwise=otherwise):
            for part in (test, then, otherwise):
                yield from _parts(part)
        case n.PieceEffect(operands=parts) | n.Block(effects=parts):
            for part in parts:
                yield from _parts(part)
        case n.ForEach(effect=part) | n.CarryEach(cells=part):
            yield from _parts(part)
        case n.Repeat(effect=effect, until=until):
            yield from _parts(effect)
            yield from _parts(until)
        case n.Perform() | n.OneOfEach():
            return
        case n.Key(value=value):
            yield from (part for part in _parts(value) if part is not value)
        case n.Node():
            yield node
            for part in _operands(node):
                yield from _parts(part)


def _operands(node: n.Node) -> tuple[n.Node, ...]:
    match node:
        case n.Operation(operator="and" | "or" | "not", operands=operands):
            return operands
        case n.Where(cells=cells, condition=condition):
            return cells, condition
        case n.Conditional(test=test, then=then, otherwise=otherwise):
            return test, then, otherwise
        case n.Each(body=body):
            return (body,)
        case n.Call(arguments=arguments):
            return tuple(argument for argument in arguments if isinstance(argument, _INSIDE))
    return ()
