"""Coverage of a spec's rules: the clauses that held in random games and in its tests."""

from collections.abc import Iterator
from dataclasses import dataclass

from rulesengine.errors import RulesError, SpecError
from rulesengine.job import Job
from rulesengine.language import parameters, pipeline
from rulesengine.language.ir.rules import Rules, Site
from rulesengine.support.source import Source
from rulesengine.tools.coverage.watched_game import ClauseRecord, InstrumentedGame, RunTest


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """A clause, its key in the spec, and where it held."""

    site: Site
    key: str
    in_games: bool
    in_tests: bool

    @property
    def is_covered(self) -> bool:
        return self.in_games or self.in_tests


@dataclass(frozen=True, slots=True)
class Coverage:
    """The clauses in text order, with the numbers of games, tests and failed tests.

    `problem` is the error that stopped the random games, or empty.
    """

    clauses: tuple[ClauseCoverage, ...]
    games: int
    seed: int
    tests: int
    failed: int
    problem: str


def coverage(
    source: Source, run_test: RunTest, *, games: int, seed: int, job: Job | None = None
) -> Coverage:
    """Play random games, run the tests of a spec, and record which clauses hold.

    A group of moves counts as a clause; it holds if one of its steps is legal. `job` counts the
    games. Raises SpecError.
    """
    analysis = pipeline.analyse(source)
    if analysis.checked is None:
        raise SpecError(analysis.findings)
    rules, clauses = pipeline.clauses(analysis)
    watch = tuple((number, op) for number, clause in enumerate(clauses) for op in clause.ops)
    values = parameters.bind(rules.parameters, {})
    played, tested = ClauseRecord(), ClauseRecord()
    problem = _played(InstrumentedGame(rules, values, watch, played), games, seed, job)
    game = InstrumentedGame(rules, values, watch, tested)
    failed = sum(bool(run_test(game, test)) for test in analysis.tests)
    covered = [
        ClauseCoverage(clause.site, clause.key, number in played.clauses, number in tested.clauses)
        for number, clause in enumerate(clauses)
    ]
    covered += _groups(rules, played, tested)
    covered.sort(key=lambda one: (one.site.file, one.site.line, one.site.column))
    return Coverage(tuple(covered), games, seed, len(analysis.tests), failed, problem)


def _played(game: InstrumentedGame, games: int, seed: int, job: Job | None) -> str:
    """Play random games; return the message of the error that stopped them, or an empty text."""
    try:
        game.playouts(games, seed=seed, job=job)
    except RulesError as error:
        return str(error)
    return ""


def _groups(rules: Rules, played: ClauseRecord, tested: ClauseRecord) -> Iterator[ClauseCoverage]:
    for number, group in enumerate(rules.groups):
        in_games, in_tests = number in played.groups, number in tested.groups
        yield ClauseCoverage(group.site, "moves", in_games, in_tests)
