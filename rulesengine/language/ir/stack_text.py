"""Boards of stacks as text: blanks separate the cells, a stack is written from the bottom up."""

from collections.abc import Iterator, Sequence

from rulesengine.state import Form


class StackTextError(Exception):
    """A drawing of stacks that does not fit the board.

    Row and cell count from 1, 0 is none. `at` is the index of a sign in the text of the cell.
    """

    def __init__(self, message: str, row: int = 0, place: int = 0, at: int = 0) -> None:
        super().__init__(message)
        self.row = row
        self.place = place
        self.at = at


def read_columns(form: Form, rows: Sequence[str]) -> Iterator[tuple[int, list[int]]]:
    """Yield the cells that are not empty, each with its planes from the bottom to the top.

    Raises StackTextError.
    """
    if len(rows) != len(form.lines):
        raise StackTextError(f"the board has {len(form.lines)} rows, found {len(rows)}")
    for number, (cells, row) in enumerate(zip(form.lines, rows, strict=True), start=1):
        words = [word for word in row.split() if word != form.hole or form.hole in form.symbols]
        if len(words) != len(cells):
            message = form.length_problem(number, len(words))
            raise StackTextError(message, number)
        for place, (cell, word) in enumerate(zip(cells, words, strict=True), start=1):
            if word != form.empty:
                yield cell, _column(form, word, number, place)


def _column(form: Form, word: str, row: int, place: int) -> list[int]:
    """Return the planes of the pieces of a stack, from the bottom to the top."""
    stacks, column = form.stacks, list[int]()
    assert stacks is not None
    location = f"row {row}, cell {place}"
    for at, symbol in enumerate(word):
        if symbol not in form.symbols:
            pieces = " ".join(filter(None, form.symbols))
            message = f"{location}: no piece `{symbol}`, expected some of {pieces}"
            raise StackTextError(message, row, place, at)
        column.append(form.symbols.index(symbol))
    if len(column) > stacks.height.high:
        message = (
            f"{location}: a stack has at most {stacks.height.high} pieces, found {len(column)}"
        )
        raise StackTextError(message, row, place, stacks.height.high)
    for at, plane in enumerate(column[:-1]):
        if plane not in stacks.codes:
            message = f"{location}: no piece can be on `{form.symbols[plane]}`"
            raise StackTextError(message, row, place, at + 1)
    return column
