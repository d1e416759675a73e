"""The formats of one game: lookup by name, recognition by content, reading and writing."""

from collections.abc import Iterator

from rulesengine.engine.interpreter.reasons import Attempt
from rulesengine.engine.moves import own_state
from rulesengine.errors import NotationError, UsageError
from rulesengine.formats.encoding import decode
from rulesengine.formats.entries import GameEntry, entry_of
from rulesengine.formats.options import is_declared
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.recording import Recording, recording_of
from rulesengine.formats.registry import FORMATS, Format, format_named
from rulesengine.formats.registry_types import (
    GameIndex,
    GameNotation,
    MoveExplanation,
    MoveNotation,
    PositionNotation,
)
from rulesengine.formats.stated_parameters import Values
from rulesengine.formats.values import Position, RecordedGame
from rulesengine.state import Move, State
from rulesengine.support.validate import check_kind, check_number

POSITIONS, MOVES, GAMES = "positions", "moves", "games"


class FormatService:
    """The notations of one game, each created on first use."""

    def __init__(self, game: FormatGame) -> None:
        self.game = game
        self._positions: dict[str, PositionNotation] = {}
        self._moves: dict[str, MoveNotation] = {}
        self._games: dict[str, GameNotation] = {}

    # notations by name

    def positions(self, name: str) -> PositionNotation:
        """Return the notation of positions in a format. Raises UsageError."""
        row = self._row(name)
        if name not in self._positions:
            if row.positions is None:
                raise UsageError(f"{row.title} has no positions")
            self._positions[name] = row.positions(self.game)
        return self._positions[name]

    def moves(self, name: str) -> MoveNotation:
        """Return the notation of moves in a format. Raises UsageError."""
        row = self._row(name)
        if name not in self._moves:
            if row.moves is None:
                raise UsageError(f"{row.title} has no moves")
            self._moves[name] = row.moves(self.game)
        return self._moves[name]

    def games(self, name: str) -> GameNotation:
        """Return the notation of games in a format. Raises UsageError."""
        row = self._row(name)
        if name not in self._games:
            if row.games is None:
                raise UsageError(f"{row.title} has no games")
            self._games[name] = row.games(self)
        return self._games[name]

    def names(self, kind: str) -> tuple[str, ...]:
        """Return the names of the formats of this game that have a kind of text.

        `kind` is `positions`, `moves` or `games`.
        """
        of_kind = {POSITIONS: _has_positions, MOVES: _has_moves, GAMES: _has_games}[kind]
        return tuple(row.name for row in self._rows() if of_kind(row))

    def written(self) -> tuple[Format, ...]:
        """Return the formats that the game can be written in, those of whole games first."""
        rows = [row for row in self._rows() if row.is_written]
        kinds = (_has_games, _has_positions, _has_moves)
        formats = [row for of_kind in kinds for row in rows if of_kind(row)]
        return tuple(dict.fromkeys(formats))

    # positions

    def read_position(self, text: str, name: str = "") -> Position:
        """Parse a position in a format, by default the one that its content shows.

        Raises NotationError, and UsageError for a format that the game does not have.
        """
        if name:
            return self.positions(name).read(text)
        for name in self.names(POSITIONS):
            notation = self.positions(name)
            if notation.recognises(text):
                return notation.read(text)
        known = ", ".join(self.names(POSITIONS))
        raise NotationError(f"expected a position of {self.game.name} as a state or in {known}")

    def recognises_position(self, text: str) -> bool:
        """True if the content of a text shows a position in a format."""
        return any(self.positions(name).recognises(text) for name in self.names(POSITIONS))

    def require_lines(self, text: str) -> None:
        """Raise NotationError for a text of one line where a state has more, such as a move."""
        if len(self.game.program.form.lines) > 1 and len(text.strip().splitlines()) == 1:
            formats = ", ".join(self.names(POSITIONS))
            found = f"`{text.strip()[:40]}`"
            raise NotationError(
                f"expected a position of {self.game.name}, as the text of a state or in {formats},"
                f" found {found}"
            )

    @staticmethod
    def position_of(state: State, fullmove: int = 1) -> Position:
        """Return a state as a position."""
        return Position(state, fullmove)

    # moves

    def find_move(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text in any format of the game; None if there is none."""
        for name in self.names(MOVES):
            move = self.moves(name).find(text, state)
            if move is not None:
                return move
        return None

    def attempt(self, text: str, state: State) -> Attempt | None:
        """Return the move that a text means in a format of the game, legal or not, else None."""
        for notation in map(self.moves, self.names(MOVES)):
            if isinstance(notation, MoveExplanation) and (meant := notation.attempt(text, state)):
                return meant
        return None

    def move_texts(self, name: str, recorded: RecordedGame) -> Iterator[str]:
        """Yield the moves of a game in a format. Raises UsageError."""
        notation, state, ongoing = self.moves(name), recorded.start.state, self.game.without_claims
        for move in recorded.moves:
            yield notation.write(move, state)
            state = ongoing.apply(state, move, check=False)

    # games

    def game_format(self, text: str) -> str:
        """Return the name of the format of games that a text shows; empty if none does."""
        for name in self.names(GAMES):
            if self.games(name).recognises(text):
                return name
        return ""

    def parameters(self, text: str) -> Values:
        """Return the values of parameters that the first game of a text states."""
        row = format_named(self.game_format(text))
        return row.parameters(self.game, text) if row is not None and row.parameters else {}

    def write_position(self, state: State, name: str, fullmove: int) -> str:
        """Return a position in a format; see `Game.export`. Raises UsageError."""
        number = check_number("number of the full move", fullmove, 1)
        return self.positions(name).write(Position(state, number))

    def write_move(self, move: Move, state: State, name: str) -> str:
        """Return a legal move of a state in a format. Raises UsageError."""
        return self.moves(name).write(move, state)

    def read_games(self, text: str | bytes) -> Iterator[RecordedGame]:
        """Yield the games of a text. Raises NotationError if its format is not recognised."""
        decoded = _decoded(text)
        return self._games_of(decoded).read(decoded)

    def read_record(self, text: str | bytes, name: str = "") -> Recording:
        """Return the first game of a text; see `Game.record`. Raises NotationError, UsageError."""
        decoded = _decoded(text)
        notation = self.games(name) if name else self._games_of(decoded)
        first = next(iter(notation.read(decoded)), None)
        if first is None:
            raise NotationError(f"expected a game of {self.game.name}, found an empty text")
        return recording_of(self.game, first)

    def write_record(self, game: Recording | RecordedGame, name: str) -> str:
        """Return a game as text in a format. Raises UsageError, also for one of another game."""
        game = check_kind("a game of `record` or `read_games`", game, Recording, RecordedGame)
        recorded = game.recorded if isinstance(game, Recording) else game
        own_state(self.game.program, recorded.start.state, self.game.name)
        return self.games(name).write(recorded)

    def entries(self, text: str) -> Iterator[GameEntry]:
        """Yield an entry for each game of a text; most formats read only the chosen moves.

        Raises NotationError if the format of the text is not recognised.
        """
        notation = self._games_of(text)
        if isinstance(notation, GameIndex):
            yield from notation.entries(text)
        else:
            yield from (entry_of(game, self.game.players) for game in notation.read(text))

    # helpers

    def _games_of(self, text: str) -> GameNotation:
        name = self.game_format(text)
        if not name:
            known = ", ".join(self.names(GAMES)) or "no format"
            raise NotationError(f"expected games of {self.game.name} in {known}")
        return self.games(name)

    def _rows(self) -> Iterator[Format]:
        """Yield the formats that the game has."""
        for row in FORMATS:
            is_there = row.is_default or is_declared(self.game.program, row.name)
            if is_there and not self._lacks_stacks(row):
                yield row

    def _lacks_stacks(self, row: Format) -> bool:
        """Return True for a format of positions, where cells hold stacks of pieces."""
        return row.positions is not None and self.game.program.rules.stacks is not None

    def _row(self, name: str) -> Format:
        row = format_named(name)
        if row is None:
            known = ", ".join(row.name for row in self._rows())
            raise UsageError(f"no format `{name}`: {self.game.name} has {known}")
        if row not in tuple(self._rows()):
            if self._lacks_stacks(row):
                raise UsageError(f"{row.title} has no stacks, and {self.game.name} has")
            raise UsageError(f"{self.game.name} declares no `{name}` in `formats`")
        return row


def _decoded(text: str | bytes) -> str:
    """Return the text of games. Raises UsageError."""
    check_kind("the text of games", text, str, bytes)
    return decode(text) if isinstance(text, bytes) else text


def _has_positions(row: Format) -> bool:
    return row.positions is not None


def _has_moves(row: Format) -> bool:
    return row.moves is not None


def _has_games(row: Format) -> bool:
    return row.games is not None
