"""Moves by piece, column and direction, the notation of the WXF: `C2=5`.

A move is a letter, the column, a direction and a number: of rows for moves within a column, else
the new column. Columns count from the right of the mover. Of pieces in one column the front one has
`+` and the rear one `-` instead of the column. See decision 134. Source: wxf.org, piece names and
notation (C. W. Huang, 1980/82; revised 1995 and 1997).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from rulesengine.errors import NotationError
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.state import Move, State

NAME = "wxf"
FRONT, REAR, SIDEWAYS = "+", "-", "="
_MANY = 4  # with so many pieces in one column the first and the last one have two marks
_TEXT = re.compile(r"[A-Za-z+0-9-]{2}[-+=.][0-9]{1,2}")


class FileMoves:
    """Moves of one game by piece, column and direction."""

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._program = program = game.program
        form = program.form
        self._sides = len(form.players)
        letters = dict(option(program, NAME, "letters", ()))
        symbols = form.symbols[:: self._sides + 1]
        self._letters = [
            _words(letters.get(kind, ())) or (symbol.upper(),)
            for kind, symbol in zip(form.kinds, symbols, strict=True)
        ]
        self._unmarked: tuple[str, ...] = option(program, NAME, "unmarked", ())
        up: tuple[str, ...] = option(program, NAME, "up", form.players[:1])
        self._is_up = [player in up for player in form.players]

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none.

        Raises NotationError for a text that means several moves.
        """
        if not _TEXT.fullmatch(text):
            return None
        wanted = text.upper().replace(".", SIDEWAYS)
        others = list[Move]()
        for move in self._game.legal_moves(state):
            step = move.steps[0]
            if min(step.origin, step.target) < 0 or not wanted.endswith(
                self._ending(state.side, step.origin, step.target)
            ):
                continue
            first, *rest = self._texts(move, state)
            if wanted == first:
                return move
            if wanted in rest:
                others.append(move)
        if len(others) > 1:
            raise NotationError(f"`{text}` is ambiguous: {', '.join(map(str, others))}")
        return others[0] if others else None

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        return next(self._texts(move, state))

    def _texts(self, move: Move, state: State) -> Iterator[str]:
        """Yield the texts of a move, the written one first."""
        step = move.steps[0]
        if len(move.steps) > 1 or step.origin < 0 or step.target < 0:
            yield str(move)
            return
        kind, same = self._piece(state, step.origin)
        ending = self._ending(state.side, step.origin, step.target)
        column = str(self._column(state.side, step.origin))
        for start in self._starts(state.side, step.origin, same, kind):
            for letter in self._letters[kind]:
                yield start.replace("?", letter) + ending
        for letter in self._letters[kind]:  # also of a piece that is not alone in its column
            yield letter + column + ending

    def _starts(self, side: int, cell: int, same: Sequence[int], kind: int) -> Iterator[str]:
        """Yield the first two signs, with `?` for the letter of the kind."""
        column = self._column(side, cell)
        file = sorted(
            (c for c in same if self._column(side, c) == column),
            key=lambda c: self._row(side, c),
            reverse=True,
        )
        if len(file) == 1 or self._program.form.kinds[kind] in self._unmarked:
            yield f"?{column}"
            return
        at, last = file.index(cell), len(file) - 1
        mark = _mark(at, last)
        columns = [self._column(side, c) for c in same]
        if any(columns.count(other) > 1 for other in columns if other != column):
            yield f"{column}{mark[-1] if mark else column}"
        yield mark if len(mark) > 1 else f"?{mark or column}"
        yield f"{mark[-1:] or column}?"
        if last > 1:
            yield f"{at + 1}{column}"

    def _ending(self, side: int, origin: int, target: int) -> str:
        """Return the direction and the number of a move."""
        rows = self._row(side, target) - self._row(side, origin)
        column = self._column(side, target)
        if not rows:
            return f"{SIDEWAYS}{column}"
        within = column == self._column(side, origin)
        return (FRONT if rows > 0 else REAR) + str(abs(rows) if within else column)

    # helpers

    def _piece(self, state: State, cell: int) -> tuple[int, list[int]]:
        """Return the kind of the piece on a cell and the cells of all such pieces of its owner."""
        plane = next(p for p, mask in enumerate(state.planes) if mask >> cell & 1)
        mask = state.planes[plane]
        return plane // (self._sides + 1), [c for c in self._places if mask >> c & 1]

    def _row(self, side: int, cell: int) -> int:
        """Return the row of a cell; it grows in the direction of a player."""
        row = self._places[cell][0]
        return -row if self._is_up[side] else row

    def _column(self, side: int, cell: int) -> int:
        """Return the column of a cell, from 1 at the right of a player."""
        row, column = self._places[cell]
        width = len(self._program.form.lines[row])
        return width - column if self._is_up[side] else column + 1

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        lines = enumerate(self._program.form.lines)
        return {cell: (row, at) for row, line in lines for at, cell in enumerate(line)}


def _mark(at: int, last: int) -> str:
    """Return the mark of a piece in a column; empty for the one in the middle.

    `at` counts from the front.
    """
    if 2 * at == last:
        return ""
    mark = FRONT if 2 * at < last else REAR
    return 2 * mark if at in (0, last) and last + 1 >= _MANY else mark


def _words(by_player: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[str, ...]:
    return tuple(word.upper() for _, words in by_player for word in words)
