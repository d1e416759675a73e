"""The keys of specs: meanings, value types and uses in bundled specs, from the JSON Schema."""

import json
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from rulesengine.language.document import parse
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.support.files import read_source
from rulesengine.support.resources import bundled_names, bundled_path, read_text

Path = tuple[str, ...]

# The names of sections that are lists of maps or maps with names chosen by the author.
_PLACES: MappingProxyType[Path, str] = MappingProxyType(
    {
        ("parameters", "*"): "a parameter",
        ("players", "*"): "a player",
        ("registers", "*"): "a register",
        ("rules", "moves"): "a group of moves",
        ("rules", "steps"): "a group of moves",
        ("rules", "moves", "then"): "`then`",
        ("rules", "steps", "then"): "`then`",
        ("rules", "chance", "branches"): "a group of branches",
        ("rules", "end"): "an end",
        ("tests",): "a test",
    }
)


def keys() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each key with its path, `*` being any name, and its part of the schema."""
    schema = json.loads(read_text("grammars/game.schema.json"))
    for path, keywords in _properties(schema, schema["definitions"]["game"], ()):
        if "description" in keywords:  # a branch may list a key only to require it
            yield path, keywords


def keys_below(above: Path) -> dict[str, str]:
    """Return the keys allowed below a path with their meanings, without names of the author."""
    return {
        path[-1]: keywords["description"]
        for path, keywords in keys()
        if len(path) == len(above) + 1
        and all(a in (b, "*") for a, b in zip(path, above, strict=False))
        and path[-1] != "*"
    }


def place(path: Path) -> str:
    """Return the section of a key in words; empty at the top level of a spec."""
    above = path[:-1]
    return _PLACES.get(above) or (f"`{above[-1]}`" if above else "")


def bundled() -> tuple[Mapping, ...]:
    """Return the bundled specs as written in their files."""
    documents = (parse(read_source(bundled_path(name)))[0] for name in bundled_names())
    return tuple(document.root for document in documents if document)


def uses(path: Path, specs: tuple[Mapping, ...], most: int = 3) -> tuple[str, ...]:
    """Return lines of specs with the key, at most `most` different ones."""
    names: dict[str, None] = {}
    for root in specs:
        for line in _lines(root, path):
            names.setdefault(line)
            if len(names) >= most:
                return tuple(names)
    return tuple(names)


def _properties(root: Any, schema: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for part in _parts(root, schema):
        for key, value in part.get("properties", {}).items():
            if value.get("not") is None:
                yield (*path, key), _schema_value(root, value)
                if len(path) < 4:
                    yield from _properties(root, value, (*path, key))
        more = part.get("additionalProperties")
        if isinstance(more, dict):
            yield from _properties(root, more, (*path, "*"))


def _schema_value(root: Any, schema: Any) -> dict[str, Any]:
    """Return the schema's keywords for a key, following references; the nearest wins."""
    keywords: dict[str, Any] = {}
    for part in (schema, *_parts(root, schema)):
        for word in ("description", "title", "enum", "examples", "$comment"):
            if word in part:
                keywords.setdefault(word, part[word])
    return keywords


def _parts(root: Any, schema: Any, seen: Path = ()) -> Iterator[dict[str, Any]]:
    """Yield a schema, its references, branches and items; no reference twice."""
    pointer = schema.get("$ref", "")
    if pointer and pointer not in seen:
        target = root
        for step in pointer.removeprefix("#").split("/")[1:]:
            target = target[step]
        yield from _parts(root, target, (*seen, pointer))
    if pointer:
        return
    yield schema
    below = [*schema.get("allOf", ()), *(schema.get(k, {}) for k in ("then", "else", "items"))]
    for part in below:
        if isinstance(part, dict) and part:
            yield from _parts(root, part, seen)


def _lines(node: Node, path: Path) -> Iterator[str]:
    """Yield the source lines of the entries below a node at the end of a path."""
    match node:
        case Sequence():
            for item in node:
                yield from _lines(item, path)
        case Mapping():
            for entry in node:
                if path[0] not in ("*", entry.key):
                    continue
                if len(path) > 1:
                    yield from _lines(entry.value, path[1:])
                else:
                    yield _line(entry.key, entry.value)


def _line(key: str, value: Node) -> str:
    text = value.span.text.rstrip()
    if isinstance(value, Scalar) and value.style not in ("literal", "folded"):
        return f"{key}: {' '.join(text.split())}"
    flow = not isinstance(value, Scalar) and text[:1] in "{["
    shown = " ".join(text.split()) if flow else " ".join(text.splitlines()[:1])
    return f"{key}: {shown}" if flow or isinstance(value, Scalar) else f"{key}: {shown} …"
