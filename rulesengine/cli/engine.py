"""`engine`: a game as an engine for user interfaces."""

import io
import sys

from rulesengine.cli.shared_options import Options, Parser, add_game_options, add_spec
from rulesengine.cli.spec_arguments import load_game


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--protocol",
        choices=("uci", "gtp", "xboard", "ucci", "usi", "nboard"),
        default="uci",
        metavar="PROTOCOL",
        help="uci (the default), gtp, xboard, ucci, usi or nboard",
    )


def execute(options: Options) -> int:
    """Reply to the lines of a user interface until `quit` or the end of the input."""
    from rulesengine.play.engine_mode import PROTOCOLS, serve
    from rulesengine.support.interrupts import interruptible

    game = load_game(options.spec, options)
    source = sys.stdin.buffer if sys.stdin else io.BytesIO()
    target = sys.stdout.buffer if sys.stdout else io.BytesIO()
    with interruptible():
        serve(game, PROTOCOLS[options.protocol], source, target)
    return 0
