"""Runs of the driver of temporal-difference learning, in every engine."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import monotonic

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.random import word
from rulesengine.engine.drivers.search import td_layout as at
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.td_learning import lessons
from rulesengine.engine.patterns import Network
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.search.learned_weights import LearnedWeights, TrainingTables, pays_single
from rulesengine.search.search_run import DriverRun, Functions
from rulesengine.state import State
from rulesengine.support.blocking import in_threads

_MOST = 400  # maximum plies of a game
_MOST_WITH_PAYOFFS = 4000  # the same for the payoffs of a single player
_TURN = 1.0  # approximate seconds between progress reports
_FIRST = 16  # games of the first batch
_PLIES = 6_000  # approximate cost of a game
_ALL = 1 << 62


def words_of_game(program: Program, network: Network) -> int:
    """Return the words of a record of a game in a batch."""
    return at.record_words(_most_plies(program), network.width)


def _most_plies(program: Program) -> int:
    """Return the plies after which a game is truncated."""
    return _MOST_WITH_PAYOFFS if pays_single(program) else _MOST


class LearningRun(DriverRun):
    """A run of the learning driver; it has the same result in every engine.

    Changes of weights are divided by two to the power `slow`.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        starts: Sequence[State],
        known: TrainingTables,
        budget: Budget,
        slow: int = 0,
    ) -> None:
        network, unit = known.network, known.unit
        pays = pays_single(dispatcher.machine.program)
        most = _most_plies(dispatcher.machine.program)
        room = at.entries_of(most, most, network.width)
        words = room + most * (unit != 0)
        learned = LearnedWeights(network, known.memory, pays=False) if unit else None
        super().__init__(dispatcher, starts[0], budget, words, learned)
        self.part = learned.part if learned else "lessons"
        self.starts = starts
        self.tables = known
        self._left = _FIRST
        self._before = known.games
        own = self.own.numbers
        own[at.WIDTH], own[at.SIZE], own[at.WAYS] = network.width, network.size, known.ways
        own[at.MOST], own[at.PAYS] = most, int(pays)
        own[at.UNIT], own[at.SLOW], own[at.LEADS] = unit, slow, room
        own[at.EXPLORES] = int(not dispatcher.machine.program.rules.chance)

    @property
    def last_leads(self) -> list[tuple[int, int]]:
        """Return the player to move and the lead at each ply of the last game."""
        own = self.own.numbers
        viewers = own[at.HEAD : at.HEAD + 2 * own[at.PLIES] : 2]
        return list(zip(viewers, own[own[at.LEADS] :], strict=False))

    @property
    def positions(self) -> int:
        """Return the number of positions that were evaluated to choose moves."""
        return self.own.numbers[at.POSITIONS]

    @property
    def last_winner(self) -> int:
        """Return the winner of the last game; negative without one."""
        return self.own.numbers[at.WINNER]

    def work(self) -> int:
        return _PLIES * self._left

    def run(self, job: Job, each: Callable[[], None]) -> None:
        """Play until the budget is used up; `each` is called periodically.

        A job stops it, which raises Stopped. It always ends between two games, and loses no
        completed one.
        """
        with self.timed(job):
            self._turns(each)

    def each_game(self, job: Job) -> Iterator[None]:
        """Play the games of the budget, and yield after each."""
        with self.timed(job):
            for _ in range(self.budget.playouts or 0):
                self._play(1)
                yield

    def _turns(self, each: Callable[[], None]) -> None:
        before, games = self.tables.games, _FIRST
        while self.goes_on:
            left = (self.budget.playouts or _ALL) - (self.tables.games - before)
            if left <= 0:
                break
            since, self._left = monotonic(), left
            self._play(min(games, left))
            took = monotonic() - since
            each()
            games = 2 * games if took < _TURN else max(1, int(games * _TURN / took))

    def _play(self, games: int) -> None:
        """Play games on a thread, so that an interrupt cannot split a game."""
        known, counted = self.tables, self.nodes
        end = known.games + games
        try:
            in_threads([lambda: self._play_games(known.games - counted, end)], self.give_up)
        finally:
            self.count_games()

    def count_games(self) -> None:
        """Update the number of games of the tables."""
        self.tables.games = self._before + self.nodes

    def _play_games(self, before: int, end: int) -> None:
        """Play up to a number of games; `before` is the number of games played before this run."""
        known = self.tables
        while self.goes_on and (first := before + self.nodes) < end:
            count = self._start_game(first, end)
            args = known.seed, first, count, self.own.bytes, known.memory.bytes
            self.run_driver("lessons", args, partial(self._interpret, before, first + count), False)
            self.resumes_compiled()

    def _start_game(self, number: int, end: int) -> int:
        """Set the first state of a game; return the number of games with the same first state."""
        self.state = self.starts[number % len(self.starts)]
        return end - number if len(self.starts) == 1 else 1

    def _interpret(self, before: int, end: int, game: Functions) -> int:
        """Run the driver in the interpreter; a kernel that failed may have played some of the
        games.
        """
        known, first = self.tables, before + self.nodes
        return lessons(
            game, self.state, word(known.seed), first, end - first, self.own, known.memory
        )
