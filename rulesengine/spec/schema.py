"""The document against the JSON Schema of games: keys, kinds of value, ranges, as diagnostics.

jsonschema finds what is wrong and where; every word that a user reads is ours.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulesengine.diagnostic import Diagnostic, did_you_mean
from rulesengine.limits import INTEGER_MAX, INTEGER_MIN, MAX_ERRORS_SHOWN
from rulesengine.source import Span
from rulesengine.spec.document import (
    Document,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    shown,
    to_plain,
)
from rulesengine.spec.mistakes import unquoted
from rulesengine.spec.scalars import integer_meant

_MAX_FINDINGS = 100


def validate(document: Document, schema: str) -> list[Diagnostic]:
    """All findings about a document's shape, up to 100; `schema` is the text of a JSON Schema.

    A subschema's `title` is what messages say was expected, so it reads like "an integer".
    """
    version = document.root.get("spec")
    if isinstance(version, Scalar) and type(version.value) is int and version.value > 1:
        message = "this file needs a newer version of rulesengine"
        return [Diagnostic("newer-spec", version.span, message, "this one reads `spec: 1`")]
    found: dict[tuple[str, Span], Diagnostic] = {}
    for error in _validator(json.loads(schema)).iter_errors(to_plain(document.root)):
        for finding in _findings(document, error):
            if len(found) >= _MAX_FINDINGS:
                return list(found.values())
            found.setdefault((finding.code, finding.span), finding)
    return list(found.values())


def _validator(schema: dict[str, Any]) -> Any:
    """A validator that opens no file and no socket, and to which 4.0 is no integer."""
    from jsonschema import Draft7Validator, validators
    from referencing import Registry

    types = Draft7Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    extend: Any = validators.extend  # its stub leaves it untyped
    registry: Registry[Any] = Registry()
    return extend(Draft7Validator, type_checker=types)(schema, registry=registry)


@dataclass(frozen=True, slots=True)
class _Place:
    """A node of the document, the entry it is the value of, if any, and the key above it."""

    node: Node
    entry: Entry | None
    key: str

    @property
    def where(self) -> str:
        if not self.key:
            return "the spec"
        return f"`{self.key}`" if self.entry else f"an item of `{self.key}`"

    @property
    def span(self) -> Span:
        """Where a finding about the whole node points: its key, or its first line."""
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
                place = _Place(entry.value, entry, entry.key)
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
    return [_unknown_key(entry, known) for entry in keys[:MAX_ERRORS_SHOWN]]


def _unknown_key(entry: Entry, known: tuple[str, ...]) -> Diagnostic:
    help = did_you_mean(entry.key, known) or f"known here: {_listed(known)}"
    return Diagnostic("unknown-key", entry.key_span, f"unknown key {shown(entry.key)}", help)


def _missing_keys(place: _Place, error: Any) -> list[Diagnostic]:
    known = error.schema.get("properties", {})
    guesses = _guesses(place, tuple(known))
    missing = [key for key in error.validator_value if key not in error.instance]
    missing = [key for key in missing if not any(f"`{key}`" in guess for guess in guesses)]
    if not missing:
        return []
    message = f"{place.where} has no {_listed(tuple(missing))}"
    meaning = known.get(missing[0], {}).get("description", "")
    help = f"`{missing[0]}`: {meaning}" if meaning else ""
    return [Diagnostic("missing-key", place.span, message, help)]


def _guesses(place: _Place, known: tuple[str, ...]) -> list[str]:
    """What the unknown keys may have been meant to be: they are not missing as well."""
    unknown = [entry.key for entry in _entries(place) if entry.key not in known]
    return [did_you_mean(key, known) for key in unknown[:MAX_ERRORS_SHOWN]]


def _one_of(place: _Place, error: Any) -> list[Diagnostic]:
    """Branches are told apart by a key: exactly one of these must be there."""
    tags = tuple(branch["required"][0] for branch in error.validator_value)
    given = [entry for entry in _entries(place) if entry.key in tags]
    if not given and any(_guesses(place, tuple(error.schema["properties"]))):
        return []
    if not given:
        message = f"{place.where} needs one of {_listed(tags)}"
        return [Diagnostic("missing-key", place.span, message)]
    first, second = given[:2]
    message = f"`{first.key}` and `{second.key}` exclude each other"
    return [Diagnostic("misplaced-key", second.key_span, message, "keep one of the two")]


def _misplaced(place: _Place, error: Any) -> list[Diagnostic]:
    message = f"{place.where} does not belong here"
    return [Diagnostic("misplaced-key", place.span, message, error.schema.get("description", ""))]


def _wrong_type(place: _Place, error: Any) -> list[Diagnostic]:
    expected = error.schema.get("title", "another kind of value")
    if isinstance(place.node, Scalar) and place.node.value is None:
        message = f"{place.where} has no value, expected {expected}"
        help = "`#` starts a comment, quote it if it is meant" if _before_comment(place) else ""
        return [Diagnostic("missing-value", place.span, message, help)]
    message = f"expected {expected} for {place.where}, found {_kind(place.node)}"
    return [Diagnostic("wrong-type", _value_span(place), message, _number_help(place, error))]


def _not_in_list(place: _Place, error: Any) -> list[Diagnostic]:
    allowed = tuple(str(value) for value in error.validator_value)
    text = place.node.text.text if isinstance(place.node, Scalar) else ""
    expected = error.schema.get("title", f"one of {_listed(allowed)}")
    message = f"expected {expected} for {place.where}, found {_kind(place.node)}"
    return [
        Diagnostic("not-allowed-value", _value_span(place), message, did_you_mean(text, allowed))
    ]


def _wrong_count(place: _Place, error: Any) -> list[Diagnostic]:
    bound = "at least" if error.validator.startswith("min") else "at most"
    limit = error.validator_value
    message = f"{place.where} has {len(error.instance)} entries, {bound} {limit} are allowed"
    return [Diagnostic("wrong-count", place.span, message)]


def _not_allowed(place: _Place, error: Any) -> list[Diagnostic]:
    expected = error.schema.get("title", "another value")
    node, help = place.node, error.schema.get("description", "")
    if isinstance(node, Scalar) and node.style in ("literal", "folded") and not node.text.text:
        help = unquoted(node.span).help
    message = f"expected {expected} for {place.where}, found {_kind(node)}"
    return [Diagnostic("not-allowed-value", _value_span(place), message, help)]


def _bad_name(place: _Place, error: Any) -> Diagnostic:
    entry = place.node.entry(error.instance) if isinstance(place.node, Mapping) else None
    expected = error.schema.get("title", "a name")
    message = f"expected {expected}, found {shown(error.instance)}"
    help = error.schema.get("description", "")
    return Diagnostic("bad-name", entry.key_span if entry else place.span, message, help)


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
    """The whole of a scalar, the key or the first character of anything longer."""
    return place.node.span if isinstance(place.node, Scalar) else place.span


def _kind(node: Node) -> str:
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case Scalar(value=str()):
            return shown(node.text.text) if node.text.text else "an empty text"
    return "nothing" if node.value is None else shown(node.text.text)


def _number_help(place: _Place, error: Any) -> str:
    node = place.node
    if not isinstance(node, Scalar) or "integer" not in error.validator_value:
        return ""
    text = node.text.text
    if node.style == "plain" and text.lstrip("-").isdecimal() and _is_far(text):
        return f"integers go from {INTEGER_MIN} to {INTEGER_MAX}"
    if node.style != "plain" and text.lstrip("-").isdecimal():
        return "write the number without quotes"
    return integer_meant(text)


def _is_far(text: str) -> bool:
    return len(text) > 20 or not INTEGER_MIN <= int(text) <= INTEGER_MAX


def _before_comment(place: _Place) -> bool:
    source, start = place.node.span.source, place.node.span.start
    line = source.line_text(source.position(start)[0])
    return line[source.position(start)[1] - 1 :].lstrip().startswith("#")


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)
