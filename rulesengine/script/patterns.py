"""Matching of words and lines against the patterns of `command`: fixed text and fields."""

import re
from types import MappingProxyType
from typing import Any

from rulesengine.script.tokens import number

_KINDS = MappingProxyType(
    {
        "digit": "[0-9]",
        "number": "-?[0-9]+",
        "letter": "[A-Za-z]",
        "word": r"\S+",
        "line": ".*",
    }
)


def match(pattern: tuple[str, ...], word: str) -> dict[str, Any] | None:
    """Return the fields of a matching word, or None; an empty pattern matches every word.

    Of adjacent fields the earlier one is greedy.
    """
    if not pattern:
        return {}
    regex, fields = "", []
    for part in pattern:
        if part.startswith("'"):
            regex += re.escape(part[1:])
        else:
            name, _, kind = part.partition(":")
            regex += f"({_KINDS[kind]})"
            fields.append((name, kind))
    match_of_word = re.fullmatch(regex, word, re.ASCII | re.DOTALL)
    if match_of_word is None:
        return None
    groups = zip(fields, match_of_word.groups(), strict=True)
    return {name: number(g) if kind in ("digit", "number") else g for (name, kind), g in groups}
