"""Units out, results in: played in this thread or by a pool, and kept in a file as they come."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait

from rulesengine.contests.executors import Pool
from rulesengine.contests.store import Store
from rulesengine.contests.terms import Batch, Done, Result, Terms, Unit
from rulesengine.contests.work import play_batch, play_unit
from rulesengine.errors import UsageError
from rulesengine.job import Job

_AHEAD = 2  # batches for each worker that wait for it
_LOOK = 0.2  # seconds until an interrupt is looked for
_SPAN = 0.5  # seconds that a batch is to take, beside which what sends it counts little
_SHARE = 4  # a worker gets this part of its share of what is left, so that all end together
_RECENT = 0.3  # how much the last batch counts in the time of a unit

Task = tuple[Terms, Unit]


def results(
    tasks: Iterable[Task], *, store: Store | None = None, pool: Pool | None = None, job: Job
) -> Iterator[Result]:
    """What comes of units, in any order: first of those that a file keeps, then of the others.

    Each is kept before it is given. Raises UsageError where workers die again and again.
    """
    kept = store.numbers() if store else frozenset[int]()
    todo = deque[Task]()
    for terms, unit in tasks:
        if store and unit.number in kept:
            yield store.result(unit)
        else:
            todo.append((terms, unit))
    for result in _Sending(pool, todo, job).results() if pool else _here(todo, job):
        if store:
            store.keep(result)
        yield result


def _here(todo: Iterable[Task], job: Job) -> Iterator[Result]:
    for terms, unit in todo:
        job.poll()
        yield play_unit(terms, unit, job)


class _Sending:
    """Gives a pool a few batches more than it has workers.

    A batch is as many units as take half a second, as far as that is known, but never more than a
    part of a worker's share of what is left (guided self-scheduling; Polychronopoulos and Kuck,
    1987). What comes of a unit does not hang on its batch.
    """

    def __init__(self, pool: Pool, todo: deque[Task], job: Job) -> None:
        self.pool = pool
        self.todo = todo
        self.job = job
        self.waiting: dict[Future[Done], Batch] = {}
        self.seconds = _SPAN  # of a unit, as far as is known

    def results(self) -> Iterator[Result]:
        try:
            while self._fill():
                self.job.poll()
                done, _ = wait(self.waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
                for future in done:
                    if future in self.waiting:
                        yield from self._taken(future)
        finally:
            for future in self.waiting:
                future.cancel()

    def _fill(self) -> bool:
        """Send what there is room for; whether anything is under way."""
        while self.todo and len(self.waiting) < _AHEAD * self.pool.size:
            batch = self._batch()
            self.waiting[self.pool.executor.submit(play_batch, batch)] = batch
        return bool(self.waiting)

    def _batch(self) -> Batch:
        """The next units, all of the same terms."""
        most = max(1, len(self.todo) // (_SHARE * self.pool.size))
        wanted = min(most, max(1, int(_SPAN / self.seconds)))
        terms = self.todo[0][0]
        units = list[Unit]()
        while self.todo and len(units) < wanted and self.todo[0][0] == terms:
            units.append(self.todo.popleft()[1])
        return Batch(terms, tuple(units))

    def _taken(self, future: "Future[Done]") -> tuple[Result, ...]:
        """What came of a batch: nothing where the workers have died and are there anew."""
        try:
            done = future.result()
        except (BrokenExecutor, CancelledError):
            self.pool.renew()
            self._again()
            return ()
        except OSError as error:
            raise UsageError(f"the workers are gone: {str(error)[:200]}") from None
        self.pool.worked()
        batch = self.waiting.pop(future)
        each = done.seconds / len(batch.units)
        self.seconds = max((1 - _RECENT) * self.seconds + _RECENT * each, _SPAN / 10**6)
        return done.results

    def _again(self) -> None:
        """Whatever was under way is sent once more, before all else."""
        lost = [(batch.terms, unit) for batch in self.waiting.values() for unit in batch.units]
        self.todo.extendleft(sorted(lost, key=lambda task: -task[1].number))
        self.waiting.clear()
