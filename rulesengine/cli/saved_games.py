"""Saved games as arguments of `replay` and `annotate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import SPEC, Options, Parser, add_game_number
from rulesengine.cli.spec_arguments import load_game
from rulesengine.errors import NotationError, UsageError

if TYPE_CHECKING:
    from rulesengine.play import Replay


def add_saved_game(command: Parser) -> None:
    """Add FILE, `--spec` and `--game`."""
    command.add_argument("file", metavar="FILE", help="a saved game, or games such as PGN")
    command.add_argument("--spec", metavar="SPEC", help=SPEC + "; by default the file names it")
    add_game_number(command)


def replay_file(options: Options) -> Replay:
    """Replay the game of FILE. Raises NotationError and UsageError."""
    from rulesengine.play import format_of, read_game_text, read_record, replay

    text = read_game_text(options.file)
    try:
        if format_of(text) is None and options.spec:
            return _replay_other(text, options)
        record = read_record(text)
    except NotationError as error:
        hint = "" if options.spec or format_of(text) else "; other formats need `--spec`"
        raise NotationError(f"{options.file}: {error}{hint}") from None
    spec: str = options.spec or record.spec
    if not spec:
        raise UsageError(f"{options.file}: has no spec: specify it with --spec")
    return replay(load_game(spec, options), record)


def _replay_other(text: str, options: Options) -> Replay:
    """Replay a game in a format of another program, with its errors as differences.

    Raises NotationError for a position that is refused.
    """
    from dataclasses import replace

    from rulesengine.play import game_for, numbered_game, replay, to_record

    game = game_for(load_game(options.spec, options), text)
    recorded = numbered_game(game, text, options.game or 1)
    problems = tuple(map(str, recorded.problems))
    if recorded.is_refused:
        raise NotationError("; ".join(problems))
    played = replay(game, to_record(game, recorded, options.spec))
    return replace(played, differences=(*problems, *played.differences))


def check_games(options: Options) -> tuple[int, list[str]] | None:
    """Return the number of games of FILE and their errors; None if it has one game."""
    from rulesengine.play import format_of, game_for, read_game_text, recorded_games

    text = read_game_text(options.file)
    if not options.spec or format_of(text) is not None:
        return None
    game = game_for(load_game(options.spec, options), text)
    count, problems = 0, list[str]()
    try:
        with progress("replay", "games") as job:
            for recorded in recorded_games(game, text):
                count += 1
                problems += map(str, recorded.problems)
                job.advance(1)
    except NotationError as error:
        raise NotationError(f"{options.file}: {error}") from None
    return (count, problems) if count > 1 else None
