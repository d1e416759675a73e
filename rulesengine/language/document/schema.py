"""Validation of a document by the JSON Schema of games: keys, types and ranges, as diagnostics.

jsonschema finds the errors and their paths; the messages are written here.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from rulesengine.language.document.nodes import (
    Document,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    quote,
    to_plain,
)
from rulesengine.language.document.scalars import integer_meant
from rulesengine.language.document.schema_fixes import (
    as_choice,
    as_joined,
    as_name,
    as_number,
    as_symbol,
    as_text,
    key_of_other_steps,
    missing_keys,
    missing_value,
    other_form,
    suggest_key,
    suggest_removal,
    suggest_value,
)
from rulesengine.language.document.yaml_errors import cut_by_a_colon, unquoted
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN, MAX_ERRORS_SHOWN
from rulesengine.support.source import Span

_MAX_FINDINGS = 100
_DEFINED = "#/definitions/"


def validate(document: Document, schema: str) -> list[Diagnostic]:
    """Return all findings about a document's shape, up to 100; `schema` is a JSON Schema as text.

    The `title` of a subschema is the expected value in messages, so it reads like "an integer".
    """
    diagnostics: dict[tuple[str, Span], Diagnostic] = {}
    for error in _validator(schema).iter_errors(to_plain(document.root)):
        for finding in _findings(document, error):
            if len(diagnostics) >= _MAX_FINDINGS:
                return list(diagnostics.values())
            diagnostics.setdefault((finding.code, finding.span), finding)
    return list(diagnostics.values())


@cache
def _validator(schema: str) -> Any:
    """Make a validator that opens no file and no socket and does not accept 4.0 as an integer.

    It validates specs after their parents are merged in.
    """
    from jsonschema import Draft7Validator, validators
    from referencing import Registry

    types = Draft7Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    extend: Any = validators.extend  # its stub leaves it untyped
    registry: Registry[Any] = Registry()
    parts = json.loads(schema)["definitions"]
    inlined = _without_references(parts["game"], parts)
    return extend(Draft7Validator, type_checker=types)(inlined, registry=registry)


def _without_references(part: Any, definitions: Any) -> Any:
    """Inline the references of a schema, because resolving them for each value is slow."""
    if isinstance(part, list):
        return [_without_references(item, definitions) for item in part]
    if not isinstance(part, dict):
        return part
    if name := part.get("$ref", ""):
        return _without_references(definitions[name.removeprefix(_DEFINED)], definitions)
    return {key: _without_references(value, definitions) for key, value in part.items()}


@dataclass(frozen=True, slots=True)
class _Place:
    """A node of the document, the entry that contains it, if any, and the key above it."""

    node: Node
    entry: Entry | None
    key: str
    map: Node | None = None

    @property
    def description(self) -> str:
        if not self.key:
            return "the spec"
        return f"`{self.key}`" if self.entry else f"an item of `{self.key}`"

    @property
    def span(self) -> Span:
        """Return the span of a finding about the whole node: its key, or its first line."""
        if self.entry:
            return self.entry.key_span
        span = self.node.span
        first = self.node.entries[:1] if isinstance(self.node, Mapping) else ()
        return first[0].key_span if first else Span(span.source, span.start, span.start + 1)


def _find(document: Document, path: Iterable[str | int]) -> _Place:
    place = _Place(document.root, None, "")
    for step in path:
        match place.node:
            case Mapping() if entry := place.node.entry(str(step)):
                place = _Place(entry.value, entry, entry.key, place.node)
            case Sequence() if isinstance(step, int):
                place = _Place(place.node.items[step], None, place.key)
    return place


def _findings(document: Document, error: Any) -> list[Diagnostic]:
    place = _find(document, error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        return [_bad_name(place, error)]
    return _BY_KEYWORD.get(error.validator, _not_allowed)(place, error)


def _unknown_keys(place: _Place, error: Any) -> list[Diagnostic]:
    known = tuple(error.schema.get("properties", {}))
    keys = [entry for entry in _entries(place) if entry.key not in known]
    if len(keys) == 1 and (alone := _word_with_a_colon(keys[0], place)):
        return [alone]
    free = tuple(key for key in known if key not in error.instance)
    shown = keys[:MAX_ERRORS_SHOWN]
    return [
        _unknown_key(entry, free, key_of_other_steps(place.node, entry, known)) for entry in shown
    ]


# Keys of other languages for simultaneous moves, and for parts of a position that some players do
# not see.
_TOGETHER = frozenset({"simultaneous", "simultaneously", "parallel", "at_once"})
_HIDING = frozenset({"hidden", "hide", "secret", "visible", "visibility", "face_down"})


def _unknown_key(entry: Entry, free: tuple[str, ...], other: str) -> Diagnostic:
    help = suggest_key(entry.key, free) or other or f"known here: {_listed(free)}"
    if entry.key in _HIDING:
        help = "`seen` of a register and `rules: sees` say what a player sees"
    if entry.key in _TOGETHER and "together" in free:
        help = "`together` says when all players choose a move before any is carried out"
        help = Suggestion(help, "together", entry.key_span)
    return Diagnostic("unknown-key", entry.key_span, f"unknown key {quote(entry.key)}", help)


def _word_with_a_colon(entry: Entry, place: _Place) -> Diagnostic | None:
    """Report `- otherwise:`, an item of a list that is written like a key."""
    empty = isinstance(entry.value, Scalar) and entry.value.value is None
    if entry.key != "otherwise" or not empty or place.entry is not None:
        return None
    source, end = entry.key_span.source, entry.key_span.end
    colon = Span(source, source.text.index(":", end), source.text.index(":", end) + 1)
    message = "`otherwise` is written alone, without a colon"
    return Diagnostic(
        "unexpected-colon", colon, message, Suggestion("leave the colon out", "", colon)
    )


def _missing_keys(place: _Place, error: Any) -> list[Diagnostic]:
    known = error.schema.get("properties", {})
    guesses = _guesses(place, tuple(known))
    missing = [key for key in error.validator_value if key not in error.instance]
    missing = [key for key in missing if not any(f"`{key}`" in guess for guess in guesses)]
    if not missing:
        return []
    message = f"{place.description} has no {_listed(tuple(missing))}"
    meaning = known.get(missing[0], {}).get("description", "")
    help = f"`{missing[0]}`: {meaning}" if meaning else ""
    help = missing_keys(place.node, missing, known, help)
    return [Diagnostic("missing-key", place.span, message, help)]


def _guesses(place: _Place, known: tuple[str, ...]) -> list[str]:
    """Return the likely meanings of the unknown keys; these keys are not reported as missing."""
    unknown = [entry.key for entry in _entries(place) if entry.key not in known]
    return [suggest_key(key, known) for key in unknown[:MAX_ERRORS_SHOWN]]


def _one_of(place: _Place, error: Any) -> list[Diagnostic]:
    """Report a missing or ambiguous discriminator: exactly one of these keys must be present."""
    tags = tuple(branch["required"][0] for branch in error.validator_value)
    entries = [entry for entry in _entries(place) if entry.key in tags]
    if not entries and any(_guesses(place, tuple(error.schema["properties"]))):
        return []
    if not entries:
        if any(_word_with_a_colon(entry, place) for entry in _entries(place)):
            return []
        message = f"{place.description} needs one of {_listed(tags)}"
        if _are_named_items(place, error):
            return [Diagnostic("missing-key", place.span, message, _as_list(_entries(place)))]
        first = next((tag for tag in tags if "examples" in error.schema["properties"][tag]), "")
        help = f"`{first}`: {error.schema['properties'].get(first, {}).get('description', '')}"
        help = missing_keys(place.node, [first], error.schema["properties"], help)
        return [Diagnostic("missing-key", place.span, message, help)]
    first, second = entries[:2]
    message = f"`{first.key}` and `{second.key}` exclude each other"
    help = suggest_removal(place.node, second, "keep one of the two")
    return [Diagnostic("misplaced-key", second.key_span, message, help)]


def _are_named_items(place: _Place, error: Any) -> bool:
    """Return True for a map from names to items, where a list of items with names belongs."""
    known = error.schema["properties"]
    entries = _entries(place)
    return (
        "name" in known
        and bool(entries)
        and all(entry.key not in known and not isinstance(entry.value, Scalar) for entry in entries)
    )


def _as_list(entries: tuple[Entry, ...]) -> str:
    """Return the help that turns a map from names to items into a list, with an edit of one item.

    The edit fits an item in lines of its own, two blanks to the right of its name.
    """
    first = entries[0]
    help = f"it is a list: write `- name: {first.key}` with the keys below it"
    key, value = first.key_span, first.value
    if len(entries) > 1 or not isinstance(value, Mapping) or not value.entries:
        return help
    text, inner = key.source.text, value.entries[0].key_span
    (_, column), (_, indent) = key.source.position(key.start), key.source.position(inner.start)
    colon = text.index(":", key.end) + 1
    between = "".join(line.partition("#")[0] for line in text[colon : inner.start].split("\n"))
    if indent != column + 2 or between.strip():
        return help
    return Suggestion(help, f"- name: {first.key}", Span(key.source, key.start, colon))


def _misplaced(place: _Place, error: Any) -> list[Diagnostic]:
    message = f"{place.description} does not belong here"
    help = error.schema.get("description", "")
    if place.entry:
        help = suggest_removal(place.map or place.node, place.entry, help)
    return [Diagnostic("misplaced-key", place.span, message, help)]


def _wrong_type(place: _Place, error: Any) -> list[Diagnostic]:
    expected = error.schema.get("title", "another kind of value")
    if isinstance(place.node, Scalar) and place.node.value is None:
        message = f"{place.description} has no value, expected {expected}"
        help = "`#` starts a comment, quote it if it is meant" if _before_comment(place) else ""
        help = missing_value(place.node, _schema_of(place, error), help)
        if _before_comment(place):
            source, start = place.node.span.source, place.node.span.start
            at = source.text.index("#", start)
            help = Suggestion(help, '"#"', Span(source, at, at + 1))
        span = help.at if _before_comment(place) and isinstance(help, Suggestion) else None
        return [Diagnostic("missing-value", span or place.span, message, help)]
    if len(entries := _entries(place)) == 1 and (
        cut := cut_by_a_colon(entries[0].key_span, entries[0].value.span)
    ):
        return [cut]
    message = f"expected {expected} for {place.description}, found {_kind(place.node)}"
    help = _number_help(place, error)
    if not help and isinstance(place.node, Scalar):
        help = other_form(place.node, error.schema, place.key if place.entry else "")
    if isinstance(place.node, Mapping) and "text" in expected:
        help = help or as_text(place.node)
    if isinstance(place.node, Sequence) and "joined by `-`" in expected:
        help = help or as_joined(place.node)
    if isinstance(place.node, Sequence) and place.key == "place":
        help = help or as_choice(place.node, place.map)
    return [Diagnostic("wrong-type", _value_span(place), message, help)]


def _not_in_list(place: _Place, error: Any) -> list[Diagnostic]:
    allowed = tuple(str(value) for value in error.validator_value)
    text = place.node.text.text if isinstance(place.node, Scalar) else ""
    expected = error.schema.get("title", f"one of {_listed(allowed)}")
    message = f"expected {expected} for {place.description}, found {_kind(place.node)}"
    help = suggest_value(text, allowed) or (f"write one of {_listed(allowed)}" if text else "")
    if not text and isinstance(place.node, Scalar):
        help = missing_value(place.node, {"examples": list(error.validator_value)}, "")
    return [Diagnostic("not-allowed-value", _value_span(place), message, help)]


def _schema_of(place: _Place, error: Any) -> dict[str, Any]:
    """Return the schema with the examples of a key: the innermost one that has some."""
    schema: dict[str, Any] = error.schema
    return schema if "examples" in schema else {"examples": _USUAL.get(place.key, ())}


def _wrong_count(place: _Place, error: Any) -> list[Diagnostic]:
    bound = "at least" if error.validator.startswith("min") else "at most"
    limit = error.validator_value
    message = f"{place.description} has {len(error.instance)} entries, {bound} {limit} are allowed"
    return [Diagnostic("wrong-count", place.span, message)]


def _not_allowed(place: _Place, error: Any) -> list[Diagnostic]:
    expected = error.schema.get("title", "another value")
    node, help = place.node, error.schema.get("description", "")
    if isinstance(node, Scalar) and node.style in ("literal", "folded") and not node.text.text:
        help = unquoted(node.span).help
    elif error.validator in ("maxLength", "minLength", "pattern") and "symbol" in expected:
        help = as_symbol(node) or help
    elif error.validator == "pattern" and isinstance(error.instance, str):
        help = as_name(error.instance, error.validator_value) or help
    elif error.validator in ("minimum", "maximum"):
        bound = error.validator_value
        help = Suggestion(f"write {bound}", str(bound))
    message = f"expected {expected} for {place.description}, found {_kind(node)}"
    return [Diagnostic("not-allowed-value", _value_span(place), message, help)]


def _bad_name(place: _Place, error: Any) -> Diagnostic:
    entry = place.node.entry(error.instance) if isinstance(place.node, Mapping) else None
    expected = error.schema.get("title", "a name")
    message = f"expected {expected}, found {quote(error.instance)}"
    help = as_name(error.instance, error.schema.get("pattern", "")) or error.schema.get(
        "description", ""
    )
    return Diagnostic("bad-name", entry.key_span if entry else place.span, message, help)


# Common values of keys that have a declared type but no examples.
_USUAL: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {"to": ("empty",), "when": ("none(empty)",), "result": ("draw",), "name": ("A game",)}
)

_BY_KEYWORD: MappingProxyType[str, Callable[[_Place, Any], list[Diagnostic]]] = MappingProxyType(
    {
        "additionalProperties": _unknown_keys,
        "required": _missing_keys,
        "oneOf": _one_of,
        "not": _misplaced,
        "type": _wrong_type,
        "enum": _not_in_list,
        "minItems": _wrong_count,
        "maxItems": _wrong_count,
        "minProperties": _wrong_count,
        "maxProperties": _wrong_count,
    }
)


def _entries(place: _Place) -> tuple[Entry, ...]:
    return place.node.entries if isinstance(place.node, Mapping) else ()


def _value_span(place: _Place) -> Span:
    """Return the span of a scalar, or the key or the first character of a collection."""
    return place.node.span if isinstance(place.node, Scalar) else place.span


def _kind(node: Node) -> str:
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case Scalar(value=str()):
            return quote(node.text.text) if node.text.text else "an empty text"
    return "nothing" if node.value is None else quote(node.text.text)


def _number_help(place: _Place, error: Any) -> str:
    node = place.node
    if not isinstance(node, Scalar) or "integer" not in error.validator_value:
        return ""
    text = node.text.text
    if node.style == "plain" and text.lstrip("-").isdecimal() and _is_far(text):
        return f"integers go from {INTEGER_MIN} to {INTEGER_MAX}"
    if node.style != "plain" and text.lstrip("-").isdecimal():
        return Suggestion("write the number without quotes", text)
    return as_number(integer_meant(text))


def _is_far(text: str) -> bool:
    return len(text) > 20 or not INTEGER_MIN <= int(text) <= INTEGER_MAX


def _before_comment(place: _Place) -> bool:
    source, start = place.node.span.source, place.node.span.start
    line = source.line_text(source.position(start)[0])
    return line[source.position(start)[1] - 1 :].lstrip().startswith("#")


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)
