"""Files with games or positions in any format: those of this package and of other programs."""

from collections.abc import Iterator
from pathlib import Path

from rulesengine.errors import NotationError, RulesError
from rulesengine.formats.encoding import decode
from rulesengine.formats.entries import GameEntry, entry_of
from rulesengine.formats.values import Position, Problem, RecordedGame
from rulesengine.game import Game
from rulesengine.play.records import format_of, write_record
from rulesengine.play.records.conversion import from_position, from_record, to_record
from rulesengine.support.files import read_game_file
from rulesengine.support.frozen import replace

RECORD, STATE = "record", "state"


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
    if not text.strip():
        raise NotationError("expected a game or a position, found an empty text")
    row = format_of(text)
    if row is not None:
        yield from_record(game, row.read(text))
    elif game.formats.game_format(text):
        yield from game.read_games(text)
    else:
        yield from _positions(game, text)


def game_entries(game: Game, text: str) -> Iterator[GameEntry]:
    """Yield an entry for each game of a text in any format. Raises NotationError for other text."""
    if format_of(text) is None and game.formats.game_format(text):
        yield from game.formats.entries(text)
    else:
        yield from (entry_of(recorded, game.players) for recorded in recorded_games(game, text))


def numbered_game(game: Game, text: str, number: int) -> RecordedGame:
    """Return one game of a text, with its errors. Raises NotationError if it does not exist."""
    count = 0
    for count, entry in enumerate(game_entries(game, text), start=1):
        if count == number:
            return entry.read()
    raise NotationError(f"there is no game {number}: the text has {count}")


def format_of_name(game: Game, suffix: str) -> str:
    """Return the format that the end of a file's name means; `record` for any other end.

    `.txt` is a record too.
    """
    own = suffix.lower()
    rows = game.formats.written() if own != ".txt" else ()
    return next((row.name for row in rows if own in row.suffixes), RECORD)


def written_game(
    game: Game, recorded: RecordedGame, name: str, spec: str = "", *, names_passed: bool = False
) -> str:
    """Return a game as text in a format; `record` is that of this package, `state` a state.

    A format of moves has a line of moves, a format of positions the last position. With
    `names_passed` a position has the cell that the last move passed, even if no capture is legal.
    Raises UsageError for a format that the game does not have.
    """
    formats = game.formats
    if name == RECORD:
        return write_record(to_record(game, recorded, spec))
    if name == STATE:
        return f"{recorded.final}\n"
    if name in formats.names("games"):
        return formats.games(name).write(recorded) + "\n"
    if name in formats.names("moves"):
        return " ".join(formats.move_texts(name, recorded)) + "\n"
    plies = len(recorded.moves) + recorded.start.state.side
    fullmove = recorded.start.fullmove + plies // len(game.players)
    operations = recorded.start.operations if not recorded.moves else ()
    last = recorded.moves[-1] if names_passed and recorded.moves else None
    position = Position(recorded.final, fullmove, operations, last)
    return formats.positions(name).write(position) + "\n"


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
    recorded = numbered_game(game, text, number)
    if recorded.problems:
        raise NotationError("; ".join(map(str, recorded.problems)))
    return recorded
