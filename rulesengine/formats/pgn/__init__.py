"""Games in Portable Game Notation. Source: the PGN standard of 1994."""

from collections.abc import Iterator

from rulesengine.formats.entries import GameEntry
from rulesengine.formats.pgn.reading import PgnReader
from rulesengine.formats.pgn.tokens import is_pgn
from rulesengine.formats.pgn.writing import PgnWriter
from rulesengine.formats.registry_types import Notations
from rulesengine.formats.values import RecordedGame


class Pgn:
    """Games of one game in Portable Game Notation."""

    def __init__(self, notations: Notations) -> None:
        self._reader = PgnReader(notations)
        self._writer = PgnWriter(notations)

    def recognises(self, text: str) -> bool:
        """True if a text begins with a header or with a numbered move."""
        return is_pgn(text)

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text."""
        return self._reader.games(text)

    def entries(self, text: str) -> Iterator[GameEntry]:
        """Yield an entry for each game of a text."""
        return self._reader.entries(text)

    def write(self, game: RecordedGame) -> str:
        """Return a game as text."""
        return self._writer.text(game)
