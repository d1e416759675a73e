"""The part of the JSON Schema for specs that extend others, derived from that of complete specs.

`python -m tests.helpers.variant_schema` rewrites it. In a variant every key of a map is optional,
since a parent has it, or null, which deletes it. A list whose items have names may be a map from
names to changed items. Values are the same as elsewhere.
"""

import json
import sys
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[2] / "grammars" / "game.schema.json"
DELETED = {"$ref": "#/definitions/deleted"}
GAME = "#/definitions/game"
# Keys about this spec itself, which are not inherited.
OWN = ("spec", "extends", "with")


def main() -> int:
    schema = json.loads(PATH.read_text(encoding="utf-8"))
    schema["definitions"]["variant"] = variant(schema["definitions"])
    text = json.dumps(schema, indent=2, ensure_ascii=False)
    PATH.write_text(f"{text}\n", encoding="utf-8")
    return 0


def variant(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a spec that has `extends`."""
    game = definitions["game"]
    made = relaxed(game, GAME, definitions)
    made["properties"] |= {key: {"$ref": f"{GAME}/properties/{key}"} for key in OWN}
    return {"title": "a variant", "description": "A game built on others.", **made}


def relaxed(schema: dict[str, Any], path: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a map without required keys; anything else is a reference to its path."""
    made = _relaxed(schema, definitions, path)
    return made if "type" in made or "anyOf" in made else {"$ref": path}


def _relaxed(schema: dict[str, Any], definitions: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the same, or an empty schema if it is no map."""
    if len(schema.get("allOf", [])) == 1 and "type" not in schema:
        return _relaxed(schema["allOf"][0], definitions, f"{path}/allOf/0")
    if "$ref" in schema:
        target = schema["$ref"].removeprefix("#/definitions/")
        return _relaxed(definitions[target], definitions, schema["$ref"])
    # The schema uses `if` to distinguish a map from other types.
    branch = {"array": "else", "object": "then"}.get(schema.get("if", {}).get("type", ""), "")
    if branch:
        below = _relaxed(schema[branch], definitions, f"{path}/{branch}")
        named = _by_name(below) if branch == "else" else []
        return {"anyOf": [{"$ref": path}, below, *named]} if below else {}
    return _map(schema, path, definitions)


def _by_name(item: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a map from names to changed items, if the items can have names."""
    one: dict[str, Any] = next((o for o in item.get("anyOf", [item]) if "properties" in o), {})
    if "name" not in one.get("properties", ()):
        return []
    return [{"type": "object", "additionalProperties": {"anyOf": [one, DELETED]}}]


def _map(schema: dict[str, Any], path: str, definitions: dict[str, Any]) -> dict[str, Any]:
    if "object" not in schema.get("type", ""):
        return {}
    made: dict[str, Any] = {"type": "object", "additionalProperties": False}
    if "propertyNames" in schema:
        made["propertyNames"] = schema["propertyNames"]
    if "properties" in schema:
        made["properties"] = {
            key: optional(value, f"{path}/properties/{key}", definitions)
            for key, value in schema["properties"].items()
        }
    if schema.get("additionalProperties"):
        value = schema["additionalProperties"]
        made["additionalProperties"] = optional(value, f"{path}/additionalProperties", definitions)
    return made


def optional(value: dict[str, Any], path: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a schema for a value that may be null; the inner schema keeps its description."""
    inner = relaxed(value, path, definitions)
    schema = (
        {"description": value["description"]} if "type" in inner and "description" in value else {}
    )
    return {**schema, "anyOf": [inner, DELETED]}


if __name__ == "__main__":
    sys.exit(main())
