"""How rows, columns and cells are called: numbers in, labels and names out."""

from dataclasses import dataclass

from rulesengine.board.topology import BoardError

LABELS = ("letters", "capitals", "numbers")


@dataclass(frozen=True, slots=True)
class CellNames:
    """A style of naming cells: `a1` unless it says otherwise.

    `rows` and `columns` are "letters", "capitals" or "numbers"; `cell` is a template with
    `{row}` and `{column}`. Raises BoardError for another word, another field, or a template
    with a blank.

    >>> CellNames().name(2, 3)
    'c2'
    >>> CellNames(rows="letters", cell="{row}{column}").name(2, 3)
    'bc'
    """

    rows: str = "numbers"
    columns: str = "letters"
    cell: str = "{column}{row}"

    def __post_init__(self) -> None:
        for labels in (self.rows, self.columns):
            if labels not in LABELS:
                raise BoardError(f"expected `letters`, `capitals` or `numbers`, found `{labels}`")
        rest = self.cell.replace("{row}", "").replace("{column}", "")
        if "{" in rest or "}" in rest:
            raise BoardError("the name of a cell takes `{row}` and `{column}` only")
        if any(c.isspace() for c in rest) or not self.cell:
            raise BoardError("the name of a cell is one word, without blanks")

    def row(self, number: int) -> str:
        """The label of a row, counted from 1."""
        return label(number, self.rows)

    def column(self, number: int) -> str:
        """The label of a column, counted from 1."""
        return label(number, self.columns)

    def name(self, row: int, column: int) -> str:
        """The name of the cell at a row and a column, both counted from 1."""
        named = self.cell.replace("{row}", self.row(row))
        return named.replace("{column}", self.column(column))


def label(number: int, labels: str) -> str:
    """A number from 1 on in figures or in letters, small or capital: a to z, aa, ab and so on."""
    if labels == "numbers":
        return str(number)
    return letters(number).upper() if labels == "capitals" else letters(number)


def letters(number: int) -> str:
    """A number from 1 on in letters.

    >>> letters(1), letters(26), letters(27), letters(703)
    ('a', 'z', 'aa', 'aaa')
    """
    text = ""
    while number > 0:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text
