"""Moves as the Universal Chess Interface writes them: the notation of the game, and synonyms."""

from rulesengine.engine.interpreter.reasons import Attempt
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.state import Move, State


class Uci:
    """Moves of one game as engines and user interfaces write them."""

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._also = dict(option(game.program, "uci", "also", ()))

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none."""
        found = self._game.find(text, state)
        if found is None and text in self._also:
            found = self._game.find(self._also[text], state)
        return found

    def attempt(self, text: str, state: State) -> Attempt | None:
        """Return None: the notation of the game explains these texts."""
        return None

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        return str(move)
