"""The part of the JSON Schema about specs that extend others, made from that about whole ones.

`python -m tests.helpers.variant_schema` rewrites it. In a variant every key of a map may be
missing, for a parent has it, or be null, which deletes it; a list whose items have names may be a
map of what becomes of them. Values are the same as elsewhere.
"""

import json
import sys
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[2] / "grammars" / "game.schema.json"
DELETED = {"$ref": "#/definitions/deleted"}
GAME = "#/definitions/game"
# Keys about this spec itself, which no parent gives.
OWN = ("spec", "extends", "with")


def main() -> int:
    schema = json.loads(PATH.read_text(encoding="utf-8"))
    schema["definitions"]["variant"] = variant(schema["definitions"])
    text = json.dumps(schema, indent=2, ensure_ascii=False)
    PATH.write_text(f"{text}\n", encoding="utf-8")
    return 0


def variant(definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a spec that has `extends`."""
    game = definitions["game"]
    made = relaxed(game, GAME, definitions)
    made["properties"] |= {key: {"$ref": f"{GAME}/properties/{key}"} for key in OWN}
    return {"title": "a variant", "description": "A game built on others.", **made}


def relaxed(schema: dict[str, Any], path: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """A map without what it must have; anything else is what its path leads to."""
    made = _relaxed(schema, definitions, path)
    return made if "type" in made or "anyOf" in made else {"$ref": path}


def _relaxed(schema: dict[str, Any], definitions: dict[str, Any], path: str) -> dict[str, Any]:
    """The same, empty for what is no map."""
    if len(schema.get("allOf", [])) == 1 and "type" not in schema:
        return _relaxed(schema["allOf"][0], definitions, f"{path}/allOf/0")
    if "$ref" in schema:
        target = schema["$ref"].removeprefix("#/definitions/")
        return _relaxed(definitions[target], definitions, schema["$ref"])
    # What may be a map or something else is told apart by `if`.
    branch = {"array": "else", "object": "then"}.get(schema.get("if", {}).get("type", ""), "")
    if branch:
        below = _relaxed(schema[branch], definitions, f"{path}/{branch}")
        named = _by_name(below) if branch == "else" else []
        return {"anyOf": [{"$ref": path}, below, *named]} if below else {}
    return _map(schema, path, definitions)


def _by_name(item: dict[str, Any]) -> list[dict[str, Any]]:
    """A map of names to what becomes of items, where these can have names."""
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
    """A value that may be deleted; what it leads to has its description."""
    inner = relaxed(value, path, definitions)
    said = (
        {"description": value["description"]} if "type" in inner and "description" in value else {}
    )
    return {**said, "anyOf": [inner, DELETED]}


if __name__ == "__main__":
    sys.exit(main())
