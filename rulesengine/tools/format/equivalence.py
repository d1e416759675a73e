"""Equivalence of two texts of a spec: equal values and comments, and the same program."""

import re

from rulesengine.language import pipeline
from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar, Sequence
from rulesengine.language.ir.text import show
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.frozen import replace
from rulesengine.support.source import Source
from rulesengine.tools.format.comments import comment_texts
from rulesengine.tools.format.diagrams import is_diagram, meaning
from rulesengine.tools.format.key_order import ITEM, Order, Path

# The site of a rule, which a program stores for messages.
_SITE = re.compile(r'\(Site\s+"(?:[^"\\]|\\.)*"\s+\d+\s+\d+\s+"(?:[^"\\]|\\.)*"\)')

_BLANKS = re.compile(r"\s*([\[\]()\s])\s*")


def same_document(
    before: Document, after: tuple[Document | None, list[Diagnostic]], order: Order
) -> bool:
    """True if a reparsed text has the same values, keys and comments."""
    again, diagnostics = after
    if again is None or diagnostics or _comments(before) != _comments(again):
        return False
    return _meaning(before.root, (), order) == _meaning(again.root, (), order)


def same_program(before: Source, after: Source) -> bool:
    """True if both specs compile to the same program, or neither compiles."""
    return _program(before) == _program(after)


def _name(option: tuple[str, object]) -> str:
    return option[0]


def _comments(document: Document) -> list[str]:
    return sorted(comment_texts(document))


def _program(source: Source) -> str:
    checked = pipeline.analyse(source).checked
    if checked is None:
        return ""
    defaults = {p.name: p.default for p in checked.rules.parameters}
    # The layout orders the keys of `formats`: their order has no meaning.
    formats = tuple(
        replace(one, options=tuple(sorted(one.options, key=_name)))
        for one in sorted(checked.rules.formats, key=lambda one: one.name)
    )
    text = show(pipeline.lower(replace(checked.rules, formats=formats), defaults))
    return _BLANKS.sub(r"\1", _SITE.sub("", text))  # long sites wrap lines differently


def _meaning(node: Node, path: Path, order: Order) -> object:
    """Return a comparable form of a value; keys are sorted where their order has no meaning."""
    match node:
        case Scalar() if isinstance(node.value, str) and is_diagram(node, path):
            return meaning(node.text.text)
        case Scalar():
            return (type(node.value), node.value)
        case Mapping():
            entries = [(e.key, _meaning(e.value, (*path, e.key), order)) for e in node]
            fixed = order.is_fixed(node, path)
            return (dict, sorted(entries, key=lambda e: e[0]) if fixed else entries)
        case Sequence():
            return (list, [_meaning(item, (*path, ITEM), order) for item in node])
