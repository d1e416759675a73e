"""What a request asks for: its fields, each looked at before it is used."""

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from rulesengine.loading import open_spec
from rulesengine.server.web.errors import Refused
from rulesengine.server.web.findings import PAGE
from rulesengine.support.files import decode_source
from rulesengine.support.frozen import field, record
from rulesengine.support.limits import MAX_PLIES, MAX_SPEC_BYTES
from rulesengine.support.resources import bundled_names, is_path
from rulesengine.support.source import Source

Given = Mapping[str, Any]  # an object of JSON
_MOST_TEXT, _MOST_MOVE, _MOST_TRANSFORMS = 65_536, 1_000, 16


@record
class Spec:
    """A bundled spec by its name, or a text; one of both is empty."""

    name: str
    text: str

    @classmethod
    def of(cls, given: Given) -> "Spec":
        """The spec of a request. Raises Refused."""
        table = given.get("spec")
        if not isinstance(table, dict) or len(table.keys() & {"name", "text"}) != 1:
            raise Refused("request", "`spec`: expected an object with `name` or `text`")
        name, text = text_of(table, "name", 200), text_of(table, "text", MAX_SPEC_BYTES)
        if "name" in table and (is_path(name) or name not in known_names()):
            raise Refused("unknown", f"no bundled game is called `{name[:64]}`")
        return cls(name, text)

    @property
    def source(self) -> Source:
        """The text with its name. Raises UsageError for what is no text of a spec."""
        if self.name:
            return open_spec(self.name)
        return decode_source(self.text.encode("utf-8", "surrogatepass"), PAGE)


@record
class Asked:
    """A position of a game: the moves that lead to it from a start, by the rules of a spec.

    `more` is the whole request, for what an operation takes beside these.
    """

    spec: Spec
    parameters: Mapping[str, int | str | bool]
    transforms: Sequence[str | Mapping[str, object]]
    start: str
    moves: tuple[str, ...]
    more: Given = field(compare=False, repr=False)

    @classmethod
    def of(cls, given: Given) -> "Asked":
        """The game of a request. Raises Refused."""
        return cls(
            Spec.of(given),
            _parameters(given),
            _transforms(given),
            text_of(given, "start", _MOST_TEXT),
            tuple(texts_of(given, "moves", MAX_PLIES)),
            given,
        )


@cache
def known_names() -> frozenset[str]:
    """The names of the bundled specs, looked up once."""
    return frozenset(bundled_names())


def text_of(given: Given, name: str, most: int = _MOST_MOVE) -> str:
    """A text of a request, empty where it is left out. Raises Refused."""
    text: str = _value(given, name, str, "")
    if len(text) > most:
        raise Refused("size", f"`{name}`: at most {most} characters, found {len(text)}")
    return text


def texts_of(given: Given, name: str, most: int) -> list[str]:
    """A list of texts. Raises Refused."""
    items: list[Any] = _value(given, name, list, [])
    if len(items) > most or not all(isinstance(i, str) and len(i) <= _MOST_MOVE for i in items):
        raise Refused("request", f"`{name}`: expected a list of at most {most} short texts")
    return items


def number_of(given: Given, name: str, usual: int, most: int) -> int:
    """A whole number from 0 on. Raises Refused."""
    value: int = _value(given, name, int, usual)
    if isinstance(value, bool) or not 0 <= value <= most:
        raise Refused("request", f"`{name}`: expected a whole number from 0 to {most}")
    return value


def table_of(given: Given, name: str) -> Given:
    """An object, empty where it is left out. Raises Refused."""
    table: Given = _value(given, name, dict, {})
    return table


def _value(given: Given, name: str, kind: type, usual: Any) -> Any:
    value = given.get(name, usual)
    if not isinstance(value, kind):
        raise Refused("request", f"`{name}`: expected {_WORDS[kind]}")
    return value


_WORDS: MappingProxyType[type, str] = MappingProxyType(
    {str: "a text", int: "a whole number", list: "a list", dict: "an object"}
)


def _parameters(given: Given) -> Given:
    table = table_of(given, "parameters")
    if not all(isinstance(value, int | str) for value in table.values()):
        raise Refused("request", "`parameters`: expected numbers, texts, true and false")
    return table


def _transforms(given: Given) -> Sequence[str | Mapping[str, object]]:
    items: list[Any] = _value(given, "with", list, [])
    if len(items) > _MOST_TRANSFORMS or not all(isinstance(item, str | dict) for item in items):
        raise Refused("request", "`with`: expected a list of names, or objects of one name each")
    return items
