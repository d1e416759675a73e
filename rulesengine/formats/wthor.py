"""Games of the WTHOR database of the French Othello Federation; the format is read only.

A file has a header of 16 bytes and 68 bytes for each game. Names of players are in other files, so
that players are numbers. Binary files are texts of Latin-1 here. Source: "Format de la base WTHOR",
Fédération française d'Othello.
"""

import struct
from collections.abc import Iterator

from rulesengine.errors import UsageError
from rulesengine.formats.options import option
from rulesengine.formats.registry_types import Notations
from rulesengine.formats.transcript import Transcript
from rulesengine.formats.values import GameResult, Problem, RecordedGame
from rulesengine.support.frozen import replace

NAME = "wthor"
_HEADER = struct.Struct("<4BIHH4B")
_GAME = struct.Struct("<3H2B60s")
_SIZES = (0, 8)  # values of the header for boards of 8 x 8
_CENTURIES = range(19, 22)
_ENCODING = "latin-1"
_DISCS = 64  # empty cells at the end count for the winner


class Wthor:
    """Games of one game in files of WTHOR."""

    def __init__(self, notations: Notations) -> None:
        self._game = game = notations.game.without_claims
        size = int(option(game.program, NAME, "size", ("0",))[0])
        self._has_size = len(game.program.form.cells) == size**2
        self._transcripts = Transcript(notations)

    def recognises(self, text: str) -> bool:
        """True if a text is a file of games."""
        is_binary = self._has_size and "\0" in text[: _HEADER.size]
        return is_binary and is_wthor(text.encode(_ENCODING, "replace"))

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a file."""
        data = text.encode(_ENCODING)
        year = _HEADER.unpack_from(data)[6]
        games = _GAME.iter_unpack(data[_HEADER.size :])
        for number, (event, black, white, discs, best, squares) in enumerate(games, start=1):
            words = [_name(square) for square in squares if square]
            headers = (
                ("Event", f"tournament {event}"),
                ("Date", str(year)),
                ("Black", f"player {black}"),
                ("White", f"player {white}"),
                ("BlackDiscs", str(discs)),
                ("BestBlackDiscs", str(best)),
            )
            record = self._transcripts.read_game(number, words)
            yield self._with_result(replace(record, headers=headers), discs)

    def write(self, game: RecordedGame) -> str:
        """Raise UsageError: the format is read only."""
        raise UsageError("files of WTHOR are read, not written")

    def _with_result(self, game: RecordedGame, discs: int) -> RecordedGame:
        """Return a game with the result by discs; report one that contradicts the position."""
        first, second = self._game.players
        winner = None if 2 * discs == _DISCS else first if 2 * discs > _DISCS else second
        problems = game.problems
        outcome = self._game.outcome(game.final)
        if outcome is not None and outcome.winner != winner and not problems:
            by_rules = f"{outcome.winner} wins" if outcome.winner else "a draw"
            reason = f"by the rules the result is {by_rules}, {outcome.reason}"
            problems = (Problem(game.number, len(game.moves), f"{discs} discs", reason),)
        result = GameResult(winner, f"{abs(2 * discs - _DISCS)} points" if winner else "")
        return replace(game, result=result, problems=problems)


def is_wthor(data: bytes) -> bool:
    """True if bytes have the header and the length of a file of games."""
    if len(data) < _HEADER.size:
        return False
    century, _, month, day, games, _, _, size, *_ = _HEADER.unpack_from(data)
    is_dated = century in _CENTURIES and 1 <= month <= 12 and 1 <= day <= 31
    return is_dated and size in _SIZES and len(data) == _HEADER.size + games * _GAME.size


def _name(square: int) -> str:
    """Return the cell of a square, a row and a column as two digits."""
    row, column = divmod(square, 10)
    return f"{'abcdefgh'[column - 1 : column] or '?'}{row}"
