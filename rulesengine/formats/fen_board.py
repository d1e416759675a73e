"""The board field of Forsyth-Edwards notation: rows of letters and run lengths."""

import re
from string import ascii_lowercase, ascii_uppercase

from rulesengine.errors import NotationError
from rulesengine.formats.options import letters_by_plane
from rulesengine.language.ir.program import Program
from rulesengine.notation.state_reader import require_few
from rulesengine.state import State

_RUN = re.compile(r"[0-9]+")


class BoardNotation:
    """The letters of the pieces of one game.

    The first letter of a plane is written, all are read. Without declared letters these are the
    symbols. If a symbol is no letter of FEN, they are `A` to `Z` and `a` to `z` in the order of the
    kinds. Raises NotationError if declared letters are empty, a digit or `/`, or those of several
    planes.
    """

    def __init__(self, program: Program) -> None:
        self._form = form = program.form
        declared = letters_by_plane(program, "fen")
        self.written: dict[int, str] = {}
        self.planes: dict[str, int] = {}
        symbols = form.symbols if declared else _symbols(form.symbols)
        for plane, symbol in enumerate(symbols):
            words = declared.get(plane, ()) or ((symbol,) if symbol else ())
            for letter in words:
                self._add(letter, plane)
            if words:
                self.written[plane] = words[0]
        longest = sorted(self.planes, key=len, reverse=True)
        self._token = re.compile("|".join([_RUN.pattern, *map(re.escape, longest)]))

    def write(self, state: State) -> str:
        """Return the rows of a state, joined by `/`."""
        pieces = {
            cell: self.written[plane]
            for plane, mask in enumerate(state.planes)
            if mask
            for cell in _cells(mask)
        }
        return "/".join(self._row([pieces.get(c, "") for c in line]) for line in self._form.lines)

    def read(self, text: str) -> tuple[int, ...]:
        """Parse rows as planes. Raises NotationError."""
        lines, rows = self._form.lines, text.split("/")
        if len(rows) != len(lines):
            raise NotationError(f"the board has {len(lines)} rows, found {len(rows)}")
        planes = [0] * len(self._form.symbols)
        for number, (cells, row) in enumerate(zip(lines, rows, strict=True), start=1):
            self._read_row(planes, cells, row, number)
        require_few(self._form, planes)
        return tuple(planes)

    def _add(self, letter: str, plane: int) -> None:
        if not letter or "/" in letter or _RUN.search(letter):
            reason = f"`{letter}` is no letter of a position in FEN"
            raise NotationError(f"{reason}: declare letters in `formats: fen`")
        if self.planes.setdefault(letter, plane) != plane:
            raise NotationError(f"`{letter}` is the letter of two pieces in `formats: fen`")

    @staticmethod
    def _row(letters: list[str]) -> str:
        text, run = "", 0
        for letter in letters:
            if letter:
                text += (str(run) if run else "") + letter
                run = 0
            else:
                run += 1
        return text + (str(run) if run else "")

    def _read_row(self, planes: list[int], cells: tuple[int, ...], row: str, number: int) -> None:
        column = at = 0
        while at < len(row):
            match = self._token.match(row, at)
            if match is None:
                known = " ".join(self.planes)
                place = f"row {number}, character {at + 1}"
                raise NotationError(f"{place}: no piece `{row[at]}`, expected one of {known}")
            at = match.end()
            if match[0][0].isdigit():
                column += min(int(match[0][:6]), len(cells) + 1)
            elif column < len(cells):
                planes[self.planes[match[0]]] |= 1 << cells[column]
                column += 1
            else:
                column += 1
        if column != len(cells):
            raise NotationError(f"row {number} has {len(cells)} cells, found {column}")


def _symbols(symbols: tuple[str, ...]) -> tuple[str, ...]:
    """Return the symbols of the planes, or letters for them if one of them is a digit or `/`."""
    if not any(symbol == "/" or symbol.isdigit() or symbol.isspace() for symbol in symbols):
        return symbols
    letters = iter(ascii_uppercase + ascii_lowercase)
    return tuple(next(letters, "/") if symbol else "" for symbol in symbols)


def _cells(mask: int) -> list[int]:
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return cells
