"""Moves written as the names of their cells, in the coordinates of a format.

The cells of a move are the origin of its first step and the targets of all steps.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from rulesengine.errors import NotationError
from rulesengine.formats.protocol import FormatGame
from rulesengine.state import Move, State, Step

Cells = tuple[int, ...]
# The letters of columns and rows: `a` to `z` and `A` to `Z`.
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class CellNames:
    """The names of the cells in a format; an empty name is that of no cell."""

    def __init__(self, names: Sequence[str], *, folds_case: bool = False) -> None:
        self.names = names
        self._folds_case = folds_case
        self._cells = {self._folded(name): cell for cell, name in enumerate(names) if name}

    def cell(self, name: str) -> int:
        """Return the cell of a name; -1 if there is none."""
        return self._cells.get(self._folded(name), -1)

    def cells(self, text: str) -> Cells | None:
        """Return the cells named in a text; None if it has no name or other letters and digits."""
        cells, at, folded = [], 0, self._folded(text)
        for match in self._pattern.finditer(folded):
            if _WORD.search(folded, at, match.start()):
                return None
            cells.append(self._cells[match[0]])
            at = match.end()
        return None if not cells or _WORD.search(folded, at) else tuple(cells)

    def split(self, text: str) -> list[str]:
        """Return the names at the beginning of a text, then the rest if there is one."""
        names, at, folded = [], 0, self._folded(text)
        while at < len(text) and (match := self._pattern.match(folded, at)):
            names.append(match[0])
            at = match.end()
        return [*names, text[at:]] if at < len(text) else names

    def _folded(self, text: str) -> str:
        return text.lower() if self._folds_case else text

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        names = sorted(self._cells, key=lambda name: (-len(name), name))
        return re.compile("|".join(map(re.escape, names)) or r"(?!)")


_WORD = re.compile(r"[A-Za-z0-9]")


def letter_names(lines: Iterable[Sequence[int]], cells: int) -> list[str]:
    """Return a letter for the column and one for the row of each cell, from the first printed row.

    Cells beyond 52 columns or rows have empty names.
    """
    names = [""] * cells
    for row, line in zip(_LETTERS, lines, strict=False):
        for column, cell in zip(_LETTERS, line, strict=False):
            names[cell] = column + row
    return names


def cells_of(move: Move) -> Cells:
    """Return the cells of a move."""
    first = move.steps[0]
    origin = (first.origin,) if first.origin >= 0 else ()
    return origin + tuple(step.target for step in move.steps if step.target >= 0)


class CellMoves:
    """Moves of one game by the names of their cells.

    `joint` is written between the cells of a move. Moves without cells have the text of the game.
    `also` maps other texts to texts of the game.
    """

    def __init__(
        self, game: FormatGame, names: CellNames, joint: str, also: Iterable[tuple[str, str]] = ()
    ) -> None:
        self._game = game.without_claims
        self._names = names
        self._joint = joint
        self._read = {other.lower(): own for other, own in also}
        self._written = {own: other for other, own in reversed(tuple(also))}

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none.

        Raises NotationError for a text that means several moves.
        """
        plain = self._read.get(text.lower())
        if plain is not None and self._names.cell(text) < 0:
            return self._game.find(plain, state)
        cells = self._names.cells(text)
        moves = self._game.legal_moves(state)
        if cells is None:
            return next((m for m in moves if not cells_of(m) and str(m) == text.lower()), None)
        move = self.matching(cells, moves)
        if len(move) > 1:
            texts = ", ".join(map(str, move))
            raise NotationError(f"`{text[:40]}` is ambiguous: {texts}")
        return move[0] if move else None

    def matching(self, cells: Cells, moves: Sequence[Move]) -> list[Move]:
        """Return the moves with some cells."""
        return [move for move in moves if cells_of(move) == cells]

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        cells = cells_of(move)
        if not cells:
            return self._written.get(str(move), str(move))
        return self._joint.join(self._names.names[cell] for cell in cells)


def forced_pass(game: FormatGame, state: State) -> Move | None:
    """Return the pass that is the only legal move of a state; None otherwise."""
    moves = game.legal_moves(state)
    is_forced = len(moves) == 1 and _is_pass(moves[0].steps[0])
    return moves[0] if is_forced else None


def _is_pass(step: Step) -> bool:
    return step.kind == "pass"
