"""Moves in the coordinates of a protocol, which may differ from the names of the cells."""

from rulesengine.formats.coordinates import Coordinates
from rulesengine.formats.options import is_declared
from rulesengine.formats.registry_types import MoveNotation
from rulesengine.game import Game
from rulesengine.state import Move, State

_UCI = "uci"


class MoveTexts:
    """Moves of one game as a protocol writes them."""

    def __init__(self, game: Game, protocol: str) -> None:
        self._game = game.without_claims
        self._coordinates = Coordinates(game.program, protocol)
        self._uci: MoveNotation | None = None
        # Names of cells that UCI alone changes are not those of another protocol.
        is_own = not (self._coordinates.is_changed or Coordinates(game.program, _UCI).is_changed)
        is_uci = protocol == _UCI or is_own
        if is_uci and is_declared(game.program, _UCI):
            self._uci = game.formats.moves(_UCI)

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none."""
        if self._uci is not None:
            return self._uci.find(text, state)
        if not self._coordinates.is_changed:
            return self._game.find(text, state)
        moves = self._game.legal_moves(state)
        return next((move for move in moves if self.write(move, state) == text), None)

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        if self._uci is not None:
            return self._uci.write(move, state)
        return self._coordinates.write(str(move))
