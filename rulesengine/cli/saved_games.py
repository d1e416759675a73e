"""Saved games as arguments of `replay` and `annotate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.cli.shared_options import SPEC, Options, Parser
from rulesengine.cli.spec_arguments import load_game
from rulesengine.errors import NotationError, UsageError
from rulesengine.support.files import read_source

if TYPE_CHECKING:
    from rulesengine.play import Replay


def add_saved_game(command: Parser) -> None:
    """Add FILE and `--spec`."""
    command.add_argument("file", metavar="FILE", help="a file written by `save`")
    command.add_argument("--spec", metavar="SPEC", help=SPEC + "; by default the file names it")


def replay_file(options: Options) -> Replay:
    """Replay the game of FILE. Raises NotationError and UsageError."""
    from rulesengine.play import read_record, replay

    source = read_source(Path(options.file))
    try:
        record = read_record(source.text)
    except NotationError as error:
        raise NotationError(f"{options.file}: {error}") from None
    spec: str = options.spec or record.spec
    if not spec:
        raise UsageError(f"{options.file}: has no spec: specify it with --spec")
    return replay(load_game(spec, options), record)
