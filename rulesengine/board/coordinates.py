"""Names of rows, columns and cells: labels for numbers, and templates for cells."""

import re
from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase
from types import MappingProxyType

from rulesengine.board.topology import BoardError
from rulesengine.support.frozen import record

_ALPHABETS = MappingProxyType(
    {
        "letters": ascii_lowercase,
        "capitals": ascii_uppercase,
        "letters-without-i": ascii_lowercase.replace("i", ""),
        "capitals-without-i": ascii_uppercase.replace("I", ""),
    }
)
LABELS = (*_ALPHABETS, "numbers")
_FIELD = re.compile(r"\{((?:screen_)?(?:row|column)|corners)\}")
_CORNERS = "{corners}"


@record
class CellNames:
    """A naming style for cells, by default `a1`.

    `rows` and `columns` are one of `LABELS`, or labels with blanks between them. `cell` is a
    template with `{row}` and `{column}`, counted from the origin, and `{screen_row}` and
    `{screen_column}`, from the top left of the printed board. `{corners}`, for a mesh, counts
    points only: a place is named after its point, or after the first and the last point that it
    touches. Raises BoardError for another word, another field, or a template with a blank. See
    decision 172.

    >>> CellNames().name((2, 3), (1, 3))
    'c2'
    >>> CellNames(rows="letters", cell="{row}{screen_column}").name((2, 3), (1, 5))
    'be'
    >>> CellNames(cell="{corners}").name((3, 4), (1, 1))
    'b2-c2'
    """

    rows: str = "numbers"
    columns: str = "letters"
    cell: str = "{column}{row}"

    def __post_init__(self) -> None:
        for labels in (self.rows, self.columns):
            if len(words := labels.split()) > 1:
                if len({*words}) < len(words):
                    raise BoardError(f"two labels of `{labels}` are equal", "labels", labels)
            elif labels not in LABELS:
                known = ", ".join(f"`{name}`" for name in LABELS[:-1])
                message = f"expected {known} or `{LABELS[-1]}`, found `{labels}`"
                raise BoardError(message, "notation")
        literal_text = _FIELD.sub("", self.cell)
        if "{" in literal_text or "}" in literal_text:
            message = (
                "the name of a cell takes `{row}`, `{column}`, `{screen_row}`, `{screen_column}`"
            )
            raise BoardError(message, "cell")
        if any(c.isspace() for c in literal_text) or not self.cell:
            raise BoardError("the name of a cell is one word, without blanks", "cell")

    def row(self, number: int) -> str:
        """Return the label of a row, counted from 1."""
        return self._label(number, self.rows)

    def column(self, number: int) -> str:
        """Return the label of a column, counted from 1."""
        return self._label(number, self.columns)

    def _label(self, number: int, labels: str) -> str:
        """Return a label; with `{corners}`, only rows and columns of points have one."""
        if _CORNERS not in self.cell:
            return label(number, labels)
        return label(number // 2 + 1, labels) if number % 2 else ""

    def _corners(self, row: int, column: int) -> str:
        """Return the name of a place of a mesh after its first and its last point."""
        ends = ((row // 2 + i, column // 2 + j) for i, j in ((row % 2, column % 2), (1, 1)))
        names = (label(c, self.columns) + label(r, self.rows) for r, c in ends)
        return "-".join(dict.fromkeys(names))

    def name(self, place: tuple[int, int], screen: tuple[int, int]) -> str:
        """Return the name of the cell at a place of the board and of the screen, from (1, 1)."""
        labels = {
            "row": self.row(place[0]),
            "column": self.column(place[1]),
            "screen_row": self.row(screen[0]),
            "screen_column": self.column(screen[1]),
            "corners": self._corners(*place[:2]),
        }
        return _FIELD.sub(lambda field: labels[field[1]], self.cell)


def label(number: int, labels: str) -> str:
    """Return a number in one of `LABELS`: digits, or letters from a to z, aa, ab and so on.

    Of labels with blanks between them, return that of the number. Raises BoardError for a number
    without a label.

    >>> label(9, "letters"), label(9, "letters-without-i"), label(26, "capitals-without-i")
    ('i', 'j', 'AA')
    >>> label(2, "C D H S")
    'D'
    """
    if " " in labels:
        words = labels.split()
        if not 1 <= number <= len(words):
            message = f"`{labels}` has no label {number}; it takes one for each row or column"
            raise BoardError(message, "labels", labels)
        return words[number - 1]
    if labels == "numbers":
        return str(number)
    return letters(number, _ALPHABETS[labels])


def letters(number: int, alphabet: str = ascii_lowercase) -> str:
    """Return a number of at least 1 in the letters of an alphabet.

    >>> letters(1), letters(26), letters(27), letters(703)
    ('a', 'z', 'aa', 'aaa')
    """
    text = ""
    while number > 0:
        number, digit = divmod(number - 1, len(alphabet))
        text = alphabet[digit] + text
    return text


def number_of_letters(text: str) -> int:
    """Return the number of a label in small letters.

    >>> number_of_letters("a"), number_of_letters("z"), number_of_letters("aaa")
    (1, 26, 703)
    """
    number = 0
    for letter in text:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number


def nearest_cell(name: str, names: Sequence[str]) -> str:
    """Return the cell nearest to a name off the board, for names such as `a1`; else an empty text.

    >>> nearest_cell("d9", ("a1", "b1", "a2", "b2"))
    'b2'
    """
    wanted, places = _place(name), {other: _place(other) for other in names}
    if not wanted or not all(places.values()):
        return ""

    def distance(other: str) -> int:
        return sum(abs(a - b) for a, b in zip(wanted, places[other], strict=True))

    return min(names, key=distance, default="")


def _place(name: str) -> tuple[int, ...]:
    """Return column and row of a name such as `c4`; an empty tuple for another form."""
    match = re.fullmatch(r"([a-z]{1,2})([0-9]{1,3})", name)
    if match is None:
        return ()
    return number_of_letters(match[1]), int(match[2])
