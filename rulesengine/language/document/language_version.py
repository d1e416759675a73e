"""The language version that a spec declares."""

import re

from rulesengine.language.document.nodes import Mapping, Scalar
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.source import Source, Span

VERSION = 1

_LINE = re.compile(r"^spec: *([1-9][0-9]{0,8}) *(?:#.*)?$", re.MULTILINE)


def newer(source: Source, root: Mapping | None) -> Diagnostic | None:
    """Return a diagnostic if a spec needs a newer version, whatever else it contains.

    The root is None if the text cannot be parsed; then a line such as `spec: 2` decides.
    """
    version = _declared_version(root) if root else _guessed(source)
    if version is None or version[0] <= VERSION:
        return None
    message = "this file needs a newer version of rulesengine"
    help = Suggestion(f"this one reads `spec: {VERSION}`", str(VERSION))
    return Diagnostic("newer-spec", version[1], message, help)


def _declared_version(root: Mapping) -> tuple[int, Span] | None:
    value = root.get("spec")
    if isinstance(value, Scalar) and isinstance(value.value, int):
        return value.value, value.span
    return None


def _guessed(source: Source) -> tuple[int, Span] | None:
    line = _LINE.search(source.text)
    return (int(line[1]), Span(source, *line.span(1))) if line else None
