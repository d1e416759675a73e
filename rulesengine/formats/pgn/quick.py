"""Reading of plain games in long files by a kernel: without comments, variations and errors."""

from rulesengine.engine.drivers.protocol import UNFINISHED
from rulesengine.formats.line_reader import LineReader, reader_for
from rulesengine.formats.pgn.chunks import Chunk
from rulesengine.formats.pgn.results import order_of_results, read_result
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.values import NO_NOTES, Position, RecordedGame, replayed_game

_LONG = 100_000  # characters of a file for which kernels are considered
_PER_PLY = 6  # characters of a ply
# Headers of games that the reader leaves to the rules in full.
_OTHERS = frozenset({"FEN", "SetUp", "Variant"})


class QuickReader:
    """A reader of plain games; it returns None for all others."""

    def __init__(self, reader: LineReader, game: FormatGame, start: Position) -> None:
        self._reader = reader
        self._game = game
        self._start = start
        self._players = game.program.form.players

    @staticmethod
    def of(game: FormatGame, start: Position, text: str) -> "QuickReader | None":
        """Return a reader of a text; None if kernels do not pay for it or do not suit the game."""
        if len(text) < _LONG:
            return None
        reader = reader_for(game, len(text) / _PER_PLY)
        return QuickReader(reader, game, start) if reader else None

    def game(self, number: int, chunk: Chunk) -> RecordedGame | None:
        """Return a game without errors; None for any other text."""
        words, headers = chunk.words, dict(chunk.headers)
        if words is None or not _OTHERS.isdisjoint(headers):
            return None
        if headers.get("Result", chunk.result) != chunk.result:
            return None
        game = self._reader.read(self._start.state, words)
        if game is None:
            return None
        moves, winner = game
        result = read_result(
            chunk.result, order_of_results(self._players), headers.get("Termination", "")
        )
        if winner != UNFINISHED and result and result.winner != self._name(winner):
            return None
        return replayed_game(
            self._game, number, chunk.headers, self._start, moves, result, NO_NOTES
        )

    def _name(self, side: int) -> str | None:
        return self._players[side] if side >= 0 else None
