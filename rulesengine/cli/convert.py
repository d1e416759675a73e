"""`convert`: games and positions in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_game_number,
    add_game_options,
    add_spec,
)
from rulesengine.cli.spec_arguments import load_game, standard_games
from rulesengine.errors import NotationError
from rulesengine.support.files import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesengine.formats.values import RecordedGame
    from rulesengine.game import Game


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "file", metavar="FILE", help="games or positions in any format; - is standard input"
    )
    command.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="record, state, or a format of the game such as pgn, san or fen",
    )
    add_game_number(command)
    command.add_argument(
        "--passed",
        action="store_true",
        help="in FEN, name the cell that the last move passed also where no capture is legal",
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help="file to write or replace; otherwise standard output"
    )


def execute(options: Options) -> int:
    """Convert all games of a file; return 1 if one of them has errors.

    A game without a legal first position is left out. Games become texts of moves, or the last
    position, where the format has no games.
    """
    from rulesengine.play import game_for, written_game

    source = standard_games(options.file)
    game = game_for(load_game(options.spec, options), source)
    texts, problems = [], list[str]()
    try:
        with progress("convert", "games") as job:
            for recorded in _selected(game, source, options.game):
                problems += map(str, recorded.problems)
                job.advance(1)
                if recorded.is_refused:
                    continue
                named = options.passed
                texts.append(
                    written_game(game, recorded, options.to, options.spec, names_passed=named)
                )
    except NotationError as error:
        raise NotationError(f"{options.file}: {error}") from None
    for line in problems:
        print_error(f"{options.file}: {line}")
    text = "".join(texts)
    if options.output is None:
        result(text)
    else:
        replace(options.output, text.encode())
    return int(bool(problems))


def _selected(game: Game, text: str, wanted: int | None) -> Iterator[RecordedGame]:
    """Yield the games of a text, or the one with a number."""
    from rulesengine.play import numbered_game, recorded_games

    if wanted is None:
        yield from recorded_games(game, text)
    else:
        yield numbered_game(game, text, wanted)
