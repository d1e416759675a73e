"""Units out, results in: played in this thread or by a pool, and kept in a file as they come."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait

from rulesengine.contests.executors import Pool
from rulesengine.contests.store import Store
from rulesengine.contests.unit_runner import play_batch, play_unit
from rulesengine.contests.units import Batch, Done, Result, Terms, Unit
from rulesengine.errors import UsageError
from rulesengine.job import Job

AHEAD = 2  # batches for each worker that wait for it
_LOOK = 0.2  # seconds until an interrupt is looked for
_SPAN = 0.5  # seconds that a batch is to take at least, beside which what sends it counts little
_TURN = 0.005  # seconds for each worker more: all of them wait for one driver and one scheduler
_SHARE = 2  # a worker gets a half of its share of what is left, so that all end together
_RECENT = 0.3  # how much the last batch counts in the time of a unit
_TINY = 1e-6

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
    for several in _Sending(pool, todo, job).results() if pool else _here(todo, job):
        if store:
            store.keep(several)
        yield from several


def span_for(workers: int) -> float:
    """How many seconds a batch is to take."""
    return max(_SPAN, _TURN * workers)


def batch_size(seconds: float, workers: int, left: int) -> int:
    """How many units go at once, of so many that are left, each of which takes some time."""
    most = max(1, left // (_SHARE * workers))
    return min(most, max(1, int(span_for(workers) / seconds)))


def _here(todo: Iterable[Task], job: Job) -> Iterator[Sequence[Result]]:
    for terms, unit in todo:
        job.poll()
        yield (play_unit(terms, unit, job),)


class _Sending:
    """Gives a pool a few batches more than it has workers.

    A batch is as many units as take half a second, longer where there are many workers, as far as
    that is known; but never more than half of a worker's share of what is left, as in guided
    self-scheduling (Polychronopoulos and Kuck, 1987). What comes of a unit does not hang on its
    batch.
    """

    def __init__(self, pool: Pool, todo: deque[Task], job: Job) -> None:
        self.pool = pool
        self.todo = todo
        self.job = job
        self.waiting: dict[Future[Done], Batch] = {}
        self.seconds = span_for(pool.size)  # of a unit, as far as is known

    def results(self) -> Iterator[Sequence[Result]]:
        """What has come by now, again and again: many batches at once where many are done."""
        try:
            while self._fill():
                self.job.poll()
                done, _ = wait(self.waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
                fine = [f for f in done if not f.cancelled() and f.exception() is None]
                if fine:
                    yield [result for future in fine for result in self._taken(future)]
                for future in done.difference(fine):
                    if future in self.waiting:
                        self._failed(future)
        finally:
            for future in self.waiting:
                future.cancel()

    def _fill(self) -> bool:
        """Send what there is room for; whether anything is under way."""
        while self.todo and len(self.waiting) < AHEAD * self.pool.size:
            batch = self._batch()
            shared = (self.pool.job,) if self.pool.job else ()
            self.waiting[self.pool.executor.submit(play_batch, batch, *shared)] = batch
        return bool(self.waiting)

    def _batch(self) -> Batch:
        """The next units, all of the same terms."""
        wanted = batch_size(self.seconds, self.pool.size, len(self.todo))
        terms = self.todo[0][0]
        units = list[Unit]()
        while self.todo and len(units) < wanted and self.todo[0][0] == terms:
            units.append(self.todo.popleft()[1])
        return Batch(terms, tuple(units))

    def _taken(self, future: "Future[Done]") -> Sequence[Result]:
        """What came of a batch, by which the time of a unit is learned."""
        self.pool.worked()
        done, batch = future.result(), self.waiting.pop(future)
        each = done.seconds / len(batch.units)
        self.seconds = max((1 - _RECENT) * self.seconds + _RECENT * each, _TINY)
        return done.results

    def _failed(self, future: "Future[Done]") -> None:
        """Have workers that died replaced. Raises what else came of a batch."""
        try:
            future.result()
        except (BrokenExecutor, CancelledError):
            self.pool.renew()
            self._again()
        except OSError as error:
            raise UsageError(f"the workers are gone: {str(error)[:200]}") from None

    def _again(self) -> None:
        """Whatever was under way is sent once more, before all else."""
        lost = [(batch.terms, unit) for batch in self.waiting.values() for unit in batch.units]
        self.todo.extendleft(sorted(lost, key=lambda task: -task[1].number))
        self.waiting.clear()
