"""Short random games, fast enough for every check."""

from collections.abc import Iterator

from rulesengine.engine.drivers.random import Generator
from rulesengine.language.lower import lower
from rulesengine.language.pipeline import Analysis, place
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.tools.lint.exhaustive import endless, explore
from rulesengine.tools.lint.metered_interpreter import MeteredInterpreter, OperationLimit
from rulesengine.tools.lint.parameter_values import defaults
from rulesengine.tools.lint.problem import Problem, message_of
from rulesengine.tools.lint.random_games import GameStatistics, play_random_game
from rulesengine.tools.lint.static_rules import warning

_PLIES = 60
# Operation limits for each game and for the exploration; less than a tenth of a second in all.
_GAMES = (40_000, 10_000, 10_000)
_POSITIONS, _EXPLORING = 500, 10_000
_TELLING = 100_000


def from_games(analysis: Analysis) -> Iterator[Diagnostic]:
    """Yield the first problem of three random games, or a proof that a small game may never end."""
    assert analysis.checked is not None
    program = lower(analysis.checked.rules, defaults(analysis.checked.rules))
    for game, work in enumerate(_GAMES):
        machine, statistics = MeteredInterpreter(program, work), GameStatistics()
        problem = play_random_game(machine, Generator(game, 0), _PLIES, statistics) or _idle(
            machine, statistics
        )
        if problem:
            if problem.concerns(program.rules):
                yield to_warning(analysis, problem, machine)
            return
    path = endless(explore(MeteredInterpreter(program, _EXPLORING), _POSITIONS))
    if path is not None:
        yield to_warning(
            analysis, Problem("never-ends", NEVER_ENDS, NEVER_ENDS_HELP, path), machine
        )


NEVER_ENDS = "no end can be reached {when}, whatever is played"
NEVER_ENDS_HELP = "add an end that must come about, such as `when: plies >= 200`"


def to_warning(analysis: Analysis, problem: Problem, machine: MeteredInterpreter) -> Diagnostic:
    """Return a problem as a warning."""
    machine.remaining = _TELLING
    try:
        message = message_of(problem, machine)
    except OperationLimit:
        message = problem.message.replace("{when}", f"after {len(problem.path)} moves", 1)
    assert analysis.checked is not None
    spans, site = analysis.checked.spans, problem.site
    span = spans[site] if site >= 0 else place(analysis, "rules", "moves")
    return warning(problem.code, span, message, problem.help)


def _idle(machine: MeteredInterpreter, statistics: GameStatistics) -> Problem | None:
    """Return the problem of a player without a move in a sufficiently long game."""
    players = machine.program.form.players
    idle = [name for side, name in enumerate(players) if side not in statistics.movers]
    if not idle or statistics.longest < _PLIES:
        return None
    return Problem("never-moves", f"`{idle[0]}` never moves in {_PLIES} moves", "check `turn`")
