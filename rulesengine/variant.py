"""The text of a spec that is another one transformed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rulesengine.errors import UsageError
from rulesengine.files import read_source
from rulesengine.source import Source

if TYPE_CHECKING:
    from pathlib import Path

# `"misere"`, or a map from a name to what the transform is given, `{"size": 6}`.
Transform = str | Mapping[str, object]


def variant(path: "str | Path", bundled: bool, transforms: Sequence[Transform]) -> Source:
    """The text of a spec that extends another with transforms, in order.

    `path` is the name of a bundled spec or a file; the text lies in the folder of the file.
    """
    from pathlib import Path

    names = [t if isinstance(t, str) else ", ".join(t) for t in transforms]
    label = "--with " + " ".join(names).replace("/", " ")
    parent = str(path) if bundled else f"./{Path(path).name}"
    items = "".join(f"  - {_json(t if isinstance(t, str) else dict(t))}\n" for t in transforms)
    text = f"extends: {_json(parent)}\nwith:\n{items}"
    return Source(label if bundled else str(Path(path).parent / label), text)


def read_transform(text: str) -> Transform:
    """The transform of a text: `NAME`, `NAME=VALUE` or `NAME.KEY=VALUE`. Raises UsageError.

    The value of `start` is a file that holds the position.
    """
    name, equals, value = text.partition("=")
    name, dot, key = name.partition(".")
    if not name or (dot and not key) or bool(equals) != bool(value) or (dot and not equals):
        raise UsageError("--with: expected NAME, NAME=VALUE or NAME.KEY=VALUE")
    if not equals:
        return name
    if name == "start" and not key:
        return {name: read_source(value).text}
    digits = value.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 9
    given = int(value) if is_number else value
    return {name: {key: given} if key else given}


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
