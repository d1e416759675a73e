"""Scheduler of units: plays them in this thread or a pool, and stores results as they arrive."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait

from rulesengine.contests.entrants import NO_OBJECTS, Objects
from rulesengine.contests.executors import Pool
from rulesengine.contests.store import Store
from rulesengine.contests.unit_runner import play_batch, play_unit
from rulesengine.contests.units import Batch, BatchResult, Result, Terms, Unit
from rulesengine.errors import UsageError
from rulesengine.job import Job

AHEAD = 2  # batches submitted per worker, the running one included
_POLL_SECONDS = 0.2  # seconds between two polls for an interrupt
_SPAN = 0.5  # minimum seconds per batch, to amortise its overhead
_TURN = 0.005  # seconds per worker: all workers share one driver and one scheduler
# a batch has at most half of a worker's share of the rest, so all workers finish together
_SHARE = 2
_RECENT = 0.3  # weight of the last batch in the moving average of the time per unit
_TINY = 1e-6

Task = tuple[Terms, Unit]


def results(
    tasks: Iterable[Task],
    *,
    store: Store | None = None,
    pool: Pool | None = None,
    job: Job,
    objects: Objects = NO_OBJECTS,
) -> Iterator[Result]:
    """Yield the results of units, in any order: stored ones first, then those played now.

    Each new result is stored before it is yielded. Player `objects` play in this thread, without a
    pool. Raises UsageError if workers die repeatedly.
    """
    finished = store.numbers() if store else frozenset[int]()
    todo = deque[Task]()
    for terms, unit in tasks:
        if store and unit.number in finished:
            yield store.result(unit)
        else:
            todo.append((terms, unit))
    local = _run_locally(todo, job, objects)
    for several in _Dispatcher(pool, todo, job).results() if pool else local:
        if store:
            store.keep(several)
        yield from several


def span_for(workers: int) -> float:
    """Return the target duration of a batch in seconds."""
    return max(_SPAN, _TURN * workers)


def batch_size(seconds: float, workers: int, left: int) -> int:
    """Return the number of units in the next batch; `seconds` is the time per unit."""
    most = max(1, left // (_SHARE * workers))
    return min(most, max(1, int(span_for(workers) / seconds)))


def _run_locally(todo: Iterable[Task], job: Job, objects: Objects) -> Iterator[Sequence[Result]]:
    for terms, unit in todo:
        job.raise_if_stopped()
        yield (play_unit(terms, unit, job, objects=objects),)


class _Dispatcher:
    """Submits batches of units to a pool, a few more than it has workers.

    A batch takes about half a second, longer with many workers. It is never more than half of a
    worker's share of the remaining units, as in guided self-scheduling (Polychronopoulos and Kuck,
    1987). The result of a unit does not depend on its batch.
    """

    def __init__(self, pool: Pool, todo: deque[Task], job: Job) -> None:
        self.pool = pool
        self.todo = todo
        self.job = job
        self.waiting: dict[Future[BatchResult], Batch] = {}
        self.seconds = span_for(pool.size)  # estimated time per unit

    def results(self) -> Iterator[Sequence[Result]]:
        """Yield results as they arrive, those of all finished batches at once."""
        try:
            while self._fill():
                self.job.raise_if_stopped()
                done, _ = wait(self.waiting, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
                fine = [f for f in done if not f.cancelled() and f.exception() is None]
                if fine:
                    yield [result for future in fine for result in self._collect(future)]
                for future in done.difference(fine):
                    if future in self.waiting:
                        self._failed(future)
        finally:
            for future in self.waiting:
                future.cancel()

    def _fill(self) -> bool:
        """Submit batches up to the limit. True if any batch is pending."""
        while self.todo and len(self.waiting) < AHEAD * self.pool.size:
            batch = self._batch()
            shared = (self.pool.job,) if self.pool.job else ()
            self.waiting[self.pool.executor.submit(play_batch, batch, *shared)] = batch
        return bool(self.waiting)

    def _batch(self) -> Batch:
        """Return the next units with equal terms."""
        wanted = batch_size(self.seconds, self.pool.size, len(self.todo))
        terms = self.todo[0][0]
        units = list[Unit]()
        while self.todo and len(units) < wanted and self.todo[0][0] == terms:
            units.append(self.todo.popleft()[1])
        return Batch(terms, tuple(units))

    def _collect(self, future: "Future[BatchResult]") -> Sequence[Result]:
        """Return the results of a batch and update the time per unit."""
        self.pool.worked()
        done, batch = future.result(), self.waiting.pop(future)
        each = done.seconds / len(batch.units)
        self.seconds = max((1 - _RECENT) * self.seconds + _RECENT * each, _TINY)
        return done.results

    def _failed(self, future: "Future[BatchResult]") -> None:
        """Replace workers that have died. Raises any other exception of the batch."""
        try:
            future.result()
        except (BrokenExecutor, CancelledError):
            self.pool.renew()
            self._requeue()
        except OSError as error:
            raise UsageError(f"all workers have failed: {str(error)[:200]}") from None

    def _requeue(self) -> None:
        """Put all pending units back at the head of the queue."""
        lost = [(batch.terms, unit) for batch in self.waiting.values() for unit in batch.units]
        self.todo.extendleft(sorted(lost, key=lambda task: -task[1].number))
        self.waiting.clear()
