"""Sets of cells of a file of variants, as expressions of the spec language."""

import re
from string import ascii_lowercase

from rulesengine.errors import UsageError

CellSet = frozenset[tuple[int, int]]  # columns and rows from 0


def cell_name(cell: tuple[int, int]) -> str:
    """Return the name of a cell."""
    return f"{ascii_lowercase[cell[0]]}{cell[1] + 1}"


def read_cells(text: str, columns: int, rows: int) -> CellSet:
    """Return the cells of a text such as `d4 *8 a*`, those on the board. Raises UsageError."""
    cells = set()
    for word in text.split():
        if word == "-":
            continue
        if re.fullmatch(r"\*[0-9]{1,2}", word):
            cells |= {(column, int(word[1:]) - 1) for column in range(columns)}
        elif re.fullmatch(r"[a-zA-Z]\*", word):
            cells |= {(ascii_lowercase.index(word[0].lower()), row) for row in range(rows)}
        elif re.fullmatch(r"[a-zA-Z][0-9]{1,2}", word):
            cells.add((ascii_lowercase.index(word[0].lower()), int(word[1:]) - 1))
        else:
            raise UsageError(
                f"--from-ini: expected cells such as `d4` or `*8`, found `{word[:20]}`"
            )
    return frozenset(cell for cell in cells if cell[0] < columns and 0 <= cell[1] < rows)


def cells_text(cells: CellSet, columns: int, rows: int) -> str:
    """Return an expression for a set of cells."""
    if not cells:
        return "nowhere"
    if len(cells) == columns * rows:
        return "all"
    full = [row for row in range(rows) if all((c, row) in cells for c in range(columns))]
    parts = [f"rows({span})" for span in _spans(full)]
    other_cells = {cell for cell in cells if cell[1] not in full}
    if other_cells:
        parts += _block(other_cells) or [cell_name(cell) for cell in sorted(other_cells)]
    return " or ".join(parts)


def _block(cells: set[tuple[int, int]]) -> list[str]:
    """Return an expression for a rectangle of three cells or more; empty for other sets."""
    columns, rows = sorted({c for c, _ in cells}), sorted({r for _, r in cells})
    if len(cells) < 3 or len(columns) * len(rows) != len(cells):
        return []
    wide = [f"columns({span})" for span in _spans(columns)]
    high = [f"rows({span})" for span in _spans(rows)]
    text = f"{_joined(wide)} and {_joined(high)}"
    return [text]


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def _spans(numbers: list[int]) -> list[str]:
    """Return runs of numbers from 0 as ranges from 1."""
    texts: list[str] = []
    start = 0
    while start < len(numbers):
        end = start
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1:
            end += 1
        low, high = numbers[start] + 1, numbers[end] + 1
        texts.append(str(low) if low == high else f"{low} to {high}")
        start = end + 1
    return texts
