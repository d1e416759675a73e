"""The driver of a contest: plays units stage by stage and updates the standings."""

import hashlib
from collections.abc import Callable, Iterator

from rulesengine.contests.dispatch import results
from rulesengine.contests.entrants import NO_OBJECTS, Objects
from rulesengine.contests.executors import Pool
from rulesengine.contests.forfeits import ForfeitRun, forfeit_run_after
from rulesengine.contests.opening_files import OpeningLine
from rulesengine.contests.schedule import Group, Plan, units_of
from rulesengine.contests.stats.crosstable import Crosstable, half_points
from rulesengine.contests.stats.sprt import RunningTest, Sprt
from rulesengine.contests.store import Identity, Store
from rulesengine.contests.units import FORFEIT, Entrant, Result, Terms, Unit, with_lines
from rulesengine.job import Job
from rulesengine.support.frozen import record, replace


@record
class Contest:
    """The definition of a contest: terms, entrants, plan and an optional test.

    `name` is the name of the game, `seats` are the names of its players. `objects` are players of
    the caller, by the text of their entrant. `lines` are openings of a file, one for each round.
    """

    name: str
    seats: tuple[str, ...]
    terms: Terms
    entrants: tuple[Entrant, ...]
    plan: Plan
    sprt: Sprt | None = None
    objects: Objects = NO_OBJECTS
    lines: tuple[OpeningLine, ...] = ()

    def identity(self) -> Identity:
        """Return the identity that is stored in the file of this contest."""
        rules = hashlib.sha256(self.terms.rules.encode()).hexdigest()
        names = ", ".join(entrant.name for entrant in self.entrants)
        title = f"{self.name}, {self.plan.games} games, seed {self.terms.seed}, between {names}"
        length = (self.plan.games, self.plan.stages)
        return Identity(rules, self._schedule(self.plan), title, length, self._with_length)

    def _with_length(self, games: int, stages: int) -> tuple[str, bool]:
        """Return the schedule of this contest with another length, and if this one extends it."""
        plan = replace(self.plan, games=games, stages=stages)
        return self._schedule(plan), self.plan.extends(plan)

    def _schedule(self, plan: Plan) -> str:
        """Return a hash of the schedule of this contest with a plan."""
        terms = (*self.terms.parameters, self.terms.seed, self.terms.opening, self.terms.clock)
        more: tuple[object, ...] = (self.terms.increment, self.terms.plies, self.terms.keeps)
        if self.terms.book:
            more += (self.terms.book,)
        schedule = repr((self.entrants, plan, self.sprt, terms, more))
        return hashlib.sha256(schedule.encode()).hexdigest()


class Standings:
    """The state of a contest: the crosstable so far, and the decision of the test.

    `total` is the number of games scheduled so far. If records are kept, `units` are those counted
    so far, and locate their games in the store. With a test, `failing` is the current run of
    forfeits: a long one ends the contest without a decision.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.table = Crosstable(len(contest.entrants))
        self.test = RunningTest(contest.sprt) if contest.sprt else None
        self.total = 0
        self.units: list[tuple[Unit, Group]] = []
        self.failing: ForfeitRun | None = None
        self.is_over = False

    def take(self, result: Result, group: Group) -> None:
        """Add the result of a unit. With a test, units come in the order of their numbers."""
        self.table.add(result, group)
        if self.contest.terms.keeps:
            self.units.append((result.unit, group))
        if self.test:
            self.is_over = self._is_failing(result, group) or self._is_decided(result, self.test)

    def _is_failing(self, result: Result, group: Group) -> bool:
        for game in result.games:
            self.failing = forfeit_run_after(self.failing, game, group)
            if self.failing and self.failing.is_over:
                return True
        return False

    @staticmethod
    def _is_decided(result: Result, test: RunningTest) -> bool:
        faulty = [game.round for game in result.games if game.ending == FORFEIT]
        return test.add(_rounds(result), faulty) != ""


def hold(
    contest: Contest,
    *,
    store: Store | None = None,
    pool: Pool | None = None,
    each: Callable[[Standings], None] | None = None,
    job: Job | None = None,
) -> Standings:
    """Run a contest, or resume the one of a store; `each` is called after each result.

    Units are played in this thread or by a pool. The totals do not depend on the workers or on the
    order of arrival. A contest with a test also ends, undecided, after four consecutive forfeits of
    an entrant. If a store ends with such a run, these games are played again: the cause may be
    fixed.
    """
    return _Driver(contest, store, pool, each or (lambda standings: None), job or Job()).run()


class _Driver:
    def __init__(
        self,
        contest: Contest,
        store: Store | None,
        pool: Pool | None,
        each: Callable[[Standings], None],
        job: Job,
    ) -> None:
        self.contest = contest
        self.store = store
        self.pool = pool
        self.each = each
        self.job = job
        self.standings = Standings(contest)

    def run(self) -> Standings:
        stage = number = 0
        plan, standings = self.contest.plan, self.standings
        while not standings.is_over:
            groups = plan.groups(stage, standings.table)
            if not groups:
                break
            planned = units_of(plan, self.contest.entrants, groups, stage, number)
            units = [(with_lines(unit, self.contest.lines), group) for unit, group in planned]
            standings.total += sum(unit.count for unit, _ in units) * plan.seats
            if self.store and standings.test:
                _forget_failing(self.store, units)
            self._stage(units)
            number, stage = number + len(units), stage + 1
        standings.is_over = True
        return standings

    def _stage(self, units: list[tuple[Unit, Group]]) -> None:
        """Play the units that are not stored; with a test, results are counted in order."""
        groups = {unit.number: group for unit, group in units}
        early: dict[int, Result] = {}
        following = units[0][0].number
        tasks = ((self.contest.terms, unit) for unit, _ in units)
        objects = self.contest.objects
        for result in results(
            tasks, store=self.store, pool=self.pool, job=self.job, objects=objects
        ):
            early[result.unit.number] = result
            due = [result.unit.number] if not self.standings.test else _run(early, following)
            for number in due:
                self.standings.take(early.pop(number), groups[number])
                following = number + 1
                if self.standings.is_over:
                    self._decided(number)
                    return
            self.each(self.standings)

    def _decided(self, number: int) -> None:
        """Drop the units after the decision from the store; some may have been played."""
        if self.store:
            self.store.drop_after(number)
        self.each(self.standings)


def _forget_failing(store: Store, units: list[tuple[Unit, Group]]) -> None:
    """Delete the games of a run of forfeits that ended the contest, if there is one."""
    numbers, failing = store.numbers(), None
    for unit, group in units:
        if unit.number not in numbers:
            return
        for game in store.result(unit).games:
            failing = forfeit_run_after(failing, game, group)
            if failing and failing.is_over:
                since = failing.since
                first = next(unit for unit, _ in units if unit.first + unit.count > since)
                store.drop_after(first.number - 1)
                return


def _run(early: dict[int, Result], following: int) -> Iterator[int]:
    """Yield the numbers of consecutive results from `following` on."""
    while following in early:
        yield following
        following += 1


def _rounds(result: Result) -> list[tuple[int, int]]:
    """Return each round of a unit with the half points of the first player."""
    counts: dict[int, int] = {}
    for game in result.games:
        counts[game.round] = counts.get(game.round, 0) + half_points(game)
    return list(counts.items())
