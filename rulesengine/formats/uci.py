"""Moves as the Universal Chess Interface writes them: the notation of the game, and synonyms.

Cells have the names of the game, or algebraic ones if the spec declares `cells: algebraic`.
"""

from collections.abc import Iterator

from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.formats.coordinates import Coordinates
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.language.ir.rules import Template
from rulesengine.notation.move_text import Writer
from rulesengine.state import Move, State, Step


class Uci:
    """Moves of one game as engines and user interfaces write them."""

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._also = dict(option(game.program, "uci", "also", ()))
        self._special = dict(self._templates())
        self._coordinates = Coordinates(game.program, "uci")
        self._writer = Writer(game.program, Fields(game.program).value)

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none."""
        move = self._own_move(text, state)
        if move is None and text in self._also:
            move = self._own_move(self._also[text], state)
        return self._special_move(text, state) if move is None else move

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        return self._coordinates.write(str(move))

    def _own_move(self, text: str, state: State) -> Move | None:
        if not self._coordinates.is_changed:
            return self._game.find(text, state)
        moves = self._game.legal_moves(state)
        return next((move for move in moves if self.write(move, state) == text), None)

    def _special_move(self, text: str, state: State) -> Move | None:
        """Return the legal move with another text of its group; None if there is none."""
        moves = self._game.legal_moves(state) if self._special else ()
        of_group = (move for move in moves if move.steps[0].group in self._special)
        return next((move for move in of_group if self._text(move.steps[0]) == text), None)

    def _templates(self) -> Iterator[tuple[int, Template]]:
        declared = dict(option(self._game.program, "uci", "special", ()))
        for number, group in enumerate(self._game.program.rules.groups):
            if group.name in declared:
                yield number, declared[group.name]

    def _text(self, step: Step) -> str:
        parts = self._special[step.group].parts
        texts = (p if isinstance(p, str) else self._writer.field(p, step) for p in parts)
        return self._coordinates.write("".join(texts))
