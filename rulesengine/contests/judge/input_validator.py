"""Validator of well-formed input, as a virtual machine; problem packages contain a copy of it.

It runs the instructions of `input_grammar` on a text, with all alternatives at the same time. A
state has the next instruction, the offset in the text, the layout, and the values of names. A value
that only the rules of the game can determine is unknown: a test of it has both results.

It imports nothing of the package.
"""

import re
import sys
from collections.abc import Iterator, Sequence

Instruction = tuple[object, ...]
Values = tuple[tuple[str, object], ...]
# Next instruction, offset, layout, whether the next word is the first one in it, values of names
State = tuple[int, int, str, bool, Values]


def accepts(program: Sequence[Instruction], text: str) -> bool:
    """True if the whole text is well-formed."""
    begin: State = (0, 0, "layout_lines", True, ())
    states, seen = [begin], {begin}
    while states:
        state = states.pop()
        if program[state[0]][0] == "end":
            if _rest(text, state[1]) == len(text):
                return True
            continue
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
            found = None if start is None else re.compile(pattern).match(text, start)
            if found and text[found.end() : found.end() + 1] in (" ", "\n"):
                groups = found.groupdict() or {"value": found[0]}
                known = {**dict(values), **{key: _value(word) for key, word in groups.items()}}
                if condition is None or _computed(str(condition), known, True):
                    yield at + 1, found.end(), layout, False, _packed(known)
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
    return int(word) if re.fullmatch("-?[0-9]+", word) else word


def _computed(expression: str, known: dict[str, object], otherwise: object) -> object:
    """Return the value of an expression, or `otherwise` if a name in it is unknown."""
    try:
        value: object = eval(expression, {"__builtins__": {"abs": abs}}, known)  # noqa: S307
    except (NameError, TypeError):
        return otherwise
    return value


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
