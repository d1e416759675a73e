"""The value of an expression, given separately from the spec, in positions of a game."""

from collections.abc import Callable, Mapping

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.selection import Engine
from rulesengine.engine.symmetry import is_invariant, symmetries
from rulesengine.errors import SpecError, UsageError
from rulesengine.game import Game
from rulesengine.language import parameters, pipeline
from rulesengine.language.ir.ops import Op, reads_parts
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Key, Strategy
from rulesengine.state import State
from rulesengine.support.frozen import replace
from rulesengine.support.source import Slice, Source

# Specs cannot define a strategy with this name.
_MEASURED = "the measured expression"


Measure = Callable[[State], int]


def with_expression(
    source: Source,
    text: str,
    engine: Engine,
    values: Mapping[str, int | str | bool],
    *,
    symmetry: bool = False,
) -> tuple[Game, Measure]:
    """Return a game with an expression added to its rules, and the expression as a function of
    states.

    `player` in it is the side to move; a condition is 1 or 0. Raises SpecError for a mistake in the
    spec or in the text, and UsageError for invalid parameter values. With `symmetry` it also raises
    UsageError for an expression that differs between symmetric positions.
    """
    analysis = pipeline.analyse(source)
    if analysis.checked is None or analysis.document is None:
        raise SpecError(analysis.findings)
    op, sites, findings = pipeline.check_query(analysis.document, Slice.of(text, "--of"))
    if op is None:
        raise SpecError(findings)
    rules = analysis.checked.rules
    strategy = Strategy(_MEASURED, (Key("most", op),))
    rules = replace(rules, sites=sites, strategies=(*rules.strategies, strategy))
    try:
        game = Game(rules, parameters.bind(rules.parameters, values), engine, analysis.tests)
    except pipeline.LoweringError as error:
        raise SpecError((pipeline.diagnose(analysis, error),)) from None
    lowered = game.program.rules.strategies[-1].keys[0].value
    if symmetry and not _keeps_symmetry(game.program, lowered):
        raise UsageError(f"`{text[:60]}` is not the same in positions that are alike by symmetry")
    return game, _function(game, lowered)


def _keeps_symmetry(program: Program, op: Op) -> bool:
    return all(is_invariant(program, op, automorphism) for automorphism in symmetries(program))


def _function(game: Game, op: Op) -> Measure:
    """Return an expression as a function of states; a score kernel evaluates it if possible."""
    if reads_parts(op, "moves", "outcome", "future"):
        machine = game.machine
        return lambda state: int(machine.value(op, Frame(state, {"player": state.side})))
    scoring = Dispatcher(Interpreter(_scoring(game.program, op)), game.engine)
    return lambda state: int(scoring.scores(state)[state.side])


def _scoring(program: Program, op: Op) -> Program:
    """Return a program with the expression as its score; it is not played."""
    return replace(program, rules=replace(program.rules, score=op, strategies=()))
