"""Positions as one line of letters, a letter for each cell and one for the side to move.

The Othello Board Format adds moves and their values after semicolons: `… X; F5:+2; D3:-4;`. Letters
are those that a spec declares. A text may have blanks between the rows.
"""

import re
from collections.abc import Sequence

from rulesengine.errors import NotationError
from rulesengine.formats.options import letters_by_plane, option
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.refusals import refuse
from rulesengine.formats.values import Position
from rulesengine.state import State

NAME = "obf"
_COMMENT = re.compile(r"%[^\n]*")
_OPERATION = re.compile(r"([A-Za-z0-9-]{1,20}):([^;]{0,60})")


class BoardLine:
    """Positions of one game as lines of letters.

    `name` is that of the format with the letters that are written; those of OBF are read too.
    """

    def __init__(self, game: FormatGame, name: str = NAME) -> None:
        self._game = game.without_claims
        self._form = form = game.program.form
        self._order = [cell for line in form.lines for cell in line]
        own = letters_by_plane(game.program, name)
        declared = letters_by_plane(game.program, NAME)
        self._empty: tuple[str, ...] = option(game.program, NAME, "empty", (form.empty,))
        self._written = dict.fromkeys(range(len(form.symbols)), "")
        self._planes: dict[str, int] = dict.fromkeys(self._empty, -1)
        for plane, symbol in enumerate(form.symbols):
            usual = (symbol,) if symbol else ()
            words = (*own.get(plane, ()), *declared.get(plane, usual))
            self._planes |= dict.fromkeys(words, plane)
            self._written[plane] = next(iter(words), "")
        self._sides = [self._side_letters(side) for side in range(len(form.players))]

    def recognises(self, text: str) -> bool:
        """True if a text begins with a letter for each cell and one for the side to move."""
        letters = "".join(_COMMENT.sub("", text).partition(";")[0].split())
        is_full = len(letters) in (len(self._order), len(self._order) + 1)
        return is_full and all(letter in self._planes for letter in letters[:-1])

    def read(self, text: str) -> Position:
        """Parse a position. Raises NotationError."""
        board, *rest = _COMMENT.sub("", text).split(";")
        groups = board.split()
        letters = "".join(groups)
        if len(letters) == len(self._order) and len(groups[-1]) == 1 < len(groups[0]):
            raise NotationError(f"expected {len(letters)} letters, found {len(letters) - 1}")
        planes, side = self.board(letters)
        state = State(planes, side, self._form.starts, (), self._form)
        refuse(self._game, state)
        operations = [_OPERATION.fullmatch(part.strip()) for part in rest if part.strip()]
        if None in operations:
            raise NotationError("expected a move and its value such as `F5:+2` after `;`")
        operations_read = tuple((match[1], match[2].strip()) for match in operations if match)
        return Position(state, operations=operations_read)

    def board(self, letters: str) -> tuple[tuple[int, ...], int]:
        """Return the planes and the side to move of letters without blanks. Raises NotationError.

        Without a letter for the side it is that of the first player.
        """
        count = len(self._order)
        if not count <= len(letters) <= count + 1:
            raise NotationError(f"expected {count} letters and one for the side to move")
        planes = [0] * len(self._form.symbols)
        for cell, letter in zip(self._order, letters, strict=False):
            plane = self._planes.get(letter)
            if plane is None:
                raise NotationError(f"no piece `{letter}`, expected one of {''.join(self._planes)}")
            if plane >= 0:
                planes[plane] |= 1 << cell
        side = next((s for s, words in enumerate(self._sides) if letters[count:] in words), None)
        if side is None and letters[count:]:
            raise NotationError(f"no side `{letters[count:]}`")
        return tuple(planes), side or 0

    def write(self, position: Position) -> str:
        """Return a position in the Othello Board Format."""
        operations = "".join(f" {move}:{value};" for move, value in position.operations)
        return f"{self.text(position.state)};{operations}"

    def text(self, state: State) -> str:
        """Return the letters of a state, with a blank before that of the side to move."""
        letters = [self._letter(state.planes, cell) for cell in self._order]
        return f"{''.join(letters)} {self._sides[state.side][0]}"

    def _letter(self, planes: Sequence[int], cell: int) -> str:
        occupied = (plane for plane, mask in enumerate(planes) if mask >> cell & 1)
        plane = next(occupied, -1)
        return self._empty[0] if plane < 0 else self._written[plane]

    def _side_letters(self, side: int) -> tuple[str, ...]:
        """Return the letters of the pieces of a side, the written one first."""
        letters = tuple(letter for letter, plane in self._planes.items() if plane == side)
        return letters or (self._form.players[side][0],)
