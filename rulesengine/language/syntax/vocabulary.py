"""Names of the grammar's terminals for messages."""

from collections.abc import Iterable
from types import MappingProxyType

from rulesengine.support.diagnostic import did_you_mean

_VALUE = frozenset({"NAME", "NUMBER", "STRING", "LPAR", "LSQB", "DASH", "NOT", "IF", "TO", "SCORE"})
_OPERATOR = frozenset(
    "AND OR MINUS PLUS DASH STAR SLASH PERCENT COMPARE IN TOUCHING BETWEEN WHERE".split()
)
_SIGNS = MappingProxyType(
    {"LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`", "COMMA": "`,`", "COLON": "`:`"}
)

_NO_WORDS = frozenset(
    {*_SIGNS, *"NAME NUMBER STRING COMPARE $END PLUS DASH STAR SLASH PERCENT".split()}
)
# The words that begin an effect.
EFFECTS = ("put", "remove", "flip", "carry", "promote", "drop", "set", "add", "if", "for", "repeat")
# Reserved words, which cannot be names.
RESERVED = frozenset(
    "and or not minus if then else where in touching between of exactly at".split()
)


def describe_expected(terminals: Iterable[str]) -> str:
    r"""Describe the terminals that are allowed at a place: `a value, \`)\` or an operator`."""
    names = set(terminals)
    parts: list[str] = []
    if {"NUMBER", "LPAR"} <= names:
        parts.append("a value")
        names -= _VALUE | {"MOST", "LEAST", "AT_LEAST", "AT_MOST", "EXACTLY"}
    if {"PRINT", "PLAY"} <= names:
        return "a statement"
    if {"PUT", "FLIP"} <= names:
        return "an effect"
    if {"AND", "OR"} <= names or {"PLUS", "MINUS"} <= names:
        parts.append("an operator")
        names -= _OPERATOR
        names -= {"OF", "LPAR", "LSQB", "NAME"}
    if "$END" in names:
        parts.append("the end")
    words = sorted(_SIGNS.get(t) or _word(t) for t in names - {"$END"})
    parts += words[:6]
    if not parts:
        return "something else"
    return " or ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def nearest_word(text: str, terminals: Iterable[str]) -> str:
    """Return ``did you mean `x`?`` for a misspelt word of the language, or an empty text."""
    words = [t.lower().replace("_word", "") for t in sorted(terminals) if t not in _NO_WORDS]
    return did_you_mean(text, words)


def describe_found(terminal: str, text: str) -> str:
    """Describe a token, cut to a readable length."""
    shown = text if len(text) <= 40 else text[:39] + "…"
    return f"`{shown}`" if terminal != "_NEWLINE" else "the end of the line"


def _word(terminal: str) -> str:
    fixed = {"NAME": "a name", "NUMBER": "a number", "STRING": 'a text in `"`'}
    return fixed.get(terminal) or f"`{terminal.lower().removesuffix('_word').replace('_', ' ')}`"
