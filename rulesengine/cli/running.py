"""`run`: a game's own input and output on the standard streams."""

import io
import sys

from rulesengine.cli.arguments import Options
from rulesengine.cli.specs import given_values, load_game
from rulesengine.engine.background import let_end
from rulesengine.errors import UsageError
from rulesengine.script import read_parameters
from rulesengine.script import run as run_script
from rulesengine.support.interrupts import interruptible
from rulesengine.support.uptime import age

_KEEPING = 1.0  # seconds for native code that is not ready when a script has ended


def run(options: Options) -> int:
    """Run the spec's script; InputError and the closed pipe are `main`'s to report."""
    game = load_game(options.spec, options)
    for name in sorted(read_parameters(game) & given_values(options).keys()):
        raise UsageError(f"--set: the input of {options.spec} gives `{name}`")
    source = sys.stdin.buffer if sys.stdin else io.BytesIO()
    target = sys.stdout.buffer if sys.stdout else io.BytesIO()
    with interruptible():
        run_script(game, source, target, seed=options.seed, age=age())
    let_end(_KEEPING)
    return 0
