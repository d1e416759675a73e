"""Corrections of operators that are written as functions: `between(enemy, to, own)`."""

import re
from types import MappingProxyType

from rulesengine.language.syntax.vocabulary import EFFECTS
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Slice

# The words between the operands; the last word of `and` and `or` may repeat.
_FORMS = MappingProxyType(
    {
        "between": (("between", "and"), "A between B and C"),
        "touching": (("touching",), "A touching B"),
        "where": (("where",), "A where CONDITION"),
        "in": (("in",), "A in B"),
        "minus": (("minus",), "A minus B"),
        "and": (("and",), "A and B"),
        "or": (("or",), "A or B"),
    }
)
_REPEATED = frozenset({"and", "or"})
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"?|.', re.S)
_SINGLE = re.compile(r"[\w\s]+|\w+\s*\(.*\)", re.S)


def call_of_operator(text: Slice, begin: int, end: int) -> str:
    """Return the help for an operator before a bracket with several operands, or an empty text."""
    word = text.text[begin:end]
    opened = re.compile(r"\s*\(").match(text.text, end)
    if word not in _FORMS or opened is None:
        return ""
    operands, after = _operands(text.text, opened.end())
    joints, form = _FORMS[word]
    if len(operands) < 2:
        return ""
    fits = len(operands) == len(joints) + 1 or word in _REPEATED
    if not fits or after < 0 or not all(operands):
        return f"`{word}` is an operator: `{form}`"
    write = _joined(operands, joints)
    if not _is_alone(text.text[:begin], text.text[after:]):
        write = f"({write})"
    return Suggestion(
        f"`{word}` is an operator: write `{' '.join(write.split())}`",
        write,
        text.span(begin, after),
    )


def _joined(operands: list[str], joints: tuple[str, ...]) -> str:
    bracketed = [one if _is_single(one) else f"({one})" for one in operands]
    write = bracketed[0]
    for place, operand in enumerate(bracketed[1:]):
        write += f" {joints[min(place, len(joints) - 1)]} {operand}"
    return write


def _is_single(operand: str) -> bool:
    """True if an operand needs no brackets: a phrase of names, or one call."""
    if _SINGLE.fullmatch(operand) is None or set(operand.split()) & {*_FORMS, "if", "not"}:
        return False
    depth, ends = 0, 0
    for match in _TOKEN.finditer(operand):
        depth += (match[0] == "(") - (match[0] == ")")
        ends += match[0] == ")" and depth == 0
    return ends <= 1


def _is_alone(before: str, after: str) -> bool:
    """True if the call is a whole operand of a function or an effect."""
    last = before.split()[-1:]
    free = not before.strip() or before.rstrip()[-1] in "(,[" or last[0] in EFFECTS
    return free and (not after.strip() or after.lstrip()[0] in "),]")


def _operands(text: str, start: int) -> tuple[list[str], int]:
    """Return the operands from the opened bracket on, and the offset after it; -1 if unclosed."""
    operands, depth, last = list[str](), 0, start
    for match in _TOKEN.finditer(text, start):
        sign = match[0]
        if depth == 0 and sign in (",", ")"):
            operands.append(text[last : match.start()].strip())
            last = match.end()
            if sign == ")":
                return operands, match.end()
        depth += (sign in "([") - (sign in ")]")
    return operands, -1
