"""Learning runs by batches of games, which threads play with the same weights.

The weights that a run learns depend neither on the number of threads nor on interruptions. See
decision 195.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from threading import Lock

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.random import word
from rulesengine.engine.drivers.search import td_layout as at
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.td_batches import learn_from_records, record_games
from rulesengine.job import Job
from rulesengine.search.learned_weights import TrainingTables
from rulesengine.search.learning_run import LearningRun
from rulesengine.search.search_run import DriverRun, Functions
from rulesengine.state import State
from rulesengine.support.blocking import in_threads

_SHARES = 4  # shares of a batch for each thread, to balance the load
_FEWEST = 4  # games of a batch for each thread
_GAMES_PER_REPORT = 16  # games between two calls of `each` where a batch has one game
_COPIED = 2  # weights copied in the time of an update
_ALL = 1 << 62


class BatchRun(LearningRun):
    """A learning run by batches; it has the same result for any number of threads.

    Games that were played when a run ends are learned from, up to the first unfinished one.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        starts: Sequence[State],
        known: TrainingTables,
        budget: Budget,
        slow: int,
        threads: int,
    ) -> None:
        super().__init__(dispatcher, starts, known, budget, slow)
        own = self.own.numbers
        self._record_words = at.record_words(own[at.MOST], own[at.WIDTH])
        self._records = Memory(known.batch * self._record_words, sparse=True)
        self._overlaps = False  # threads learn from games while others play
        self._pays_copy = False  # a copy of the weights for that is cheap next to learning
        self._players = [_BatchPlayer(dispatcher, self, budget) for _ in range(threads)]

    def run(self, job: Job, each: Callable[[], None]) -> None:
        with ExitStack() as stack:
            for player in self._players:
                stack.enter_context(job.attach(player.own.bytes))
            super().run(job, each)

    def _turns(self, each: Callable[[], None]) -> None:
        known, games = self.tables, self.budget.playouts
        end = None if games is None else known.games + games
        while self.goes_on and known.games != end:
            self._left = left = _ALL if end is None else end - known.games
            if known.batch_size > 1:
                self._play_batch(left)
            else:
                self._play(min(left, _GAMES_PER_REPORT, known.single_games - known.games))
            each()

    def _play_batch(self, left: int) -> None:
        """Play at most so many games, up to the end of the current batch, and learn from them."""
        known = self.tables
        begin = known.games - known.games_in_batch
        numbers = range(known.games, min(begin + known.batch_size, known.games + left))
        self.resumes_compiled()
        threads = max(1, len(numbers) // _FEWEST) if self.is_swift else 1
        players = self._players[:threads]
        for player in players:
            player.prepare(self.own, begin, self.work())
        self._overlaps = len(players) > 1 and self._pays_copy
        if self._overlaps and known.games == begin:
            known.copy_first()
        try:
            self._play_shares(players, numbers, begin)
        finally:
            self._learn(begin, numbers.stop)
            self._clear_records(begin, numbers.stop)

    def _play_shares(self, players: "Sequence[_BatchPlayer]", numbers: range, begin: int) -> None:
        """Play games of a batch on threads; between shares, one of these learns from them."""
        step = max(1, len(numbers) // (_SHARES * len(players))) if len(self.starts) == 1 else 1
        shares = deque(numbers[first : first + step] for first in range(0, len(numbers), step))
        known, learning = self.tables, Lock()
        is_first_kept = self._overlaps or known.games > begin
        weights = known.first if is_first_kept else known.memory

        def learn_between() -> None:
            if self._overlaps and learning.acquire(blocking=False):
                try:
                    self._learn(begin, numbers.stop)
                finally:
                    learning.release()

        calls = [
            partial(player.play, shares, weights, self._records, learn_between)
            for player in players
        ]
        in_threads(calls, self.give_up)

    def _learn(self, begin: int, end: int) -> None:
        """Learn from the recorded games of a batch, up to the first one without a record."""
        known, records, size = self.tables, self._records.numbers, self._record_words
        first = last = known.games
        while last < end and records[(last - begin) * size + at.LENGTH]:
            last += 1
        if last == first:
            return
        if first == begin and last < begin + known.batch_size and not self._overlaps:
            known.copy_first()
        own = self.own.numbers
        own[at.BATCH], own[at.FIRST], own[at.GAMES] = begin, first, last - first
        args = self.own.bytes, known.memory.bytes, self._records.bytes
        call = partial(self.run_driver, "learn_from_records", args, self._interpret_learning, False)
        try:
            in_threads([call], self.give_up)  # an interrupt cannot split a game
        finally:
            self.count_games()

    def _clear_records(self, begin: int, end: int) -> None:
        """Delete the records of a batch."""
        records, plies = self._records.numbers, 0
        for place in range(at.LENGTH, (end - begin) * self._record_words, self._record_words):
            plies += records[place]
            records[place] = 0
        network = self.tables.network
        self._pays_copy = _COPIED * plies * network.width > network.size

    def _interpret_learning(self, game: Functions) -> int:
        """Run the driver in the interpreter; a kernel that failed may have learned from some of the
        games.
        """
        own, done = self.own.numbers, self._before + self.nodes
        own[at.FIRST], own[at.GAMES] = done, own[at.FIRST] + own[at.GAMES] - done
        return learn_from_records(game, self.state, self.own, self.tables.memory, self._records)

    def _end(self) -> None:
        super()._end()
        for player in self._players:
            player.give_up()

    def give_up(self) -> None:
        super().give_up()
        for player in self._players:
            player.give_up()


class _BatchPlayer(DriverRun):
    """A thread that plays games of batches."""

    def __init__(self, dispatcher: Dispatcher, learner: LearningRun, budget: Budget) -> None:
        words = len(learner.own)
        super().__init__(dispatcher, learner.starts[0], budget, words, learner.learned)
        self.part, self._starts, self._seed = learner.part, learner.starts, learner.tables.seed
        self._work = 0

    def work(self) -> int:
        return self._work

    def prepare(self, own: Memory, begin: int, work: int) -> None:
        """Copy the settings of the learner before a batch that begins with a game."""
        settings = slice(at.WIDTH, at.HEAD)
        self.own.numbers[settings] = own.numbers[settings]
        self.own.numbers[at.BATCH], self._work = begin, work

    def play(
        self,
        shares: "deque[range]",
        weights: Memory,
        records: Memory,
        after_share: Callable[[], None],
    ) -> None:
        """Play shares of a batch until all are taken or the run is stopped."""
        own = self.own.numbers
        while self.goes_on:
            try:
                share = shares.popleft()
            except IndexError:
                return
            self.state = self._starts[share.start % len(self._starts)]
            own[at.FIRST], own[at.GAMES] = share.start, len(share)
            args = self._seed, self.own.bytes, weights.bytes, records.bytes
            plain = partial(self._interpret_games, weights, records)
            while self.run_driver("record_games", args, plain, False) is None:
                if not self.resumes_compiled():
                    return
            after_share()

    def _interpret_games(self, weights: Memory, records: Memory, game: Functions) -> int:
        return record_games(game, self.state, word(self._seed), self.own, weights, records)
