"""Fuzzing by random games: for every problem the shortest game that shows it."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from rulesengine.engine.drivers.random import Generator
from rulesengine.job import Job
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules
from rulesengine.language.lower import LoweringError, lower
from rulesengine.language.pipeline import Analysis, place, place_of_end
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.limits import MAX_PLIES
from rulesengine.tools.lint.exhaustive import Exploration, endless, explore
from rulesengine.tools.lint.metered_interpreter import MeteredInterpreter, OperationLimit
from rulesengine.tools.lint.parameter_values import defaults, format_values, random_values
from rulesengine.tools.lint.problem import KNOWN_EMPTY, Problem, move_texts, shortened, when
from rulesengine.tools.lint.random_games import GameStatistics, play_random_game
from rulesengine.tools.lint.short_games import NEVER_ENDS, NEVER_ENDS_HELP, to_warning
from rulesengine.tools.lint.static_rules import span_of_group, warning

# Limit of operations for one game, and for the exploration; at most about a second.
_WORK = 1_000_000
_POSITIONS = 20_000
# The least number of games that can show that a clause never applies; a tenth may be given up.
_ENOUGH = 100


def fuzzed(analysis: Analysis, games: int, seed: int, job: Job) -> Iterator[Diagnostic]:
    """Yield the problems of `games` random games; the same seed gives the same problems.

    Every other game is played with random parameter values.
    """
    assert analysis.checked is not None
    rules = analysis.checked.rules
    program = lower(rules, defaults(rules))
    explored = explore(MeteredInterpreter(program, _WORK), _POSITIONS)
    problems: dict[str, _ProblemCase] = {}
    if explored.problem:
        _keep(problems, _ProblemCase(explored.problem, program, "no shorter game shows this"))
    statistics, others = GameStatistics(), GameStatistics()
    for number in range(games):
        draw = Generator(seed, number)
        if number % 2 and rules.parameters:
            _keep(problems, _varied(rules, draw, others))
        else:
            problem = play_random_game(
                MeteredInterpreter(program, _WORK), draw, MAX_PLIES, statistics
            )
            _keep(problems, _ProblemCase(problem, program) if problem else None)
        job.advance(1)
    yield from (_to_diagnostic(analysis, one) for one in problems.values())
    yield from _never_ends(analysis, explored, program)
    yield from _never(analysis, _together(statistics, others), explored)
    yield from _ties(analysis, statistics, program)


@dataclass(frozen=True, slots=True)
class _ProblemCase:
    """A problem, the program that has it, and facts about the game that shows it."""

    problem: Problem
    program: Program
    known: str = ""
    values: str = ""


def _keep(problems: dict[str, _ProblemCase], new: _ProblemCase | None) -> None:
    """Store the shortest game for each kind of problem; default parameter values come first."""
    old = problems.get(new.problem.code) if new else None
    if new and new.problem.concerns(new.program.rules) and (old is None or _rank(new) < _rank(old)):
        problems[new.problem.code] = new


def _rank(problem: _ProblemCase) -> tuple[bool, int]:
    return bool(problem.values), len(problem.problem.path)


def _varied(rules: Rules, draw: Generator, statistics: GameStatistics) -> _ProblemCase | None:
    """Play a game with random parameter values."""
    values = random_values(rules, draw)
    try:
        program = lower(rules, values)
    except LoweringError:
        return None  # reported for the parameter, or for a combination of parameters
    problem = play_random_game(MeteredInterpreter(program, _WORK), draw, MAX_PLIES, statistics)
    return _ProblemCase(problem, program, "", format_values(values)) if problem else None


def _to_diagnostic(analysis: Analysis, case: _ProblemCase) -> Diagnostic:
    machine, problem = MeteredInterpreter(case.program, _WORK), case.problem
    if not case.known:
        with suppress(OperationLimit):
            problem = shortened(machine, problem)
    if case.values:
        problem = replace(problem, message=f"{problem.message}, with {case.values}")
    warning = to_warning(analysis, problem, machine)
    return replace(warning, help=warning.help or case.known)


def _never_ends(
    analysis: Analysis, explored: Exploration, program: Program
) -> Iterator[Diagnostic]:
    path = endless(explored)
    if path is not None:
        problem = Problem("never-ends", NEVER_ENDS, NEVER_ENDS_HELP, path)
        yield to_warning(analysis, problem, MeteredInterpreter(program, _WORK))


def _together(one: GameStatistics, other: GameStatistics) -> GameStatistics:
    return GameStatistics(
        one.groups | other.groups,
        one.ends | other.ends,
        one.movers | other.movers,
        one.games + other.games,
        one.abandoned + other.abandoned,
        one.ended + other.ended,
        max(one.longest, other.longest),
    )


def _never(
    analysis: Analysis, statistics: GameStatistics, explored: Exploration
) -> Iterator[Diagnostic]:
    """Yield clauses without any effect: proved by full exploration, otherwise shown by games."""
    assert analysis.checked is not None
    rules = analysis.checked.rules
    proved = explored.complete and not explored.problem and not rules.parameters
    if proved:
        statistics = GameStatistics(
            explored.groups, explored.ends, explored.movers, games=1, ended=1
        )
        when = "in any game"
        help = "remove it, or correct its condition"
    elif statistics.games < _ENOUGH - _ENOUGH // 10:
        yield from _too_few(analysis, statistics)
        return
    else:
        when, help = _in_games(statistics), "check whether its condition can hold"
    if not statistics.ended:
        message = f"no game ended {when}, of {statistics.longest} moves at most"
        yield warning("never-ends", place(analysis, "rules"), message, NEVER_ENDS_HELP)
    for side, player in enumerate(rules.players):
        if side not in statistics.movers:
            message = f"`{player.name}` never moves {when}"
            yield warning("never-moves", place(analysis, "players"), message, "check `turn`")
    for number, group in enumerate(rules.groups):
        if number not in statistics.groups:
            message = f"no move of this group is legal {when}"
            more = f"{help}; {KNOWN_EMPTY}" if hidden_in(rules).pieces else help
            yield warning("never-applies", span_of_group(analysis, rules, group), message, more)
    for number, end in enumerate(rules.ends):
        # Random games make every claim, so that they need not reach a later end.
        is_claimed = not end.claim and any(other.claim for other in rules.ends[:number])
        if statistics.ended and number not in statistics.ends and not is_claimed:
            message = f"this end is not reached {when}"
            yield warning("never-holds", place_of_end(analysis, number), message, help)


def _in_games(statistics: GameStatistics) -> str:
    more = f" ({statistics.abandoned} more were given up)" if statistics.abandoned else ""
    return f"in {statistics.games} random games{more}"


def _too_few(analysis: Analysis, statistics: GameStatistics) -> Iterator[Diagnostic]:
    """Report games over their work limit, if they would have been enough for findings."""
    assert analysis.checked is not None
    if statistics.games + statistics.abandoned >= _ENOUGH:
        rules = analysis.checked.rules
        idle = len(rules.groups) - len(statistics.groups), len(rules.ends) - len(statistics.ends)
        games = statistics.games + statistics.abandoned
        message = f"{statistics.abandoned} of {games} random games were given up,"
        message += " because they exceed the work limit: unused clauses are not reported,"
        message += f" though {idle[0]} groups of moves and {idle[1]} ends did not occur"
        help = f"at least {_ENOUGH} finished games are needed: play more, or use a smaller board"
        yield warning("never-ends", place(analysis, "rules"), message, help)
    elif not statistics.ended and statistics.games + statistics.abandoned:
        message = f"none of {statistics.games + statistics.abandoned} random games came to an end,"
        message += f" the longest was given up after {statistics.longest} moves"
        yield warning("never-ends", place(analysis, "rules"), message, NEVER_ENDS_HELP)


def _ties(analysis: Analysis, statistics: GameStatistics, program: Program) -> Iterator[Diagnostic]:
    """Report strategies that end with a board coordinate but leave moves tied."""
    for name, (first, second) in statistics.tied.items():
        machine = MeteredInterpreter(program, _WORK)
        one, other = (move_texts(machine, path) for path in (first, second))
        message = f"`{name}` ranks `{one[-1]}` and `{other[-1]}` equally {when(one[:-1])}"
        help = "add keys that leave one move, such as `lowest` and `leftmost`"
        yield warning("ties-left", place(analysis, "strategies", name), message, help)
