"""The initial position of a variant, from its text in Forsyth-Edwards notation."""

import re
from string import digits

from rulesengine.errors import UsageError
from rulesengine.support.frozen import record
from rulesengine.tools.variants_ini.variant import Variant

_PIECE = re.compile(r"[0-9]+|\+?[A-Za-z]~?|.")


@record
class InitialPosition:
    """The initial position.

    - `rows` are the rows of symbols from the top; a `.` is an empty cell.
    - `rights` are the letters of castling, empty for none.
    - `hand` are the letters of the pieces in hand, capital for White.
    - `omissions` are the parts of the text that the spec does not express.
    """

    rows: tuple[str, ...]
    rights: str
    hand: str
    omissions: tuple[str, ...]

    def symbol(self, column: int, row: int) -> str:
        """Return the symbol of a cell; both numbers are from 0."""
        return self.rows[len(self.rows) - 1 - row][column]


def read_position(variant: Variant) -> InitialPosition:
    """Return the initial position. Raises UsageError for a text that does not fit the board."""
    text = variant.text("startFen")
    board, *fields = text.split()
    omissions, hand = [], ""
    if match := re.search(r"\[([^\]]*)\]", board):
        board = board[: match.start()] + board[match.end() :]
        hand = match[1].strip("-")
    forms = {kind.fen: kind.letter for kind in variant.kinds if kind.fen}
    forms |= {fen.upper(): letter.upper() for fen, letter in forms.items()}
    rows = []
    for row in board.split("/"):
        symbols = ""
        for token in _PIECE.findall(row):
            symbols += "." * int(token[:3]) if token[0] in digits else forms.get(token, token)
        rows.append(symbols)
    known = "".join(kind.letter for kind in variant.kinds)
    if [len(row) for row in rows] != [variant.columns] * variant.rows:
        raise UsageError(f"--from-ini: startFen is no board of {variant.columns}x{variant.rows}")
    others = {s for row in rows for s in row if s != "." and s.lower() not in known}
    if others:
        omissions.append(f"startFen: signs {' '.join(sorted(others))}")
        rows = ["".join("." if s in others else s for s in row) for row in rows]
    if fields[:1] == ["b"]:
        omissions.append("startFen: black moves first")
    rights = fields[1] if len(fields) > 1 and re.fullmatch(r"[A-Za-z]+", fields[1]) else ""
    return InitialPosition(tuple(rows), rights, hand, tuple(omissions))
