"""Domains of loops that are written in another place, or with other arguments."""

import re
from collections.abc import Collection

from rulesengine.language.check.builtins import DOMAINS, OTHER_FORMS
from rulesengine.language.check.names import argument_count
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span


def domain_finding(node: n.Call, sets: Collection[str]) -> tuple[str, Span, str, str]:
    """Return the code, the place, the message and the fix for a domain written as a function.

    It is outside a loop, or has a wrong number of arguments. `sets` names the sets of directions
    of the board.
    """
    word = node.function
    count, example = DOMAINS[word]
    before = node.span.source.text[: node.span.start]
    if not re.search(r"\bin\s*$", before):
        help = f"write `{example}`"
        if before.endswith("count("):
            write = f"x in {node.span.text}, true"
            help = Suggestion(f"write `count({' '.join(write.split())})`", write, node.span)
        return "not-here", node.name_span, f"`{word}` is a domain of a loop", help
    message = f"`{word}` takes {argument_count(count)}, found {len(node.arguments)}"
    return "argument-count", node.span, message, _right_form(node, example, sets)


def _right_form(node: n.Call, example: str, sets: Collection[str]) -> str:
    """Suggest a domain with the right number of arguments."""
    word, texts = node.function, [a.span.text for a in node.arguments]
    if word == "numbers" and len(texts) == 2:
        write = f"numbers({texts[0]} to {texts[1]})"
        return Suggestion(f"write `{write}`", write, node.span)
    if word == "groups" and len(texts) == 2 and texts[1] in sets:
        return f"write `groups({texts[0]})`, and `adjacency: {texts[1]}` in `board`"
    if word == "players":
        return Suggestion("write `players`", "players", node.span)
    return OTHER_FORMS.get(word) or f"write `{example}`"
