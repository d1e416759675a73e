"""Printing of the board by the templates in `drawing` of the spec."""

import re
from collections.abc import Iterable, Sequence

from rulesengine.language.ir.program import Program
from rulesengine.state import State


def draw(program: Program, state: State) -> str:
    """Return the printed board as lines, without a final newline.

    A missing cell is a blank, or the `hole` of the spec. Rows shifted by half a cell are indented
    if `gap` leaves room for it.
    """
    template, cells = program.rules.drawing.cell, range(program.topology.cells)
    return arrange(program, [cell_text(template, state, cell) for cell in cells])


def arrange(program: Program, shown: Sequence[str]) -> str:
    """Return the printed board with a text for each cell."""
    drawing, board = program.rules.drawing, program.topology
    gap = drawing.gap or (" " if program.form.stacks else "")
    wide = max(map(len, shown))
    labels = [label.rjust(wide) for label in board.column_labels]
    columns = {"columns": gap.join(labels)}
    lines = [_filled(drawing.top, columns)] if drawing.top else []
    width = wide + len(gap)
    for line, (label, cells) in enumerate(zip(board.row_labels, program.form.lines, strict=True)):
        places = {board.screen[cell][1]: shown[cell].rjust(wide) for cell in cells}
        blank = drawing.hole.rjust(wide)
        last = len(labels) - 1 if blank.strip() and any(labels) else max(places, default=-1)
        row = gap.join(places.get(i, blank) for i in range(last + 1))
        indent = " " * (board.indents[line] * width // 2 if gap else 0)
        lines.append(_filled(drawing.row, {"label": label, "cells": indent + row}))
    if drawing.bottom:
        lines.append(_filled(drawing.bottom, columns))
    return "\n".join(lines)


def cell_text(template: str, state: State, cell: int) -> str:
    """Return the text of a cell by a template: the symbol of its piece, and its numbers."""
    symbol = state.stack(cell) or state.form.empty
    if template == "{symbol}":
        return symbol
    numbers = {n.name: str(n.at(cell, state.registers)) for n in state.form.numbers}
    return _filled(template, {"symbol": symbol, **numbers})


def cell_fields(template: str, names: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return the parts of a cell's template: a text, or a name with its width, else empty or 0.

    A negative width aligns to the left.
    """
    fields, end = [], 0
    for match in _fields(names).finditer(template):
        width = int((match[2] or "0").replace("<", "-"))
        fields += [(template[end : match.start()], "", 0), ("", match[1], width)]
        end = match.end()
    return [part for part in (*fields, (template[end:], "", 0)) if any(part)]


def _fields(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(r"\{(" + "|".join(names) + r")(?::(<?[0-9]{1,3}))?\}")


def _filled(template: str, values: dict[str, str]) -> str:
    """Fill a template with `{name}`, `{name:width}` (right-aligned) or `{name:<width}`
    (left-aligned).
    """

    def value(match: re.Match[str]) -> str:
        text, form = values[match[1]], match[2] or ""
        number = int(form.lstrip("<") or 0)
        return text.ljust(number) if form.startswith("<") else text.rjust(number)

    return _fields(values).sub(value, template)
