"""Games in Portable Draughts Notation, the notation of PGN with squares and results of its own.

See decision 120. Source: the PDN 3.0 standard; `1-0` and `2-0` are wins of white.
"""

from collections.abc import Iterator
from functools import partial

from rulesengine.formats.entries import GameEntry
from rulesengine.formats.pdn.moves import PdnMoves
from rulesengine.formats.pdn.positions import PdnFen
from rulesengine.formats.pdn.squares import NAME, WHITE, Squares
from rulesengine.formats.pdn.tokens import raw_games
from rulesengine.formats.pgn.reading import PgnReader
from rulesengine.formats.pgn.tokens import RawGame, is_pgn
from rulesengine.formats.pgn.writing import PgnWriter
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.registry_types import MoveNotation, Notations, PositionNotation
from rulesengine.formats.values import Position, Problem, RecordedGame
from rulesengine.support.frozen import replace

_TYPE = "GameType"
_OTHER = '[Variant "'  # a header of games in PGN


class Pdn:
    """Games of one spec in Portable Draughts Notation."""

    def __init__(self, notations: Notations) -> None:
        self._squares = squares = Squares(notations.game)
        parts = _Parts(notations)
        by_colour = sorted(
            zip(squares.colours, squares.form.players, strict=True),
            key=lambda pair: pair[0] != WHITE,
        )
        players = tuple(player for _, player in by_colour)
        self._reader = PgnReader(parts, moves=parts.moves(NAME), players=players)
        self._writer = PgnWriter(parts, moves=parts.moves(NAME), players=players)

    def recognises(self, text: str) -> bool:
        """True if a text begins as PGN does, and no header names a variant of PGN."""
        return is_pgn(text) and _OTHER not in text[: text.find("\n\n") + 1 or len(text)]

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text."""
        for number, raw in enumerate(raw_games(text), start=1):
            yield self._read(number, raw)

    def entries(self, text: str) -> Iterator[GameEntry]:
        """Yield an entry for each game of a text."""
        for number, raw in enumerate(raw_games(text), start=1):
            entry = self._reader.entry(number, raw)
            yield replace(entry, read=partial(self._read, number, raw))

    def write(self, game: RecordedGame) -> str:
        """Return a game as text."""
        headers = tuple(pair for pair in game.headers if pair[0] not in (_TYPE, "Variant"))
        if self._squares.types:
            headers += ((_TYPE, self._squares.types[0]),)
        return self._writer.text(replace(game, headers=headers))

    def _read(self, number: int, raw: RawGame) -> RecordedGame:
        kind = dict(raw.headers).get(_TYPE, "")
        if self._is_type(kind):
            return self._reader.read_game(number, raw)
        return self._other(number, raw, kind)

    def _is_type(self, text: str) -> bool:
        number = text.split(",")[0].strip()
        types = [own.split(",")[0] for own in self._squares.types]
        return not number or not types or number in types

    def _other(self, number: int, raw: RawGame, kind: str) -> RecordedGame:
        """Return a game of another type, without its moves."""
        start = Position(self._squares.game.initial_state())
        reason = f"a game of another type than {self._squares.game.name}"
        problem = Problem(number, 0, kind[:60], reason)
        return RecordedGame(number, raw.headers, start, (), start.state, None, {}, (problem,))


class _Parts:
    """The notations of parts of a game in PDN, for the reader and the writer of PGN."""

    def __init__(self, notations: Notations) -> None:
        self._game = notations.game
        self._moves = PdnMoves(notations.game)
        self._positions = PdnFen(notations.game)

    @property
    def game(self) -> FormatGame:
        return self._game

    def positions(self, name: str) -> PositionNotation:
        return self._positions

    def moves(self, name: str) -> MoveNotation:
        return self._moves
