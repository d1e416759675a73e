"""Files with games or positions in any format: those of this package and of other programs."""

from collections.abc import Iterator
from pathlib import Path

from rulesengine.errors import NotationError, RulesError
from rulesengine.formats.encoding import decode
from rulesengine.formats.values import Problem, RecordedGame
from rulesengine.game import Game
from rulesengine.play.records import format_of
from rulesengine.play.records.conversion import from_position, from_record
from rulesengine.support.files import read_game_file
from rulesengine.support.frozen import replace


def read_game_text(path: Path | str) -> str:
    """Read a file of games as text. Raises UsageError."""
    return decode(read_game_file(path), str(path))


def game_for(game: Game, text: str) -> Game:
    """Return a game with the parameters that the first game of a text states.

    An example is the size of the board. A game that cannot have them is returned as it is.
    """
    row = format_of(text)
    try:
        values = row.read(text).parameters if row is not None else game.formats.parameters(text)
        return game.bind(**values) if values else game
    except RulesError:
        return game


def recorded_games(game: Game, text: str) -> Iterator[RecordedGame]:
    """Yield the games of a text in any format; a position is a game without moves.

    Positions in one line each are numbered like games. Raises NotationError for any other text.
    """
    row = format_of(text)
    if row is not None:
        yield from_record(game, row.read(text))
    elif game.formats.game_format(text):
        yield from game.read_games(text)
    else:
        yield from _positions(game, text)


def _positions(game: Game, text: str) -> Iterator[RecordedGame]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or not game.formats.recognises_position(lines[0]):
        state = game.state_from(text)
        yield from_position(game.formats.position_of(state))
        return
    initial = game.formats.position_of(game.initial_state())
    for number, line in enumerate(lines, start=1):
        try:
            yield replace(from_position(game.position_from(line)), number=number)
        except RulesError as error:
            problem = Problem(number, 0, line.strip()[:60], str(error))
            yield replace(from_position(initial), number=number, problems=(problem,))


def recorded_game(game: Game, text: str, number: int = 1) -> RecordedGame:
    """Return one game of a text. Raises NotationError if it has errors or does not exist."""
    count = 0
    for count, recorded in enumerate(recorded_games(game, text), start=1):
        if count == number:
            if recorded.problems:
                raise NotationError("; ".join(map(str, recorded.problems)))
            return recorded
    raise NotationError(f"there is no game {number}: the text has {count}")
