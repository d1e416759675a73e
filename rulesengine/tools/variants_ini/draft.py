"""A spec under construction: its sections as maps and lists, printed as YAML."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from rulesengine.tools.format import text_value
from rulesengine.tools.format.scalars import key_text, quoted_if_needed

Value = str | bool | Sequence["Value"] | Mapping[str, "Value"]

PLAYERS = ("white", "black")
RESET = "set quiet to -1"  # the effect that restarts the count of quiet moves
_WIDTH = 98
_MOST = 4  # keys of a section on one line
_NUMBER = re.compile(r"-?[0-9]+")


class Draft:
    """The sections of a spec that parts of the conversion fill.

    - `attributes` have a value for each player.
    - `define` and `registers` are sections of the spec.
    - `captures`, `moves` are groups; captures come first if they are compulsory.
    - `start` are effects at the start, after those that put the pieces.
    - `effects`, `ends` and `forbid` are those of all moves.
    - `rights` and `passed` are fields of positions: castling and captures in passing.
    - `omissions` are the keys and values that the spec does not express.
    """

    def __init__(self) -> None:
        self.attributes: dict[str, tuple[str, str]] = {}
        self.define: dict[str, str] = {}
        self.registers: dict[str, Mapping[str, Value]] = {}
        self.captures: list[Mapping[str, Value]] = []
        self.moves: list[Mapping[str, Value]] = []
        self.start: list[str] = []
        self.effects: list[str] = []
        self.ends: list[Mapping[str, Value]] = []
        self.forbid: list[str] = []
        self.rights: Value = "-"
        self.passed: Value = "-"
        self.omissions: list[str] = []

    def attribute(self, name: str, values: tuple[str, str]) -> str:
        """Add an attribute of players; return its name, or the value if both have the same."""
        if values[0] == values[1]:
            return f"({values[0]})" if " " in values[0] else values[0]
        self.attributes[name] = values
        return name


def printed(sections: Mapping[str, Value]) -> str:
    """Return a map as YAML: short maps and lists on one line, long texts folded."""
    return "\n".join(_lines(sections, "")) + "\n"


def _lines(value: Value, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _item(f"{indent}{text_value(key)}:", item, indent + "  ")
    elif not isinstance(value, str | bool):
        for item in value:
            yield from _item(f"{indent}-", item, indent + "  ")


def _item(head: str, value: Value, indent: str) -> Iterator[str]:
    line = f"{head} {_flow(value, is_inside=False)}"
    is_text = isinstance(value, str | bool)
    is_drawing = isinstance(value, str) and "\n" in value
    if (len(line) <= _WIDTH and not is_drawing) and (
        is_text or len(indent) > 2 or _is_short(value)
    ):
        yield line
    elif isinstance(value, str):
        yield from _block(head, value, indent)
    elif head.endswith("-") and isinstance(value, Mapping):
        first, *rest = _lines(value, indent)
        yield f"{head} {first.strip()}"
        yield from rest
    else:
        yield head
        yield from _lines(value, indent)


def _is_short(value: Value) -> bool:
    """True if a section is printed on one line: it has no maps inside."""
    if isinstance(value, str | bool):
        return True
    items = tuple(value.values() if isinstance(value, Mapping) else value)
    return all(isinstance(item, str | bool) for item in items) and len(items) <= _MOST


def _flow(value: Value, *, is_inside: bool) -> str:
    """Return a value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if _NUMBER.fullmatch(value) else quoted_if_needed(value, flow=is_inside)
    if isinstance(value, Mapping):
        items = (
            f"{key_text(key, flow=True)}: {_flow(v, is_inside=True)}" for key, v in value.items()
        )
        return "{" + ", ".join(items) + "}"
    return "[" + ", ".join(_flow(item, is_inside=True) for item in value) + "]"


def _block(head: str, text: str, indent: str) -> Iterator[str]:
    """Yield the lines of a text that is long or has line breaks."""
    if "\n" in text:
        yield f"{head} |"
        yield from (f"{indent}{line}" for line in text.splitlines())
        return
    yield f"{head} >-"
    yield from textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
