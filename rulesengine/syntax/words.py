"""The terminals of the grammars in words for people."""

from collections.abc import Iterable
from types import MappingProxyType

_VALUE = frozenset({"NAME", "NUMBER", "STRING", "LPAR", "LSQB", "DASH", "NOT", "IF", "TO", "SCORE"})
_OPERATOR = frozenset(
    "AND OR MINUS PLUS DASH STAR SLASH PERCENT COMPARE IN TOUCHING BETWEEN WHERE".split()
)
_SIGNS = MappingProxyType(
    {"LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`", "COMMA": "`,`", "COLON": "`:`"}
)

# Words that are never names.
RESERVED = frozenset(
    "and or not minus if then else where in touching between of exactly at".split()
)


def describe_expected(terminals: Iterable[str]) -> str:
    """`a value, \\`)\\` or an operator`: what may stand at a place."""
    names = set(terminals)
    parts: list[str] = []
    if {"NUMBER", "LPAR"} <= names:
        parts.append("a value")
        names -= _VALUE | {"MOST", "LEAST", "AT_LEAST", "AT_MOST", "EXACTLY"}
    if {"AND", "OR"} <= names or {"PLUS", "STAR"} <= names:
        parts.append("an operator")
        names -= _OPERATOR
        names -= {"OF", "LPAR", "NAME"}
    if "$END" in names:
        parts.append("the end")
    words = sorted(_SIGNS.get(t) or _word(t) for t in names - {"$END"})
    parts += words[:6]
    if not parts:
        return "something else"
    return " or ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def describe_found(terminal: str, text: str) -> str:
    """The token that stands there, cut to a readable length."""
    shown = text if len(text) <= 40 else text[:39] + "…"
    return f"`{shown}`" if terminal != "_NEWLINE" else "the end of the line"


def _word(terminal: str) -> str:
    fixed = {"NAME": "a name", "NUMBER": "a number", "STRING": 'a text in `"`'}
    return fixed.get(terminal) or f"`{terminal.lower().replace('_', ' ')}`"
