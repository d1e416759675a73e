"""Sets of cells from drawings of a board: `#` marks a cell of the set, `.` any other cell.

Capital letters mark several sets in one drawing.
"""

import string
from collections.abc import Mapping, Sequence
from typing import Final

from rulesengine.board.topology import BoardError, Topology

IN: Final = "#"
OUT: Final = "."
CAPITALS: Final = string.ascii_uppercase


def is_drawn(text: str) -> bool:
    """True if a block text is a drawing; no expression begins with one of its signs."""
    return text.lstrip()[:1] in (IN, OUT, *CAPITALS)


def rows_of(text: str) -> tuple[str, ...]:
    """Return the rows of a drawing, without blanks."""
    rows = ("".join(line.split()) for line in text.splitlines())
    return tuple(row for row in rows if row)


def parts_of(name: str, rows: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Return the drawings of a set and of its parts by name: `NAME_a` has the cells marked `A`."""
    used = sorted({sign for row in rows for sign in row if sign in CAPITALS})
    drawings = {name: _with(rows, {IN, *used})}
    return drawings | {f"{name}_{sign.lower()}": _with(rows, {sign}) for sign in used}


def _with(rows: tuple[str, ...], signs: set[str]) -> tuple[str, ...]:
    """Return a drawing of the cells with these signs; unknown signs are left unchanged."""
    of = {sign: IN if sign in signs else OUT for sign in (IN, *CAPITALS)}
    return tuple("".join(of.get(sign, sign) for sign in row) for row in rows)


def drawn_cells(board: Topology, rows: Sequence[str], key: str, word: str = "") -> int:
    """Return the mask of the drawn cells; raises BoardError, with key, word, row and sign."""
    lines: dict[int, list[int]] = {}
    for cell, (line, _) in enumerate(board.screen):
        lines.setdefault(line, []).append(cell)
    if len(rows) != len(lines):
        message = f"the board has {len(lines)} rows, the drawing {len(rows)}"
        raise BoardError(message, key, word, expected=len(lines))
    mask = 0
    for number, (row, (_, cells)) in enumerate(zip(rows, sorted(lines.items()), strict=True), 1):
        if len(row) != len(cells):
            message = f"row {number} has {len(cells)} cells, found {len(row)}"
            raise BoardError(message, key, word, row=number, expected=len(cells))
        for column, (sign, cell) in enumerate(zip(row, cells, strict=True), 1):
            if sign not in (IN, OUT):
                message = f"row {number}, column {column}: a cell is drawn as `{IN}` or `{OUT}`"
                raise BoardError(f"{message}, found `{sign}`", key, word, row=number, sign=column)
            mask |= (sign == IN) << cell
    return mask
