"""`play`: a game in the terminal."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.cli.output import require_output
from rulesengine.cli.shared_options import (
    MOST_SEED,
    PLAYERS,
    Options,
    Parser,
    add_game_number,
    add_game_options,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game
from rulesengine.cli.terminal_style import terminal_style
from rulesengine.errors import UsageError
from rulesengine.support.resources import bundled_name, is_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulesengine.play import Ask


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=PLAYER",
        help=f"{PLAYERS} plays NAME (may be repeated)",
    )
    command.add_argument(
        "--seed",
        type=whole_number(MOST_SEED),
        help="random seed; by default a new one for games with chance, otherwise 0",
    )
    command.add_argument("--load", metavar="FILE", help="continue from a saved game or a position")
    add_game_number(command)


def execute(options: Options) -> int:
    """Play on the standard streams until the game, the input or the user ends it."""
    import secrets

    from rulesengine.play import Session, Terminal, resumed, run_terminal, seated
    from rulesengine.support.interrupts import interruptible

    game = load_game(options.spec, options)
    players = seated(game, options.player)
    seed = options.seed
    if seed is None:
        seed = secrets.randbits(64) if game.rules.chance else 0
    session = Session.begin(game, players, seed=seed, spec=_spec_name(options.spec))
    if options.load is not None:
        session = resumed(session, Path(options.load), options.player, options.game or 1)
    elif options.game is not None:
        raise UsageError("--game: needs a file, see `--load`")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    try:
        source = sys.stdin or io.StringIO()
        with interruptible():
            run_terminal(session, Terminal(source, _write, terminal_style(), _line_editor()))
    except KeyboardInterrupt:
        _write("\n")
        raise
    finally:
        session.seated.close()
    return 0


def _spec_name(spec: str) -> str:
    """Return the spec as a record names it: a path, or the bundled name that an alias means."""
    return spec if is_path(spec) else bundled_name(spec)


def _write(text: str) -> None:
    """Print a part of a line at once. Raises OSError if standard output is closed."""
    require_output()
    sys.stdout.write(text)
    sys.stdout.flush()


def _line_editor() -> Ask | None:
    """Return a line editor with arrow keys, history, and Tab completion of moves and commands.

    Return None without a terminal or without readline.
    """
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        return None
    try:
        import readline
    except ImportError:
        return None
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")

    def read_line(prompt: str, words: Callable[[], Sequence[str]]) -> str | None:
        def complete(text: str, number: int) -> str | None:
            matches = [word for word in words() if word.lower().startswith(text.lower())]
            return matches[number] if number < len(matches) else None

        readline.set_completer(complete)
        try:
            return input(prompt)
        except EOFError:
            _write("\n")
            return None

    return read_line
