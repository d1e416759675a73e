"""Parsing of texts that are no legal move, for explanations: the cells that they name."""

import re

from rulesengine.errors import NotationError
from rulesengine.language.ir.program import Program

_SHOWN = 40
_PLAIN_CELL = re.compile(r"([a-z]+)([0-9]+)")


def read_cells(program: Program, text: str, legal: str = "") -> tuple[int, ...]:
    """Parse the cells in a text with the characters of the game's notation, in order.

    At each place the longest name matches; a choice, after `=`, is ignored. Raises NotationError
    for any other character and for a text without cells; it names a cell that does not exist, and
    the move `legal` as an example.
    """
    names = sorted(program.topology.names, key=len, reverse=True)
    token = re.compile("|".join(map(re.escape, names)))
    signs = _signs(program)
    cells, at = list[int](), 0
    end = len(text.partition("=")[0])
    while at < end:
        match = token.match(text, at, end)
        if match is None and text[at] not in signs:
            raise _unknown(program, text, legal)
        if match is not None:
            cells.append(program.topology.names.index(match[0]))
        at = match.end() if match else at + 1
    if not cells:
        raise _unknown(program, text, legal)
    return tuple(cells)


def shorten_text(text: str) -> str:
    """Return a text of a user shortened and without unprintable characters."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"


def _signs(program: Program) -> set[str]:
    """Return the characters between cells; `x` and `/` precede a selected or placed cell."""
    notation = program.rules.notation
    forms = (notation.place, notation.move, notation.capture, "-x/ ")
    return {c for form in forms for c in re.sub(r"\{[a-z]+\}", "", form)}


def _unknown(program: Program, text: str, legal: str) -> NotationError:
    example = f"a legal move is `{legal}`"
    if not legal:
        example = f"cells are called like `{program.topology.names[0]}`"
    missing = _missing_cell(program, text)
    reason = f"{missing}; {example}" if missing else example
    return NotationError(f"`{shorten_text(text)}` names no move: {reason}")


def _missing_cell(program: Program, text: str) -> str:
    """Describe the first cell in a text that the board does not have, or return an empty text.

    Only names that are letters and a number are recognised.
    """
    parts = [_PLAIN_CELL.fullmatch(name) for name in program.topology.names]
    plain = [part.groups() for part in parts if part]
    if len(plain) < len(parts):
        return ""
    columns, rows = (set(names) for names in zip(*plain, strict=True))
    most = max(map(len, columns))
    for column, row in re.findall(rf"([a-z]{{1,{most}}})([0-9]+)", text.lower()):
        if (column, row) not in plain:
            inside = column in columns and row in rows
            is_hole = inside and program.topology.shape == "rectangle"
            name = shorten_text(column + row)
            return f"`{name}` is a hole of the board" if is_hole else f"there is no cell `{name}`"
    return ""
