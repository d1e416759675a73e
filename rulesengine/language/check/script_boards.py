"""The statement of scripts that sets up cells from symbols, `put TEXT on CELLS`."""

from rulesengine.language.check.context import Context
from rulesengine.language.check.scope import Scope
from rulesengine.language.check.script_builtins import SCRIPTED
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.script import Line

_LISTS_OF_TEXTS = ("text", "texts")


def puts_symbols(scope: Scope, line: Line) -> n.PieceEffect | None:
    """Return the effect of a line that puts a text on cells, not a piece."""
    node = line.values[0] if line.statement == "effect" else None
    if not isinstance(node, n.PieceEffect) or node.words != ("put", "on"):
        return None
    return node if _is_text(scope, node.operands[0]) else None


def _is_text(scope: Scope, node: n.Node) -> bool:
    """True if a node is a text, a name or member of one, or a function that gives one."""
    match node:
        case n.Text():
            return True
        case n.Name(word=word):
            return _type(scope, word) == "text"
        case n.Index(word=word):
            return _type(scope, word) in _LISTS_OF_TEXTS
        case n.Call(function=word) if word in SCRIPTED:
            is_own = word in scope.context.definitions
            return SCRIPTED[word].result == "text" and not is_own
    return False


def _type(scope: Scope, word: str) -> str:
    op = scope.variables.get(word)
    return op.type if op is not None else ""


def report_else(context: Context, line: Line) -> None:
    """Report an `else` below an effect that cannot fail."""
    message = "an effect with a piece cannot fail: its `else` is never executed"
    context.report("stray-else", line.span, message, "leave `else` and its lines out")
