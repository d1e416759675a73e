"""The methods of a game that read and write positions, moves and games as text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulesengine.errors import NotationError
from rulesengine.state import Move, State
from rulesengine.support.validate import check_text

if TYPE_CHECKING:
    from rulesengine.engine.cost_limit import CostChecker
    from rulesengine.formats.recording import Recording
    from rulesengine.formats.service import FormatService
    from rulesengine.formats.values import Position, RecordedGame


class FormatMethods:
    """Positions, moves and games as text, in the formats of a game."""

    _affordable: "CostChecker"

    @property
    def formats(self) -> "FormatService":
        """Return the notations of other programs that the game has."""
        raise NotImplementedError

    def position(self, text: str, format: str | None = None) -> State:
        """Return the state of a position, given as `str(state)` or in a format such as FEN.

        Without `format`, the format is recognised by the content. Raises NotationError for any
        other text and for an impossible position, LimitError as `state_from` does, and UsageError
        for a format that the game does not have.
        """
        if format is None:
            return self.state_from(text)
        position = self.formats.read_position(check_text("position", text), format)
        self._affordable.require(position.state)
        return position.state

    def format_position(self, state: State, format: str) -> str:
        """Return a state as a position in a format; `export` has the number of the full move too.

        Raises UsageError for a format that the game does not have.
        """
        return self.formats.write_position(self._own(state), format, 1)

    def record(self, text: str | bytes, format: str | None = None) -> "Recording":
        """Return the first game of a text such as PGN or SGF; `read_games` yields all games.

        Bytes are decoded as by `read_games`. Without `format`, the format is recognised by the
        content. The result has `players`, `moves`, `result`, `start`, `tags` and `positions()`.
        Raises NotationError for any other
        text and for an illegal move, and UsageError for a format that the game does not have.
        """
        return self.formats.read_record(text, format or "")

    def format_record(self, record: "Recording | RecordedGame", format: str = "pgn") -> str:
        """Return a game of `record` or `read_games` as text in a format.

        Raises UsageError for a format that the game does not have.
        """
        return self.formats.write_record(record, format)

    def state_from(self, text: str) -> State:
        """Parse the text of a state, as `str(state)` returns it, or a position in a format.

        The formats are those of `position_from`. Raises NotationError for a text that is no state,
        and LimitError for a state with so many pieces that a move might take too long.
        """
        try:
            state = self._parse_state(check_text("state", text))
        except NotationError:
            if not self.formats.recognises_position(text):
                self.formats.require_lines(text)
                raise
            return self.position_from(text).state
        self._affordable.require(state)
        return state

    def position_from(self, text: str) -> "Position":
        """Parse a position in a format of the game, such as FEN or EPD, recognised by its content.

        Raises NotationError for any other text and for an impossible position, and LimitError as
        `state_from` does.
        """
        position = self.formats.read_position(check_text("position", text))
        self._affordable.require(position.state)
        return position

    def read_games(self, text: str | bytes) -> "Iterator[RecordedGame]":
        """Yield the games of a text in a format such as PGN, recognised by its content.

        Each has `headers`, `moves`, the `start` position, the `final` state and a `result`. Bytes
        are decoded as UTF-8 or Latin-1. Errors of a game are in its `problems`, and the other games
        are read. Raises NotationError if the format is not recognised.
        """
        return self.formats.read_games(text)

    def export(self, state: State | None = None, format: str = "fen", *, fullmove: int = 1) -> str:
        """Return a state, by default the initial one, as a position in a format.

        `fullmove` is the number of the full move for formats that have it. Raises UsageError for a
        format that the game does not have.
        """
        return self.formats.write_position(self._from(state), format, fullmove)

    def move_text(self, move: Move | str, state: State, format: str = "san") -> str:
        """Return a legal move of a state, or that of a text, in a format of the game.

        Raises the errors of `move` for a text, and UsageError for a format that the game does not
        have.
        """
        return self.formats.write_move(self._move_in(state, move), self._own(state), format)

    def _parse_state(self, text: str) -> State:
        raise NotImplementedError

    def _from(self, state: State | None) -> State:
        raise NotImplementedError

    def _own(self, state: State) -> State:
        raise NotImplementedError

    def _move_in(self, state: State, move: Move | str) -> Move:
        raise NotImplementedError
