"""An expression that is asked of the positions of a game, from outside of its spec."""

from rulesengine.language.check.checker import Checker
from rulesengine.language.check.context import is_error
from rulesengine.language.check.moves import view
from rulesengine.language.document.nodes import Document
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.rules import Site
from rulesengine.language.syntax.parse import parse
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Slice


def check_asked(
    document: Document, text: Slice
) -> tuple[Op | None, tuple[Site, ...], tuple[Diagnostic, ...]]:
    """The number that an expression asks for, and all sites with those of its text; or findings.

    It may speak of all that the spec declares, for `player` who is to move; a condition is 1 or
    0. The document is one without mistakes.
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
