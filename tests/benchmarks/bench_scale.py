"""Simulation of one driver and one scheduler: `python -m tests.benchmarks.bench_scale`.

A discrete-event simulation of the driver in `contests/dispatch`, a scheduler and workers. Each of
them is a server with a queue. The durations below were measured on two cores, or are from Dask's
documentation. For a number of workers and a duration of a round, it prints the share of worker
time spent on games, the utilisation of driver and scheduler, and the number of messages.
"""

import random
from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush

from rulesengine.contests.dispatch import AHEAD, batch_size, span_for

# The messages of a batch: the graph from the driver, the task to a worker, two for its completion,
# the request for the result and the reply, and two to release it at the scheduler and the worker.
MESSAGES = 8
ROUNDS = 40  # for each worker


@dataclass(frozen=True)
class Costs:
    """Seconds of the scheduler for a batch, and of the driver to send, commit and read a round."""

    scheduler: float = 0.001  # for a task, from Dask's documentation
    send: float = 0.001
    commit: float = 0.010  # a transaction, including the disk
    round: float = 0.0007  # to read, to write as a row, and to count


@dataclass
class Server:
    """A server with a queue; `busy` is the total of its service times in seconds."""

    free: float = 0.0
    busy: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """Return the completion time of a request that arrives now."""
        self.free = max(now, self.free) + seconds
        self.busy += seconds
        return self.free


@dataclass
class Simulation:
    """A contest of `rounds` rounds with exponentially distributed durations of mean `seconds`."""

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
        """Run the simulation, and return its duration in seconds."""
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
        """Commit all results in one transaction, and send batches while there is room."""
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
    """Print a line for each number of workers, duration of a round, and batch mode."""
    print("workers  s/round  batch      s  working  driver  scheduler  messages  messages/s")
    for workers in (2, 100, 1000, 10_000):
        for seconds in (0.1, 1.0, 10.0):
            for one_by_one in (True, False):
                line(workers, seconds, one_by_one)


def line(workers: int, seconds: float, one_by_one: bool) -> None:
    """Print the result of a simulation."""
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
