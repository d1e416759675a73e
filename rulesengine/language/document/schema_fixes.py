"""Suggestions for violations of the schema: keys, types of values, names."""

import json
import re
from types import MappingProxyType
from typing import Any

from rulesengine.language.document.edits import quoted, with_entry, without_entry
from rulesengine.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulesengine.language.document.scalars import plain_value
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.source import Span

# Keys of other languages and their equivalents; the first one that is valid there is suggested.
_OTHER_KEYS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "title": ("name",),
        "game": ("name",),
        "description": ("about",),
        "author": ("source",),
        "version": ("spec",),
        "base": ("extends",),
        "inherits": ("extends",),
        "options": ("parameters", "choices"),
        "values": ("choices",),
        "grid": ("board",),
        "height": ("rows",),
        "width": ("columns",),
        "cols": ("columns",),
        "depth": ("layers",),
        "type": ("shape",),
        "form": ("shape",),
        "nodes": ("cells",),
        "links": ("edges",),
        "torus": ("wrap",),
        "sides": ("players",),
        "symbols": ("pieces",),
        "kinds": ("pieces",),
        "areas": ("regions",),
        "zones": ("regions",),
        "functions": ("define",),
        "definitions": ("define",),
        "macros": ("define",),
        "variables": ("registers",),
        "memory": ("registers",),
        "setup": ("start",),
        "initial": ("start",),
        "value": ("default", "start"),
        "min": ("from",),
        "max": ("to",),
        "minimum": ("from",),
        "maximum": ("to",),
        "scope": ("lives",),
        "per": ("each",),
        "effects": ("do",),
        "effect": ("do",),
        "actions": ("do",),
        "capture": ("do",),
        "captures": ("do",),
        "if": ("when",),
        "condition": ("when",),
        "target": ("to",),
        "on": ("to",),
        "destination": ("to",),
        "piece": ("place",),
        "drop": ("place",),
        "carry": ("move",),
        "direction": ("along",),
        "unless": ("forbid",),
        "notation": ("written",),
        "next": ("then", "turn"),
        "order": ("turn",),
        "points": ("score",),
        "ends": ("end",),
        "ending": ("end",),
        "over": ("end",),
        "win": ("result",),
        "winner": ("result", "outcome"),
        "result": ("outcome",),
        "expect": ("outcome", "output"),
        "expected": ("output",),
        "stdin": ("input",),
        "stdout": ("output",),
        "code": ("exit",),
        "message": ("reason", "error"),
        "text": ("reason", "written"),
        "ai": ("strategies",),
        "bots": ("strategies",),
        "script": ("io",),
        "program": ("io",),
        "display": ("drawing", "draw"),
        "picture": ("draw",),
        "colors": ("colours",),
        "examples": ("tests",),
        "after": ("moves",),
        "state": ("position",),
        "misere_play": ("misere",),
        "optionally": ("optional",),
    }
)
# The keys of groups of moves that branches of chance do not have.
_OF_MOVES = frozenset({"name", "pass", "swap", "take", "forbid", "then"})
_OTHER_VALUES = MappingProxyType(
    {
        "square": ("rectangle",),
        "grid": ("rectangle",),
        "hex": ("hexagon",),
        "hexagonal": ("hexagon",),
        "diamond": ("rhombus",),
        "triangular": ("triangle",),
        "hexagons": ("staggered", "hexagon"),
        "brick": ("staggered",),
        "offset": ("staggered",),
        "cube": ("box",),
        "dots": ("mesh",),
        "edges": ("mesh",),
        "network": ("graph",),
        "torus": ("both",),
        "cylinder": ("columns",),
        "all": ("both",),
        "int": ("integer", "number"),
        "integer": ("number",),
        "number": ("integer", "numbers"),
        "bool": ("flag",),
        "boolean": ("flag",),
        "set": ("cells",),
        "player": ("side",),
        "side": ("player",),
        "digits": ("numbers",),
        "uppercase": ("capitals",),
        "ply": ("move",),
        "yes": ("true",),
        "no": ("false",),
    }
)


def suggest_key(key: str, known: tuple[str, ...]) -> str:
    """Return a `Suggestion` for an unknown key, or an empty text."""
    if help := did_you_mean(key, known):
        return help
    tried = key.lower().replace("-", "_").replace(" ", "_")
    if tried in known:
        return Suggestion(f"did you mean `{tried}`?", tried)
    near = (
        tried
        if tried in _OTHER_KEYS
        else str(getattr(did_you_mean(tried, list(_OTHER_KEYS)), "write", ""))
    )
    meant = next((k for k in _OTHER_KEYS.get(near, ()) if k in known), "")
    return Suggestion(f"did you mean `{meant}`?", meant) if meant else ""


def suggest_value(text: str, known: tuple[str, ...]) -> str:
    """Return a `Suggestion` for a value that is not in a list, or an empty text."""
    if help := did_you_mean(text, known):
        return help
    low = text.lower().replace("_", "-").replace(" ", "-")
    meant = low if low in known else next((v for v in _OTHER_VALUES.get(low, ()) if v in known), "")
    return Suggestion(f"did you mean `{meant}`?", meant) if meant else ""


def key_of_other_steps(mapping: Node, entry: Entry, known: tuple[str, ...]) -> str:
    """Return a `Suggestion` to remove a key of moves from branches of chance, or the reverse."""
    of_moves, of_branches = {"forbid", "then"} & {*known}, "weight" in known
    if of_branches and entry.key in _OF_MOVES:
        help = f"`{entry.key}` is a key of moves, not of branches: leave it out"
    elif of_moves and entry.key == "weight":
        help = "`weight` is a key of the branches of `chance`: leave it out"
    else:
        return ""
    return suggest_removal(mapping, entry, help)


def as_name(key: str, pattern: str) -> str:
    """Return a `Suggestion` that makes a valid name of a text, or an empty text."""
    name = re.sub(r"[^a-z0-9_(), ]+|(?<=\w) (?=\w)", "_", key.lower()).strip("_")[:32]
    if name and name[0].isdigit():
        name = f"n{name}"[:32]
    if name and re.search(pattern, name) and name != key:
        return Suggestion(f"write `{name}`", name)
    return ""


def missing_keys(mapping: Node, keys: list[str], known: dict[str, Any], help: str) -> str:
    """Return the help with an edit that adds keys with values from the schema's examples."""
    values = [_example(known.get(key, {})) for key in keys]
    if not isinstance(mapping, Mapping) or not all(values):
        return help
    flow = mapping.span.text.startswith("{")
    entries = [f"{key}: {value}" for key, value in zip(keys, values, strict=True)]
    span, write = with_entry(mapping, (", " if flow else "\n").join(entries))
    return Suggestion("add " + ", ".join(f"`{entry}`" for entry in entries), write, span)


def suggest_removal(mapping: Node, entry: Entry, help: str) -> str:
    """Return the help with an edit that removes an entry."""
    if not isinstance(mapping, Mapping):
        return help
    span, write = without_entry(mapping, entry)
    return Suggestion(help or f"leave `{entry.key}` out", write, span)


def missing_value(node: Scalar, schema: dict[str, Any], help: str) -> str:
    """Return the help with an edit that inserts an example of the schema as the value."""
    value = _example(schema)
    if not value or help:
        return help
    at, text = node.span.start, node.span.source.text
    blank = "" if text[at - 1 : at].isspace() else " "
    return Suggestion(f"for example `{value}`", blank + value, Span(node.span.source, at, at))


def other_form(node: Scalar, schema: dict[str, Any], key: str) -> str:
    """Rewrite a scalar as a list or a map if the schema requires one; else an empty text."""
    text, kind = node.text.text.strip(), schema.get("type")
    words = re.findall(r"[^\s,]+", text)
    if key == "board" and (size := re.fullmatch(r"(\d+)\s*(?:[x×*,]|by)?\s*(\d*)", text)):
        write = f"{{rows: {size[1]}, columns: {size[2] or size[1]}}}"
        return Suggestion(f"write `{write}`", write)
    listed = "[" + ", ".join(words) + "]"
    plain = words and all(re.fullmatch(r"[\w-]+", word) for word in words)
    if plain and (kind == "array" or key == "players"):
        return Suggestion(f"write `{listed}`", listed)
    required = schema.get("required", [])
    if kind == "object" and len(required) == 1 and re.fullmatch(r"\w+", text):
        write = f"{{{required[0]}: {text}}}"
        return Suggestion(f"write `{write}`", write)
    if kind == "boolean" and (help := suggest_value(text, ("true", "false"))):
        return help
    return ""


def as_number(help: str) -> str:
    """Return `write 12, not 012` with its edit."""
    match = re.match(r"write (-?[0-9]+)", help)
    return Suggestion(help, match[1]) if match else help


def as_text(node: Mapping) -> str:
    """Quote `{to}`, which is a map in YAML; or return an empty text."""
    written = node.span.text
    if not re.fullmatch(r"\{[^{}:,\n]+\}", written):
        return ""
    return Suggestion(f"put it in quotes: {quoted(written)}", quoted(written), node.span)


def as_joined(node: Sequence) -> str:
    """Join the items of a list on one line by `-`, as those of a track; else return nothing."""
    texts = [item.text.text for item in node.items if isinstance(item, Scalar)]
    if len(texts) < len(node.items) or not node.span.text.startswith("["):
        return ""
    joined = "-".join(texts)
    return Suggestion(f"write `{joined}`", joined, node.span)


def as_choice(node: Sequence, group: Node | None) -> str:
    """Suggest a choice among the kinds that `place` lists; for a list on one line, an edit."""
    help = "to choose among kinds of piece, write `place: choice` and `choice: [A, B]`"
    span = node.span
    has_choice = isinstance(group, Mapping) and group.get("choice") is not None
    if has_choice or not span.text.startswith("["):
        return help
    line = span.source.text[: span.start].rpartition("\n")[2]
    own_line = re.fullmatch(r"[ -]*place: *", line)
    separator = f"\n{' ' * line.index('place')}" if own_line else ", "
    return Suggestion(help, f"choice{separator}choice: {span.text}", span)


def as_symbol(node: Node) -> str:
    """Suggest the first character of a text that is too long for a symbol."""
    if not isinstance(node, Scalar) or not node.text.text.strip():
        return ""
    char = node.text.text.strip()[0]
    write = char if char.isalpha() else quoted(char)
    return Suggestion(f"a symbol is one character, such as `{char}`", write)


def _example(schema: dict[str, Any]) -> str:
    """Return the first example of a schema as YAML on one line, or an empty text."""
    examples = schema.get("examples") or [None]
    return _flow(examples[0]) if examples[0] is not None else ""


def _flow(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{k}: {_flow(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_flow, value)) + "]"
        case str():
            plain = re.fullmatch(r"[A-Za-z][\w ()-]*", value) and plain_value(value) == value
            return value if plain else quoted(value)
    return json.dumps(value)
