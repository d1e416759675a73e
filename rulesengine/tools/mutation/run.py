"""Mutation: small changes to a spec's rules, and whether its tests notice them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rulesengine.errors import InternalError, RulesError, SpecError
from rulesengine.language import parameters, pipeline
from rulesengine.language.ir.rules import Site
from rulesengine.support.source import Source
from rulesengine.tools.coverage.watched_game import RunTest, Test
from rulesengine.tools.mutation.budgeted_game import Allowance, LimitedGame, Spent
from rulesengine.tools.mutation.equivalence import is_same_program, plays_alike

# What became of a change: a test failed; none did; the program is the same; so many random
# games are, or the program for the defaults of the parameters; the spec is none any more.
Fate = Literal["noticed", "survived", "same", "alike", "broken"]

_MOST = 10**12
# A changed game may evaluate so many times the operations of the tests, and some more.
_TIMES, _MORE = 5, 500_000


@dataclass(frozen=True, slots=True)
class Tried:
    """A change to the rules, its place, and its fate."""

    site: Site
    change: str
    fate: Fate


@dataclass(frozen=True, slots=True)
class Mutation:
    """All changes in the order of the text; how many tests there are, and failed without any."""

    tried: tuple[Tried, ...]
    tests: int
    failed: int

    def count(self, fate: Fate) -> int:
        """How many changes had a fate."""
        return sum(one.fate == fate for one in self.tried)


def mutation(
    source: Source,
    run_test: RunTest,
    *,
    games: int,
    seed: int,
    tell: Callable[[Tried], None] = lambda tried: None,
) -> Mutation:
    """Change the rules of a spec bit by bit, and run the tests each time.

    Only what stands in the spec's own text is changed, not in those it extends. A change that no
    test notices, and no difference in so many random games either, is taken for none. `tell` is
    called with each change when its fate is known. Raises SpecError.
    """
    game, tests = _read(source, Allowance(_MOST))
    bench = _Bench(source, game, run_test, games, seed)
    used = {number: bench.cost(test) for number, test in enumerate(tests)}
    passing = [n for n in sorted(used, key=lambda n: used[n]) if used[n] >= 0]
    bench.tests = tuple(tests[number] for number in passing)
    bench.allowed = _TIMES * sum(used[number] for number in passing) + _MORE
    done: list[Tried] = []
    for tried in bench.tried():
        done.append(tried)
        tell(tried)
    return Mutation(tuple(done), len(tests), len(tests) - len(passing))


class _Bench:
    """The spec as it is, its tests from the cheapest, and what a change may cost."""

    def __init__(
        self, source: Source, game: LimitedGame, run_test: RunTest, games: int, seed: int
    ) -> None:
        self.source, self.game, self.run_test = source, game, run_test
        self.games, self.seed = games, seed
        self.tests: tuple[Test, ...] = ()
        self.allowed = 0

    def cost(self, test: Test) -> int:
        """How many operations a test takes, -1 if it fails as it is."""
        before = self.game.may.left
        problems = self.run_test(self.game, test)
        return -1 if problems else before - self.game.may.left

    def tried(self) -> Iterator[Tried]:
        """Every change and its fate."""
        for mutant in pipeline.mutants(pipeline.analyse(self.source)):
            line, column = self.source.position(mutant.span.start)
            text = " ".join(mutant.span.text.split())
            fate = self._fate(Source(self.source.name, mutant.text))
            yield Tried(Site(self.source.name, line, column, text), mutant.change, fate)

    def _fate(self, source: Source) -> Fate:
        try:
            game, _ = _read(source, Allowance(self.allowed))
        except InternalError:
            raise
        except RulesError:
            return "broken"
        same = is_same_program(self.game, game)
        if same and not game.rules.parameters:
            return "same"
        try:
            if any(self.run_test(game, test) for test in self.tests):
                return "noticed"
        except Spent:
            return "noticed"
        return "alike" if same else self._unnoticed(game)

    def _unnoticed(self, game: LimitedGame) -> Fate:
        game.may.left = self.allowed
        try:
            alike = plays_alike(self.game, game, self.games, self.seed)
        except Spent:
            alike = False
        return "alike" if alike and self.games else "survived"


def _read(source: Source, may: Allowance) -> tuple[LimitedGame, tuple[Test, ...]]:
    """The game of a spec on an allowance, and its tests. Raises SpecError."""
    analysis = pipeline.analyse(source)
    if analysis.checked is None:
        raise SpecError(analysis.findings)
    rules = analysis.checked.rules
    values = parameters.bind(rules.parameters, {})
    return LimitedGame(rules, values, (), may), analysis.tests
