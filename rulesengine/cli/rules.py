"""`rules`: the rules of a game in plain English."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.cli.move_arguments import board_drawer
from rulesengine.cli.output import text_result
from rulesengine.cli.shared_options import Options, Parser, add_game_options, add_json, add_spec
from rulesengine.cli.spec_arguments import load_game
from rulesengine.errors import UsageError
from rulesengine.support.files import write_new

if TYPE_CHECKING:
    from rulesengine import Game
    from rulesengine.prose import Format


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--format",
        choices=("text", "markdown", "html"),
        default="text",
        help="text (the default), markdown, or html, a printable page with the board",
    )
    command.add_argument(
        "--output",
        metavar="FILE",
        help="write to a new file; the picture of markdown is written next to it as .svg",
    )


def execute(options: Options) -> int:
    """Print the rules as text, Markdown or HTML, or write them to a new file."""
    from rulesengine.prose import rules_page

    game = load_game(options.spec, options)
    if options.output is not None:
        _write_rules(game, Path(options.output), options.format)
        return 0
    text_result(rules_page(game, options.format, _picture(game, options.format)), options)
    return 0


def _picture(game: Game, form: Format) -> str:
    """Return the picture of the initial position in the form for a format."""
    return _indented(board_drawer(game)(game.initial_state(), 0)) if form == "text" else game.svg()


def _write_rules(game: Game, path: Path, form: Format) -> None:
    """Write the page, and the picture of Markdown next to it; existing files are not replaced."""
    from rulesengine.prose import rules_page

    if form != "markdown":
        write_new(path, rules_page(game, form, _picture(game, form)))
        return
    picture = path.with_suffix(".svg")
    if picture == path:
        raise UsageError(f"{path}: the page needs another name than its picture")
    if path.exists():
        raise UsageError(f"{path}: already exists")
    write_new(picture, game.svg() + "\n")
    try:
        write_new(
            path, rules_page(game, "markdown", f"![The board at the start](<{picture.name}>)")
        )
    except BaseException:
        picture.unlink(missing_ok=True)
        raise


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
