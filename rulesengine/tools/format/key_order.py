"""The order of a map's keys: that of the JSON Schema, unless the order has a meaning."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulesengine.language.document.nodes import Entry, Mapping

Path = tuple[str, ...]  # keys, and ITEM for each item of a list

ITEM = ""  # no key is empty

# Definitions of maps with keys that are applied in written order.
_AS_WRITTEN = frozenset({"transform"})


@dataclass(frozen=True, slots=True)
class Order:
    """The JSON Schema, which determines the keys of the map at a path."""

    definitions: dict[str, Any]

    @classmethod
    def read(cls, text: str) -> "Order":
        return cls(json.loads(text)["definitions"])

    def keys(self, path: Path) -> tuple[str, ...]:
        """Return the keys allowed in a map at the path, in order; none if any name is allowed."""
        schemas = self._at(path)
        if any(schema.get("additionalProperties") for schema in schemas):
            return ()
        return max((tuple(s.get("properties", ())) for s in schemas), key=len, default=())

    def is_fixed(self, mapping: Mapping, path: Path) -> bool:
        """True if the order of a map's keys has no meaning; False if a key is unknown."""
        known = self.keys(path)
        return all(entry.key in known for entry in mapping)

    def entries(self, mapping: Mapping, path: Path) -> tuple[Entry, ...]:
        """Return the entries of a map, in order."""
        if not self.is_fixed(mapping, path):
            return mapping.entries
        known = self.keys(path)
        return tuple(sorted(mapping, key=lambda entry: known.index(entry.key)))

    def _at(self, path: Path) -> list[dict[str, Any]]:
        schemas = list(self._branches(self.definitions["game"]))
        for step in path:
            schemas = [part for schema in schemas for part in self._below(schema, step)]
        return schemas

    def _below(self, schema: dict[str, Any], step: str) -> Iterator[dict[str, Any]]:
        """Yield the schemas of one value in a map or list."""
        if step == ITEM:
            below = schema.get("items")
        else:
            own = schema.get("properties", {}).get(step)
            below = own if own is not None else schema.get("additionalProperties")
        if isinstance(below, dict):
            yield from self._branches(below)

    def _branches(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield a schema and its references and branches; keys of transforms are left unordered."""
        name = schema.get("$ref", "").removeprefix("#/definitions/")
        if name:
            schemas = list(self._branches(self.definitions[name]))
            yield from ([_unordered(part) for part in schemas] if name in _AS_WRITTEN else schemas)
            return
        yield schema
        for key in ("then", "else"):
            if isinstance(schema.get(key), dict):
                yield from self._branches(schema[key])
        for key in ("allOf", "anyOf", "oneOf"):
            for part in schema.get(key, ()):
                yield from self._branches(part)


def _unordered(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a map with significant key order, with any key allowed."""
    return {**schema, "additionalProperties": True} if "properties" in schema else schema
