"""The printed board, by the templates of the spec's `drawing`."""

from rulesengine.ir.program import Program
from rulesengine.state import State


def draw(program: Program, state: State) -> str:
    """The lines of the board, without a last newline."""
    drawing, board = program.rules.drawing, program.topology
    columns = drawing.gap.join(board.column_labels)
    lines = [drawing.top.replace("{columns}", columns)] if drawing.top else []
    for label, cells in zip(board.row_labels, state.form.lines, strict=True):
        symbols = drawing.gap.join(state.symbol(cell) for cell in cells)
        lines.append(drawing.row.replace("{label}", label).replace("{cells}", symbols))
    if drawing.bottom:
        lines.append(drawing.bottom.replace("{columns}", columns))
    return "\n".join(lines)
