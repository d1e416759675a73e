"""Layout of board diagrams in block scalars: aligned rows and normalised fields below them."""

import re

from rulesengine.language.document.nodes import Document, Mapping, Scalar
from rulesengine.tools.format.key_order import ITEM, Path

_PLACES = (
    ("start",),
    ("with", "start"),
    ("with", ITEM, "start"),
    ("tests", ITEM, "position"),
    ("tests", ITEM, "board"),
    ("picture", "position"),
)
_FIELD = re.compile(r"\s*([a-z][a-z0-9_ ]*?)\s*:\s+(\S.*?)\s*")


def is_diagram(node: Scalar, path: Path) -> bool:
    """True if a value is a board diagram; blanks in it have no meaning."""
    return path in _PLACES and node.style == "literal"


def keeps_shifts(document: Document) -> bool:
    """True if rows may be shifted against each other, as on boards that are not rectangles."""
    board = document.root.get("board")
    shape = board.get("shape") if isinstance(board, Mapping) else None
    if isinstance(shape, Scalar):
        return shape.text.text not in ("rectangle", "box")
    return document.root.entry("extends") is not None


def aligned(text: str, *, shifts: bool) -> str:
    """Align the rows of a diagram and space them equally.

    With `shifts` the rows keep their relative indentation, as those of a hexagon need it.
    """
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    count = next((i for i, line in enumerate(lines) if _FIELD.fullmatch(line)), len(lines))
    rows, fields = lines[:count], lines[count:]
    shown = _dedented(rows) if shifts else _spaced([row.strip() for row in rows])
    return "".join(f"{line}\n" for line in [*shown, *map(_field, fields)])


def meaning(text: str) -> tuple[str, ...]:
    """Return the contents of a diagram: its rows without blanks, and the lines below them."""
    return tuple("".join(line.split()) for line in text.split("\n") if line.strip())


def _dedented(rows: list[str]) -> list[str]:
    least = min((len(row) - len(row.lstrip()) for row in rows if row), default=0)
    return [row[least:] for row in rows]


def _spaced(rows: list[str]) -> list[str]:
    """Put one blank between symbols in all rows if most rows have blanks, otherwise none."""
    signs = [row.split() for row in rows]
    if any(len(sign) > 1 for row in signs if len(row) > 1 for sign in row):
        return rows
    spread = sum(len(row) > 1 for row in signs)
    close = sum(len(row) == 1 and len(row[0]) > 1 for row in signs)
    return [(" " if spread > close else "").join("".join(row)) for row in signs]


def _field(line: str) -> str:
    match = _FIELD.fullmatch(line)
    return f"{' '.join(match[1].split())}: {match[2]}" if match else line.strip()
