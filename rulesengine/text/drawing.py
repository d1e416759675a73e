"""The printed board, by the templates of the spec's `drawing`."""

import re

from rulesengine.ir.program import Program
from rulesengine.state import State


def draw(program: Program, state: State) -> str:
    """The lines of the board, without a last newline.

    A cell that is not there is a blank. Rows that are shifted by half a cell are indented where
    `gap` leaves room for it.
    """
    drawing, board = program.rules.drawing, program.topology
    columns = {"columns": drawing.gap.join(board.column_labels)}
    lines = [_filled(drawing.top, columns)] if drawing.top else []
    width = 1 + len(drawing.gap)
    for line, (label, cells) in enumerate(zip(board.row_labels, state.form.lines, strict=True)):
        places = {board.screen[cell][1]: state.symbol(cell) for cell in cells}
        row = drawing.gap.join(places.get(i, " ") for i in range(max(places, default=-1) + 1))
        indent = " " * (board.indents[line] * width // 2 if drawing.gap else 0)
        lines.append(_filled(drawing.row, {"label": label, "cells": indent + row}))
    if drawing.bottom:
        lines.append(_filled(drawing.bottom, columns))
    return "\n".join(lines)


def _filled(template: str, values: dict[str, str]) -> str:
    """A template with `{name}`, or `{name:width}` put at the right, `{name:<width}` at the left."""

    def value(match: re.Match[str]) -> str:
        text, form = values[match[1]], match[2] or ""
        number = int(form.lstrip("<") or 0)
        return text.ljust(number) if form.startswith("<") else text.rjust(number)

    return re.sub(r"\{(" + "|".join(values) + r")(?::(<?[0-9]{1,3}))?\}", value, template)
