"""The interfaces of notations, which a row of the registry constructs."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from rulesengine.engine.interpreter.reasons import Attempt
from rulesengine.formats.entries import GameEntry
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.values import Position, RecordedGame
from rulesengine.state import Move, State


class PositionNotation(Protocol):
    """Positions of one game in a format. `read` raises NotationError."""

    def recognises(self, text: str) -> bool: ...

    def read(self, text: str) -> Position: ...

    def write(self, position: Position) -> str: ...


class MoveNotation(Protocol):
    """Moves of one game in a format.

    `find` returns the legal move of a text, or None for a text that is no legal move. It raises
    NotationError for a text that means several moves.
    """

    def find(self, text: str, state: State) -> Move | None: ...

    def write(self, move: Move, state: State) -> str: ...


@runtime_checkable
class MoveExplanation(Protocol):
    """A notation of moves that explains illegal ones.

    `attempt` returns the steps that a text means, legal or not, or None for any other text.
    """

    def attempt(self, text: str, state: State) -> Attempt | None: ...


class GameNotation(Protocol):
    """Whole games of one game in a format.

    `read` yields all games of a text, with their errors as problems. `write` returns one game.
    """

    def recognises(self, text: str) -> bool: ...

    def read(self, text: str) -> Iterator[RecordedGame]: ...

    def write(self, game: RecordedGame) -> str: ...


@runtime_checkable
class GameIndex(Protocol):
    """A notation of games that lists the games of a text without reading their moves."""

    def entries(self, text: str) -> Iterator[GameEntry]: ...


class Notations(Protocol):
    """The notations of one game, which a notation of whole games uses for its parts."""

    @property
    def game(self) -> FormatGame: ...

    def positions(self, name: str) -> PositionNotation: ...

    def moves(self, name: str) -> MoveNotation: ...
