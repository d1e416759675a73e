"""The text of a spec as it is asked for: by a path or a name, and maybe transformed."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from rulesengine.files import read_source
from rulesengine.resources import bundled_file
from rulesengine.source import Source

if TYPE_CHECKING:
    from pathlib import Path

# `"misere"`, or a map from a name to what the transform is given, `{"size": 6}`.
Transform = str | Mapping[str, object]


def open_spec(path: "str | Path", transforms: Sequence[Transform] = ()) -> Source:
    """The text of a spec, found as `load` finds it. Raises UsageError."""
    text = str(path)
    is_file = isinstance(path, PathLike) or "/" in text or text.endswith(".yaml")
    source = read_source(_tidied(text) if is_file else bundled_file(text))
    if not transforms:
        return source
    return variant(path, not is_file, transforms)


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


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _tidied(path: str) -> str:
    """A path as `str(Path(path))` shows it; to load `pathlib` for a plain one takes too long."""
    if "./" not in path and "//" not in path and not path.endswith(("/", "/.")):
        return path
    from pathlib import Path

    return str(Path(path))
