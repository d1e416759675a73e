"""Words and lines against the patterns of `command`: fixed text and fields."""

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
    """The fields of a word that fits, None if it does not; an empty pattern fits every word.

    Of fields side by side an earlier one takes as much as the later ones leave it.
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
    found = re.fullmatch(regex, word, re.ASCII | re.DOTALL)
    if found is None:
        return None
    groups = zip(fields, found.groups(), strict=True)
    return {name: number(g) if kind in ("digit", "number") else g for (name, kind), g in groups}
