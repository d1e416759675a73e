r"""A graph board as text, drawn by its coordinates: cells, and edges as `-`, `|`, `/` and `\`."""

import re
from collections.abc import Sequence

from rulesengine.board.topology import Topology
from rulesengine.drawing import as_grid, place_cells

_MOST = 150  # cells; a larger graph is not drawn
_ACROSS = 4  # columns between neighbouring grid points; the lines are half as many

Canvas = list[list[str]]


def graph_lines(board: Topology, texts: Sequence[str], marked: frozenset[int]) -> list[str]:
    """Draw the graph, with marked cells in brackets; return no lines if it has too many cells."""
    if board.cells > _MOST:
        return []
    points = place_cells(board)
    grid = as_grid(board, points)
    wide = len(_plain(texts[0]))
    longest = 0 if grid else max(map(len, board.names))
    below = bool(longest) and not any(board.adjacency)
    step = max(longest, wide + 2) + 1 if below else _ACROSS + 2 * bool(longest)
    rows = 3 if below else step / 2
    at = [(round(x * step) + max(wide, longest), round(y * rows)) for x, y in points]
    canvas = _canvas(at, 3 + longest)
    for cell, place in enumerate(at):
        for other in range(cell):
            if board.adjacency[cell] >> other & 1:
                _line(canvas, place, at[other])
    for cell, (x, y) in enumerate(at):
        left, right = "()" if cell in marked else "  "
        name = "" if below or grid else board.names[cell]
        _write(canvas, x - wide, y, f"{left}{' ' * wide}{right}{name}", over=bool(name))
        canvas[y][x - wide + 1 : x + 1] = _coloured(texts[cell])
        if below:
            _write(canvas, x + 1 - longest, y + 1, board.names[cell].rjust(longest), over=False)
    lines = ["".join(row).rstrip() for row in canvas]
    while not lines[-1]:
        lines.pop()
    return _with_labels(lines, grid, max(wide, longest)) if grid else lines


def _plain(text: str) -> str:
    return re.sub("\x1b\\[[0-9]*m", "", text)


def _coloured(text: str) -> list[str]:
    """Split a coloured text into characters; the colour sequences are part of the first and last
    one.
    """
    plain = list(_plain(text))
    before, _, after = text.partition("".join(plain))
    plain[0] = before + plain[0]
    plain[-1] += after
    return plain


def _canvas(at: Sequence[tuple[int, int]], more: int) -> Canvas:
    width = max(x for x, _ in at) + more
    return [[" "] * width for _ in range(max(y for _, y in at) + 2)]


def _write(canvas: Canvas, x: int, y: int, text: str, *, over: bool) -> None:
    """Write a text from a column on; its blanks are transparent unless `over` is set."""
    for i, sign in enumerate(text):
        if sign != " " or over:
            canvas[y][x + i] = sign


def _line(canvas: Canvas, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw an edge; where two edges cross, the first one drawn is kept."""
    (x, y), (u, v) = start, end
    steps = max(abs(u - x), abs(v - y))
    sign = "-" if y == v else "|" if abs(u - x) <= abs(v - y) // 2 else "/\\"[(u - x) * (v - y) > 0]
    for i in range(1, steps):
        column, line = round(x + (u - x) * i / steps), round(y + (v - y) * i / steps)
        if canvas[line][column] == " ":
            canvas[line][column] = sign


def _with_labels(
    lines: Sequence[str], grid: tuple[dict[float, str], dict[float, str]], first: int
) -> list[str]:
    """Add row labels at the left and column labels below; `first` is the position of the first
    column.
    """
    rows = {round(y * _ACROSS / 2): text for y, text in grid[1].items()}
    margin = max(map(len, rows.values()))
    foot = [" "] * (max(round(x * _ACROSS) for x in grid[0]) + first + 1)
    for x, text in grid[0].items():
        foot[round(x * _ACROSS) + first] = text
    shown = [f"{rows.get(i, ''):>{margin}} {line}".rstrip() for i, line in enumerate(lines)]
    return [*shown, " " * (margin + 1) + "".join(foot)]
