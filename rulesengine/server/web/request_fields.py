"""Parsing and validation of the fields of a request."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

from rulesengine.loading import open_spec
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.findings import PAGE
from rulesengine.support.files import decode_source
from rulesengine.support.frozen import field, record
from rulesengine.support.limits import MAX_PLIES, MAX_SPEC_BYTES
from rulesengine.support.resources import aliased_names, bundled_names, is_path
from rulesengine.support.source import Source

JsonObject = Mapping[str, Any]  # a JSON object
_GAME = ("spec", "with", "parameters", "start")
_MOST_TEXT, _MOST_MOVE, _MOST_TRANSFORMS = 65_536, 1_000, 16


@record
class Spec:
    """A bundled spec by its name, or a text; exactly one of them is not empty."""

    name: str
    text: str

    @classmethod
    def of(cls, fields: JsonObject) -> "Spec":
        """Parse the spec of a request. Raises RequestError."""
        table = fields.get("spec")
        if not isinstance(table, dict) or len(table.keys() & {"name", "text"}) != 1:
            raise RequestError("request", "`spec`: expected an object with `name` or `text`")
        name, text = text_of(table, "name", 200), text_of(table, "text", MAX_SPEC_BYTES)
        return cls(resolved_name(name) if "name" in table else "", text)

    @property
    def source(self) -> Source:
        """Return the text with its name. Raises UsageError for an invalid text."""
        if self.name:
            return open_spec(self.name)
        return decode_source(self.text.encode("utf-8", "surrogatepass"), PAGE)


@record
class PositionRequest:
    """A position of a game: the rules, the start, and the moves from it.

    `more` is the whole request, with the other fields of an operation.
    """

    spec: Spec
    parameters: Mapping[str, int | str | bool]
    transforms: Sequence[str | Mapping[str, object]]
    start: str
    moves: tuple[str, ...]
    more: JsonObject = field(compare=False, repr=False)

    @classmethod
    def of(cls, fields: JsonObject) -> "PositionRequest":
        """Parse the game and position of a request. Raises RequestError."""
        return cls(
            Spec.of(fields),
            _parameters(fields),
            _transforms(fields),
            text_of(fields, "start", _MOST_TEXT),
            tuple(texts_of(fields, "moves", MAX_PLIES)),
            fields,
        )


@cache
def known_names() -> frozenset[str]:
    """Return the names of the bundled specs, cached."""
    return frozenset(bundled_names())


def game_key(fields: JsonObject) -> bytes:
    """Return a key of the request's game: the name of an unchanged bundled spec, or a hash."""
    game = {key: fields[key] for key in _GAME if fields.get(key)}
    spec = game.get("spec")
    name = spec.get("name") if isinstance(spec, dict) and list(game) == ["spec"] else None
    if isinstance(name, str) and name in known_names():
        return name.encode()
    return blake2b(json.dumps(game, sort_keys=True).encode(), digest_size=16).digest()


def resolved_name(name: str) -> str:
    """Return the bundled name that a name or an alias means. Raises RequestError for none."""
    known = known_names()
    if name in known:
        return name
    meant = () if is_path(name) else aliased_names(name, tuple(sorted(known)))
    if len(meant) == 1:
        return meant[0]
    hint = f": did you mean `{'` or `'.join(meant)}`?" if meant else ""
    raise RequestError("unknown", f"no bundled game is called `{name[:64]}`{hint}")


def text_of(fields: JsonObject, name: str, most: int = _MOST_MOVE) -> str:
    """Return a text field of a request, empty if it is missing. Raises RequestError."""
    text: str = _value(fields, name, str, "")
    if len(text) > most:
        raise RequestError("size", f"`{name}`: at most {most} characters, found {len(text)}")
    return text


def texts_of(fields: JsonObject, name: str, most: int) -> list[str]:
    """Return a field that is a list of texts. Raises RequestError."""
    items: list[Any] = _value(fields, name, list, [])
    if len(items) > most or not all(isinstance(i, str) and len(i) <= _MOST_MOVE for i in items):
        raise RequestError("request", f"`{name}`: expected a list of at most {most} short texts")
    return items


def number_of(fields: JsonObject, name: str, usual: int, most: int) -> int:
    """Return a field that is a non-negative integer. Raises RequestError."""
    value: int = _value(fields, name, int, usual)
    if isinstance(value, bool) or not 0 <= value <= most:
        raise RequestError("request", f"`{name}`: expected a whole number from 0 to {most}")
    return value


def table_of(fields: JsonObject, name: str) -> JsonObject:
    """Return a field that is an object, empty if it is missing. Raises RequestError."""
    table: JsonObject = _value(fields, name, dict, {})
    return table


def _value(fields: JsonObject, name: str, kind: type, usual: Any) -> Any:
    value = fields.get(name, usual)
    if not isinstance(value, kind):
        raise RequestError("request", f"`{name}`: expected {_WORDS[kind]}")
    return value


_WORDS: MappingProxyType[type, str] = MappingProxyType(
    {str: "a text", int: "a whole number", list: "a list", dict: "an object"}
)


def _parameters(fields: JsonObject) -> JsonObject:
    table = table_of(fields, "parameters")
    if not all(isinstance(value, int | str) for value in table.values()):
        raise RequestError("request", "`parameters`: expected numbers, texts, true and false")
    return table


def _transforms(fields: JsonObject) -> Sequence[str | Mapping[str, object]]:
    items: list[Any] = _value(fields, "with", list, [])
    if len(items) > _MOST_TRANSFORMS or not all(isinstance(item, str | dict) for item in items):
        raise RequestError(
            "request", "`with`: expected a list of names, or objects of one name each"
        )
    return items
