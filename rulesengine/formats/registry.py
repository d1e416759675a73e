"""The registry of formats: a row for each, by which the API and all commands use it.

To add a format, write a module with the classes of a row, and add the row to `FORMATS`.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from rulesengine.formats.fen import Fen
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.san import San
from rulesengine.formats.uci import Uci
from rulesengine.formats.values import Position, RecordedGame
from rulesengine.state import Move, State
from rulesengine.support.frozen import record


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


class GameNotation(Protocol):
    """Whole games of one game in a format.

    `read` yields all games of a text, with their errors as problems. `write` returns one game.
    """

    def recognises(self, text: str) -> bool: ...

    def read(self, text: str) -> Iterator[RecordedGame]: ...

    def write(self, game: RecordedGame) -> str: ...


class Notations(Protocol):
    """The notations of one game, which a notation of whole games uses for its parts."""

    @property
    def game(self) -> FormatGame: ...

    def positions(self, name: str) -> PositionNotation: ...

    def moves(self, name: str) -> MoveNotation: ...


@record
class Format:
    """A format, with a constructor for each kind of text that it has.

    - `name` is that of commands and of the section `formats`.
    - `title` is the full name.
    - `suffixes` are the ends of the names of its files.
    - `is_default` is true if a game has the format without declaring it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    is_default: bool = False
    positions: Callable[[FormatGame], PositionNotation] | None = None
    moves: Callable[[FormatGame], MoveNotation] | None = None
    games: Callable[[Notations], GameNotation] | None = None


FORMATS: tuple[Format, ...] = (
    Format("fen", "Forsyth-Edwards notation", (".fen", ".epd"), is_default=True, positions=Fen),
    Format("san", "standard algebraic notation", moves=San),
    Format("uci", "Universal Chess Interface", moves=Uci),
)


def format_named(name: str) -> Format | None:
    """Return the format of a name; None if there is none."""
    return next((row for row in FORMATS if row.name == name), None)
