"""The text of a spec that applies transforms to another spec."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rulesengine.support.resources import find_parent
from rulesengine.support.source import Source

if TYPE_CHECKING:
    from pathlib import Path

# `"misere"`, or a map from a name to the argument of the transform, `{"size": 6}`.
Transform = str | Mapping[str, object]
Find = Callable[[str, Source], Source]


def variant(path: "str | Path", bundled: bool, transforms: Sequence[Transform]) -> Source:
    """Build the text of a spec that extends another with transforms, in order.

    `path` is the name of a bundled spec or a file; the text lies in the folder of the file.
    """
    from pathlib import Path

    parent = str(path) if bundled else f"./{Path(path).name}"
    label = _label(transforms)
    name = label if bundled else str(Path(path).parent / label)
    return Source(name, _text(parent, transforms))


def variant_of(source: Source, transforms: Sequence[Transform]) -> tuple[Source, Find]:
    """Build the same from a spec that exists only as text; also return a finder of its parents."""
    made = Source(_label(transforms), _text(source.name, transforms))

    def find(name: str, child: Source) -> Source:
        return source if child is made else find_parent(name, child)

    return made, find


def _label(transforms: Sequence[Transform]) -> str:
    names = [t if isinstance(t, str) else ", ".join(t) for t in transforms]
    return "--with " + " ".join(names).replace("/", " ")


def _text(parent: str, transforms: Sequence[Transform]) -> str:
    items = "".join(f"  - {_json(t if isinstance(t, str) else dict(t))}\n" for t in transforms)
    return f"extends: {_json(parent)}\nwith:\n{items}"


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
