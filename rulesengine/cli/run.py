"""`run`: the I/O script of a game on the standard streams."""

import io
import sys

from rulesengine.cli.output import print_error
from rulesengine.cli.shared_options import (
    MOST_SEED,
    Options,
    Parser,
    add_game_options,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import given_values, load_game
from rulesengine.errors import UsageError

_COMPILE_SECONDS = 1.0  # for a compilation that is still running at the end of the script


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--seed",
        type=whole_number(MOST_SEED),
        default=0,
        help="random seed of chance moves, 0 unless given",
    )


def execute(options: Options) -> int:
    """Run the script; `main` reports InputError and a closed pipe."""
    from rulesengine.engine.background import join_awaited
    from rulesengine.script import read_parameters
    from rulesengine.script import run as run_script
    from rulesengine.support.interrupts import interruptible
    from rulesengine.support.uptime import age

    game = load_game(options.spec, options)
    for name in sorted(read_parameters(game) & given_values(options).keys()):
        raise UsageError(f"--set: the input of {options.spec} gives `{name}`")
    source = sys.stdin.buffer if sys.stdin else io.BytesIO()
    target = sys.stdout.buffer if sys.stdout else io.BytesIO()
    with interruptible():
        run_script(game, source, target, seed=options.seed, age=age(), on_early_end=print_error)
    join_awaited(_COMPILE_SECONDS)
    return 0
