"""A contest as it is held: units go out, results come in, stage after stage."""

import hashlib
from collections.abc import Callable, Iterator

from rulesengine.contests.dispatch import results
from rulesengine.contests.executors import Pool
from rulesengine.contests.forfeits import Failing, failing_after
from rulesengine.contests.schedule import Group, Plan, units_of
from rulesengine.contests.stats.crosstable import Crosstable, half_points
from rulesengine.contests.stats.sprt import Running, Sprt
from rulesengine.contests.store import Identity, Store
from rulesengine.contests.units import FORFEIT, Entrant, Result, Terms, Unit
from rulesengine.job import Job
from rulesengine.support.frozen import record


@record
class Contest:
    """All that a contest is: what is played, by whom, who meets whom, and when it is over.

    `name` is that of the game, `seats` are those of its players.
    """

    name: str
    seats: tuple[str, ...]
    terms: Terms
    entrants: tuple[Entrant, ...]
    plan: Plan
    sprt: Sprt | None = None

    def identity(self) -> Identity:
        """By which a file of this contest is known."""
        rules = hashlib.sha256(self.terms.rules.encode()).hexdigest()
        terms = (*self.terms.parameters, self.terms.seed, self.terms.opening, self.terms.clock)
        more = (self.terms.increment, self.terms.plies, self.terms.keeps)
        schedule = repr((self.entrants, self.plan, self.sprt, terms, more))
        names = ", ".join(entrant.name for entrant in self.entrants)
        told = f"{self.name}, {self.plan.games} games, seed {self.terms.seed}, between {names}"
        return Identity(rules, hashlib.sha256(schedule.encode()).hexdigest(), told)


class Standing:
    """How a contest stands: the sums of the games so far, and what the test has decided.

    `total` is how many games have been scheduled by now; of a contest that is kept in a file
    `units` are those that have been taken in, by which their games are found again. With a test,
    `failing` is who has lost the last games by faults, one after the other: if these are several
    the contest is over without a decision.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.table = Crosstable(len(contest.entrants))
        self.test = Running(contest.sprt) if contest.sprt else None
        self.total = 0
        self.units: list[tuple[Unit, Group]] = []
        self.failing: Failing | None = None
        self.is_over = False

    def take(self, result: Result, group: Group) -> None:
        """Take in what came of a unit. With a test, units come in the order of their numbers."""
        self.table.add(result, group)
        if self.contest.terms.keeps:
            self.units.append((result.unit, group))
        if self.test:
            self.is_over = self._is_failing(result, group) or self._is_decided(result, self.test)

    def _is_failing(self, result: Result, group: Group) -> bool:
        for game in result.games:
            self.failing = failing_after(self.failing, game, group)
            if self.failing and self.failing.is_over:
                return True
        return False

    @staticmethod
    def _is_decided(result: Result, test: Running) -> bool:
        faulty = [game.round for game in result.games if game.ending == FORFEIT]
        return test.add(_rounds(result), faulty) != ""


def hold(
    contest: Contest,
    *,
    store: Store | None = None,
    pool: Pool | None = None,
    each: Callable[[Standing], None] | None = None,
    job: Job | None = None,
) -> Standing:
    """Hold a contest, or go on with the one of a file; `each` is called after each unit.

    Units are played in this thread, or by a pool. What is counted does not hang on who plays
    them, nor on when they arrive.

    A contest with a test also ends, undecided, when somebody has lost four games in a row by
    faults. Of a file that holds such an end these games are played again: whatever was wrong may
    have been put right.
    """
    return _Driver(contest, store, pool, each or (lambda standing: None), job or Job()).run()


class _Driver:
    def __init__(
        self,
        contest: Contest,
        store: Store | None,
        pool: Pool | None,
        each: Callable[[Standing], None],
        job: Job,
    ) -> None:
        self.contest = contest
        self.store = store
        self.pool = pool
        self.each = each
        self.job = job
        self.standing = Standing(contest)

    def run(self) -> Standing:
        stage = number = 0
        plan, standing = self.contest.plan, self.standing
        while not standing.is_over:
            groups = plan.groups(stage, standing.table)
            if not groups:
                break
            units = list(units_of(plan, self.contest.entrants, groups, stage, number))
            standing.total += sum(unit.count for unit, _ in units) * plan.seats
            if self.store and standing.test:
                _forget_failing(self.store, units)
            self._stage(units)
            number, stage = number + len(units), stage + 1
        standing.is_over = True
        return standing

    def _stage(self, units: list[tuple[Unit, Group]]) -> None:
        """Play what is not kept yet; results count at once, or in order where a test decides."""
        groups = {unit.number: group for unit, group in units}
        early: dict[int, Result] = {}
        following = units[0][0].number
        tasks = ((self.contest.terms, unit) for unit, _ in units)
        for result in results(tasks, store=self.store, pool=self.pool, job=self.job):
            early[result.unit.number] = result
            due = [result.unit.number] if not self.standing.test else _run(early, following)
            for number in due:
                self.standing.take(early.pop(number), groups[number])
                following = number + 1
                if self.standing.is_over:
                    self._decided(number)
                    return
            self.each(self.standing)

    def _decided(self, number: int) -> None:
        """No later game counts, though some may have been played."""
        if self.store:
            self.store.drop_after(number)
        self.each(self.standing)


def _forget_failing(store: Store, units: list[tuple[Unit, Group]]) -> None:
    """Drop the games by whose faults a contest has ended, and none where it has not."""
    kept, failing = store.numbers(), None
    for unit, group in units:
        if unit.number not in kept:
            return
        for game in store.result(unit).games:
            failing = failing_after(failing, game, group)
            if failing and failing.is_over:
                since = failing.since
                first = next(unit for unit, _ in units if unit.first + unit.count > since)
                store.drop_after(first.number - 1)
                return


def _run(early: dict[int, Result], following: int) -> Iterator[int]:
    """The numbers of the results that are there without a gap."""
    while following in early:
        yield following
        following += 1


def _rounds(result: Result) -> list[tuple[int, int]]:
    """Each round of a unit with the half points of the first player."""
    found: dict[int, int] = {}
    for game in result.games:
        found[game.round] = found.get(game.round, 0) + half_points(game)
    return list(found.items())
