"""Mutation testing of a spec: each change to its rules, and the status of this mutant."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rulesengine.errors import InternalError, RulesError, SpecError
from rulesengine.language import parameters, pipeline
from rulesengine.language.ir.rules import Site
from rulesengine.support.source import Source
from rulesengine.tools.coverage.watched_game import RunTest, Test
from rulesengine.tools.mutation.budgeted_game import BudgetedGame, EvaluationBudget, OperationLimit
from rulesengine.tools.mutation.equivalence import is_same_program, plays_equal_games

# - `killed`: a test fails, or the tests take too many operations.
# - `survived`: no test fails, and random games differ.
# - `equivalent`: the compiled program is equal.
# - `likely_equivalent`: no test fails, and random games or the program for the default parameters
#   are equal.
# - `invalid`: the spec has errors.
MutantStatus = Literal["killed", "survived", "equivalent", "likely_equivalent", "invalid"]

_UNLIMITED = 10**12
# The operation limit of a mutant: a multiple of the tests' operations, plus a constant.
_BUDGET_FACTOR, _EXTRA_BUDGET = 5, 500_000


@dataclass(frozen=True, slots=True)
class MutantResult:
    """A change to the rules, its location, and its status."""

    site: Site
    change: str
    status: MutantStatus


@dataclass(frozen=True, slots=True)
class MutationReport:
    """The mutants in text order, and the numbers of tests and of tests that fail unchanged."""

    results: tuple[MutantResult, ...]
    tests: int
    failed: int

    def count(self, status: MutantStatus) -> int:
        """Return the number of changes with a status."""
        return sum(one.status == status for one in self.results)


def mutation(
    source: Source,
    run_test: RunTest,
    *,
    games: int,
    seed: int,
    each: Callable[[MutantResult], None] = lambda result: None,
) -> MutationReport:
    """Run mutation testing: run the tests on every mutant of a spec.

    Only the text of the spec is changed, not its parents. A mutant that no test kills is likely
    equivalent if `games` random games show no difference. `each` is called with each result. Raises
    SpecError.
    """
    game, tests = _read(source, EvaluationBudget(_UNLIMITED))
    bench = _Bench(source, game, run_test, games, seed)
    used = {number: bench.cost(test) for number, test in enumerate(tests)}
    passing = [n for n in sorted(used, key=lambda n: used[n]) if used[n] >= 0]
    bench.tests = tuple(tests[number] for number in passing)
    bench.budget = _BUDGET_FACTOR * sum(used[number] for number in passing) + _EXTRA_BUDGET
    results: list[MutantResult] = []
    for result in bench.run_changes():
        results.append(result)
        each(result)
    return MutationReport(tuple(results), len(tests), len(tests) - len(passing))


class _Bench:
    """The unchanged spec, its tests in order of cost, and the operation limit of a change."""

    def __init__(
        self, source: Source, game: BudgetedGame, run_test: RunTest, games: int, seed: int
    ) -> None:
        self.source, self.game, self.run_test = source, game, run_test
        self.games, self.seed = games, seed
        self.tests: tuple[Test, ...] = ()
        self.budget = 0

    def cost(self, test: Test) -> int:
        """Return the number of operations of a test, or -1 if it fails on the unchanged spec."""
        before = self.game.budget.remaining
        problems = self.run_test(self.game, test)
        return -1 if problems else before - self.game.budget.remaining

    def run_changes(self) -> Iterator[MutantResult]:
        """Yield every change with its status."""
        for mutant in pipeline.mutants(pipeline.analyse(self.source)):
            line, column = self.source.position(mutant.span.start)
            text = " ".join(mutant.span.text.split())
            status = self._status_of(Source(self.source.name, mutant.text))
            yield MutantResult(Site(self.source.name, line, column, text), mutant.change, status)

    def _status_of(self, source: Source) -> MutantStatus:
        try:
            game, _ = _read(source, EvaluationBudget(self.budget))
        except InternalError:
            raise
        except RulesError:
            return "invalid"
        same = is_same_program(self.game, game)
        if same and not game.rules.parameters:
            return "equivalent"
        try:
            if any(self.run_test(game, test) for test in self.tests):
                return "killed"
        except OperationLimit:
            return "killed"
        return "likely_equivalent" if same else self._status_of_survivor(game)

    def _status_of_survivor(self, game: BudgetedGame) -> MutantStatus:
        game.budget.remaining = self.budget
        try:
            plays_equal = plays_equal_games(self.game, game, self.games, self.seed)
        except OperationLimit:
            plays_equal = False
        return "likely_equivalent" if plays_equal and self.games else "survived"


def _read(source: Source, budget: EvaluationBudget) -> tuple[BudgetedGame, tuple[Test, ...]]:
    """Return the game of a spec with a budget, and its tests. Raises SpecError."""
    analysis = pipeline.analyse(source)
    if analysis.checked is None:
        raise SpecError(analysis.findings)
    rules = analysis.checked.rules
    values = parameters.bind(rules.parameters, {})
    return BudgetedGame(rules, values, (), budget), analysis.tests
