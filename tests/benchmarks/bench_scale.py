"""How far one driver and one scheduler reach: `python -m tests.benchmarks.bench_scale`.

A simulation, event by event, of the driver that `contests/sending` is, a scheduler and workers,
each of which does one thing after the other. What each step takes is given below, as measured on
two cores or told by Dask's documentation. It prints, for so many workers and seconds of a round,
what share of the workers' time is spent on games, how much of the time driver and scheduler are
at work, and the messages.
"""

import random
from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush

from rulesengine.contests.dispatch import AHEAD, batch_size, span_for

# The messages of a batch: from the driver a graph, to a worker the task, back that it is done, to
# the driver that its result is there, a question for the result and its answer, from the driver
# that it is not needed any more, and to the worker to forget it.
MESSAGES = 8
ROUNDS = 40  # for each worker


@dataclass(frozen=True)
class Costs:
    """Seconds: of the scheduler for a batch, of the driver to send one, to commit, for a round."""

    scheduler: float = 0.001  # as Dask's documentation has it for a task
    send: float = 0.001
    commit: float = 0.010  # a transaction, which waits for the disk
    round: float = 0.0007  # read, written as a row, counted


@dataclass
class Server:
    """Does one thing after the other; `busy` are the seconds that it was at work."""

    free: float = 0.0
    busy: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When something is done that comes now."""
        self.free = max(now, self.free) + seconds
        self.busy += seconds
        return self.free


@dataclass
class Simulation:
    """A contest of so many rounds, which take `seconds` on average, exponentially distributed."""

    workers: int
    rounds: int
    seconds: float
    costs: Costs
    one_by_one: bool = False
    played: float = 0.0
    batches: int = 0
    driver: Server = field(default_factory=Server)
    scheduler: Server = field(default_factory=Server)

    def __post_init__(self) -> None:
        self.left, self.waiting, self.known = self.rounds, 0, span_for(self.workers)
        self.events: list[tuple[float, int, str, int]] = []
        self.idle, self.queue, self.inbox = self.workers, deque[int](), list[int]()

    def run(self, seed: int = 0) -> float:
        """Play it; the seconds that it takes."""
        draw, now, half = random.Random(seed), 0.0, self.costs.scheduler / 2
        self._push(now, "turn")
        while self.events:
            now, _, what, size = heappop(self.events)
            if what == "turn":
                self._turn(now)
            elif what == "sent":
                self._push(self.scheduler.serve(now, half), "assigned", size)
            elif what == "assigned":
                self.queue.append(size)
            elif what == "ran":
                self.idle += 1
                self._push(self.scheduler.serve(now, half), "told", size)
            else:
                if not self.inbox:
                    self._push(max(now, self.driver.free), "turn")
                self.inbox.append(size)
            while self.idle and self.queue:
                size = self.queue.popleft()
                took = draw.gammavariate(size, self.seconds)
                self.idle, self.played = self.idle - 1, self.played + took
                self._push(now + took, "ran", size)
        return max(now, self.driver.free)

    def _turn(self, now: float) -> None:
        """The driver keeps what there is by one transaction, and sends as much as there is room."""
        if self.inbox:
            self.driver.serve(now, self.costs.commit + sum(self.inbox) * self.costs.round)
            self.known = self.seconds
        self.waiting -= len(self.inbox)
        self.inbox.clear()
        while self.left and self.waiting < AHEAD * self.workers:
            size = 1 if self.one_by_one else batch_size(self.known, self.workers, self.left)
            self.left, self.waiting = self.left - size, self.waiting + 1
            self.batches += 1
            self._push(self.driver.serve(now, self.costs.send), "sent", size)

    def _push(self, when: float, what: str, size: int = 0) -> None:
        heappush(self.events, (when, len(self.events), what, size))


def main() -> None:
    """Print a line for each number of workers, time of a round, and way of sending."""
    print("workers  s/round  batch      s  working  driver  scheduler  messages  messages/s")
    for workers in (2, 100, 1000, 10_000):
        for seconds in (0.1, 1.0, 10.0):
            for one_by_one in (True, False):
                line(workers, seconds, one_by_one)


def line(workers: int, seconds: float, one_by_one: bool) -> None:
    """What a simulation comes to."""
    rounds = ROUNDS * workers
    found = Simulation(workers, rounds, seconds, Costs(), one_by_one)
    took = found.run()
    size = rounds / found.batches
    messages = MESSAGES * found.batches
    print(
        f"{workers:7} {seconds:8} {size:6.1f} {took:6.0f} {found.played / took / workers:8.1%}"
        f" {found.driver.busy / took:7.1%} {found.scheduler.busy / took:10.1%} {messages:9,}"
        f" {messages / took:11,.0f}"
    )


if __name__ == "__main__":
    main()
