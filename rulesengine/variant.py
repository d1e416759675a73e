"""The text of a spec that is another one transformed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

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


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
