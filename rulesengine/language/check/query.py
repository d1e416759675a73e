"""Checking of a query from outside of the spec: an expression over the positions of a game."""

from rulesengine.language.check.checker import Checker
from rulesengine.language.check.context import is_error
from rulesengine.language.check.moves import view
from rulesengine.language.document.nodes import Document
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.rules import Site
from rulesengine.language.syntax.parse import parse
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Slice


def check_query(
    document: Document, text: Slice
) -> tuple[Op | None, tuple[Site, ...], tuple[Diagnostic, ...]]:
    """Check a query to a number; return it and all sites, including those of its text, or findings.

    A query may use all declarations of the spec; `player` is the side to move; a condition is 1 or
    0. The document must have no errors.
    """
    node, findings = parse(text)
    if node is None:
        return None, (), tuple(findings)
    checker = Checker(document)
    checker.check()
    context = checker.context
    known = len(context.findings)
    at = view("count")
    op = checker.expressions.infer(node, at)
    if op.type == "flag":
        op = make("if", op, literal("number", 1), literal("number", 0), type="number")
    op = checker.expressions.coerce(op, "number", node)
    return None if is_error(op) else op, tuple(context.sites), tuple(context.findings[known:])
