"""The strategy of the playouts of a search."""

from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import text
from rulesengine.language.check.suggestions import declared
from rulesengine.language.document.nodes import Node
from rulesengine.language.ir.rules import Strategy
from rulesengine.support.diagnostic import Suggestion, did_you_mean


def playouts(context: Context, node: Node | None, strategies: tuple[Strategy, ...]) -> str:
    """Return the name of the strategy, which must have only keys; empty if there is none."""
    if node is None:
        return ""
    word, names = text(node), [s.name for s in strategies if s.search is None]
    if word in names:
        return word
    if word in context.strategies:
        message, help = f"`{word}` searches itself", _other(names, node)
        context.report("not-here", node.span, message, help)
    else:
        help = _meant(context, word, names)
        context.report("unknown-name", node.span, f"no strategy `{word}`", help)
    return ""


def _other(names: list[str], node: Node) -> str:
    message = "random games go by keys alone"
    return (
        Suggestion(f"{message}, as those of `{names[0]}`", names[0], node.span)
        if names
        else message
    )


def _meant(context: Context, word: str, names: list[str]) -> str:
    entry = f"{word}: [leftmost]"
    if not names:
        return declared(context, "strategies", entry, f"declare it: `strategies: {{{entry}}}`")
    return did_you_mean(word, names) or f"the strategies are {', '.join(names)}"
