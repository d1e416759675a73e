"""Validator of well-formed input, as a virtual machine; problem packages contain a copy of it.

It runs the instructions of `input_grammar` on a text, with all alternatives at the same time. A
state has the next instruction, the offset in the text, the layout, and the values of names. A value
that only the rules of the game can determine is unknown: a test of it has both results. Numbers
have 64 bits, as in scripts, and the number of states is bounded by the length of the text.

It imports nothing of the package.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from types import CodeType

_LEAST, _GREATEST = -(2**63), 2**63 - 1
_DIGITS = 19  # of a number of 64 bits
_STATES, _STATES_PER_CHARACTER = 50_000, 50  # maximum, for the whole text

Instruction = tuple[object, ...]
Values = tuple[tuple[str, object], ...]
# Next instruction, offset, layout, a flag for the first word of a layout, values of names
State = tuple[int, int, str, bool, Values]


def accepts(program: Sequence[Instruction], text: str) -> bool:
    """True if the whole text is well-formed.

    It is false for a text that needs too many states.
    """
    most = _STATES + _STATES_PER_CHARACTER * len(text)
    begin: State = (0, 0, "layout_lines", True, ())
    states, seen = [begin], {begin}
    while states and len(seen) <= most:
        state = states.pop()
        if program[state[0]][0] == "end":
            if _rest(text, state[1]) == len(text):
                return True
            continue
        with suppress(ArithmeticError):  # which ends the script, too
            for new in _following(program[state[0]], text, state):
                if new not in seen:
                    seen.add(new)
                    states.append(new)
    return False


def _following(instruction: Instruction, text: str, state: State) -> Iterator[State]:
    """Yield the states after an instruction."""
    at, place, layout, begins, values = state
    match instruction:
        case "word", bool(is_first), str(pattern), condition:
            start = _start(text, place, begins if layout == "layout_line" else is_first)
            match = None if start is None else re.compile(pattern).match(text, start)
            if match and text[match.end() : match.end() + 1] in (" ", "\n"):
                groups = match.groupdict() or {"value": match[0]}
                known = {**dict(values), **{key: _value(word) for key, word in groups.items()}}
                if condition is None or _computed(str(condition), known, True):
                    yield at + 1, match.end(), layout, False, _packed(known)
        case "line", str(pattern):
            start = _rest(text, place)
            end = -1 if start is None else text.find("\n", start)
            if end >= 0 and re.fullmatch(pattern, text[start:end]):
                yield at + 1, end, layout, False, values
        case "layout", str(name):
            yield at + 1, place, name, True, values
        case ("blank",):
            start = _rest(text, place)
            if start is not None and text[start : start + 1] == "\n":
                yield at + 1, start + 1, layout, begins, values
        case "set", str(key), str(expression):
            known = dict(values)
            known[key] = _computed(expression, known, None)
            yield at + 1, place, layout, begins, _packed(known)
        case "test", str(expression), int(other):
            result = _computed(expression, dict(values), None)
            if result is None or result:
                yield at + 1, place, layout, begins, values
            if not result:
                yield other, place, layout, begins, values
        case "goto", *targets:
            for target in targets:
                if isinstance(target, int):
                    yield target, place, layout, begins, values


def _start(text: str, place: int, is_first: bool) -> int | None:
    """Return where the next word begins, or None if the text has another layout there."""
    if is_first:
        return _rest(text, place)
    if _is_at_start(text, place):
        return place
    return place + 1 if text[place : place + 1] == " " else None


def _rest(text: str, place: int) -> int | None:
    """Return the offset after the end of a begun line, or None if more is on the line."""
    if _is_at_start(text, place):
        return place
    return place + 1 if text[place : place + 1] == "\n" else None


def _is_at_start(text: str, place: int) -> bool:
    return place == 0 or text[place - 1] == "\n"


def _value(word: str) -> object:
    """Return the number or text of a word; numbers are clamped to 64 bits."""
    if not re.fullmatch("-?[0-9]+", word):
        return word
    is_negative, digits = word.startswith("-"), word.lstrip("-0") or "0"
    number = int(digits) if len(digits) <= _DIGITS else _GREATEST + 1
    return max(_LEAST, -number) if is_negative else min(_GREATEST, number)


def _computed(expression: str, known: dict[str, object], otherwise: object) -> object:
    """Return the value of an expression, or `otherwise` if a name in it is unknown.

    Raises ArithmeticError.
    """
    try:
        value: object = eval(_compiled(expression), {"__builtins__": {"abs": abs}}, known)  # noqa: S307
    except (NameError, TypeError):
        return otherwise
    if isinstance(value, int) and not _LEAST <= value <= _GREATEST:
        raise OverflowError
    return value


@cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "expression", "eval")


def _packed(known: dict[str, object]) -> Values:
    """Return the known values of names; `value` is that of one word only."""
    pairs = known.items()
    return tuple(sorted((k, value) for k, value in pairs if value is not None and k != "value"))


def main(program: Sequence[Instruction]) -> None:
    """Exit with code 42 if standard input is well-formed, as judges require, else with 43."""
    try:
        text = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        sys.exit(43)
    sys.exit(42 if "\r" not in text and accepts(program, text) else 43)
