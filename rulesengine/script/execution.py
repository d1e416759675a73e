"""The execution of a game's script, by the interpreter of scripts or with kernels."""

from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from rulesengine.game import Game
from rulesengine.language.ir.rules import Statement
from rulesengine.script.flow_runner import FlowRunner
from rulesengine.script.runner import Runner
from rulesengine.script.runtime import OutputListener, ScriptState
from rulesengine.script.tokens import ByteReader, Tokenizer


def run(
    game: Game,
    source: ByteReader,
    target: BinaryIO,
    *,
    seed: int = 0,
    age: float = 0.0,
    on_output: OutputListener | None = None,
    on_early_end: Callable[[str], None] | None = None,
) -> None:
    """Run a game's script until it stops or the input ends.

    Chance moves are drawn as in random game 0 of the seed, except that other moves draw nothing. A
    strategy's time budget starts when input arrives, at the previous choice, or at program start,
    which was `age` seconds ago, whichever is latest.

    Output is flushed before every read that may block, and at the end. `on_output` is called with
    each printed text and the site of its statement. `on_early_end` is called with a message if the
    input ends in the middle of a round or of a statement; that is no error. Raises InputError for
    input that the script rejects; earlier output stays printed.
    """
    stage = ScriptState(game, source, target, seed, age)
    stage.on_output = on_output
    if on_early_end is not None:
        stage.on_end = partial(_report_early_end, on_early_end)
    run_on(stage)


def _report_early_end(report: Callable[[str], None], stage: ScriptState) -> None:
    """Report the end of the input, if it is too early."""
    from rulesengine.script.input_end import early_end  # here: most runs end as expected

    if message := early_end(stage):
        report(message)


def run_on(stage: ScriptState) -> None:
    """Run a game's script on a new stage. Raises the same errors as `run`."""
    try:
        _runner(stage).run_with_locations()
    finally:
        stage.target.flush()


def _runner(stage: ScriptState) -> "Runner":
    """Return the runner of a script: one that may use kernels, unless output is observed."""
    if stage.on_output or stage.game.engine == "interpreter" or type(stage.words) is not Tokenizer:
        return Runner(stage)
    return FlowRunner(stage)


def read_parameters(game: Game) -> frozenset[str]:
    """Return the names of the parameters that the script reads from its input."""
    return frozenset(_parameters_in(game.rules.script))


def _parameters_in(block: tuple[Statement, ...]) -> list[str]:
    names = []
    for statement in block:
        if statement.name == "read_parameter":
            names.append(statement.words[0])
        names += _parameters_in(statement.body) + _parameters_in(statement.otherwise)
    return names
