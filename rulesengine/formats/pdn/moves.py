"""Moves by squares: `32-28`, `26x37`, and `26x17x28` where the squares of the ends are not enough.

Both numbers and names of squares are read, with `-`, `x` or `:` between them.
"""

from collections.abc import Sequence

from rulesengine.engine.interpreter.reasons import Attempt
from rulesengine.errors import NotationError
from rulesengine.formats.cell_moves import cells_of
from rulesengine.formats.pdn.squares import Squares
from rulesengine.formats.protocol import FormatGame
from rulesengine.state import Move, State


class PdnMoves:
    """Moves of one game by squares."""

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._squares = Squares(game)

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none.

        Squares between the ends may be missing. Raises NotationError for a text that means moves
        with several results.
        """
        cells = self._squares.cells(text)
        if cells is None:
            return None
        moves = [
            move
            for move in self._game.legal_moves(state)
            if cells_of(move)[:1] == cells[:1] and cells_of(move)[-1:] == cells[-1:]
        ]
        if len(cells) > 2:
            same = [move for move in moves if cells_of(move) == cells]
            return next(iter(same), None) or self._by_way(cells, moves, text, state)
        return self._only(moves, text, state)

    def attempt(self, text: str, state: State) -> Attempt | None:
        """Return the cells that a text names, legal or not; None for other texts."""
        cells = self._squares.cells(text)
        if cells is None:
            return None
        try:
            is_legal = self.find(text, state) is not None
        except NotationError:  # several moves
            is_legal = True
        return Attempt(is_legal, cells)

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        cells, names = cells_of(move), self._squares.written.names
        if len(cells) < 2:
            return str(move)
        joint = "x" if self._game.move_record(state, move).captured else "-"
        others = [
            other
            for other in self._game.legal_moves(state)
            if (cells_of(other)[0], cells_of(other)[-1]) == (cells[0], cells[-1])
        ]
        shown = cells if len(others) > 1 else (cells[0], cells[-1])
        return joint.join(names[cell] for cell in shown)

    def _by_way(
        self, cells: Sequence[int], moves: Sequence[Move], text: str, state: State
    ) -> Move | None:
        """Return the move that passes over the cells between the ends, in any order.

        Some programs write the squares of captured pieces, and some only squares that distinguish
        the move.
        """
        between = set(cells[1:-1])
        candidates = []
        for move in moves:
            captured = self._game.move_record(state, move).captured
            if all(cell in cells_of(move) or captured >> cell & 1 for cell in between):
                candidates.append(move)
        if candidates:
            return self._only(candidates, text, state)
        names = self._squares.form.cells
        return self._game.find("x".join(names[cell] for cell in cells), state)

    def _only(self, moves: Sequence[Move], text: str, state: State) -> Move | None:
        """Return the only move, or the first of moves with the same result."""
        if len(moves) > 1:
            results = {self._game.apply(state, move, check=False) for move in moves}
            if len(results) > 1:
                texts = ", ".join(self.write(move, state) for move in moves)
                raise NotationError(f"`{text[:40]}` is ambiguous: {texts}")
        return moves[0] if moves else None
