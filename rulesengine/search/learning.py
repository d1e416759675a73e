"""Learning an evaluation as it runs: games against oneself, by the engine that serves."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.core import word
from rulesengine.engine.drivers.search import td_layout as at
from rulesengine.engine.drivers.search.result import Budget, Learning
from rulesengine.engine.drivers.search.td_learning import lessons
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.search.learned_weights import (
    Lessons,
    read_lessons,
    require_pair,
    write,
    write_brief,
)
from rulesengine.search.search_run import Functions, Served
from rulesengine.state import State
from rulesengine.support.blocking import in_threads

_MOST = 400  # plies of a game that is learned from
_TURN = 1.0  # seconds, about, after which somebody may want to know how far it is
_FIRST = 16  # games of the first turn
_STEPS = 10_000  # about what a game takes
_ALL = 1 << 62
_EVERY = 20.0  # seconds between two times that the file is written


def learned_on(
    dispatcher: Dispatcher,
    start: State,
    files: tuple[Path, Path | None],
    games: int | None,
    seconds: float | None,
    seed: int | None,
    job: Job,
) -> Learning:
    """As `Game.learn` says: the file is written at first, every now and then, and at the end; the
    second one, of what was learned in brief, at the end.
    """
    path, brief = files
    program = dispatcher.machine.program
    require_pair(program)
    if games is None and seconds is None:
        raise UsageError("say how long to learn: so many games or seconds")
    if (games is not None and games < 1) or (seconds is not None and not seconds > 0):
        raise UsageError("to learn takes at least 1 game, and more than 0 seconds")
    known = read_lessons(path, program, dispatcher.interpreted.network, seed)
    write(path, program, known)
    before, last = known.games, monotonic()

    def each() -> None:
        nonlocal last
        if monotonic() - last >= _EVERY:
            write(path, program, known)
            last = monotonic()

    learner = Learner(dispatcher, start, known, Budget(seconds, playouts=games))
    try:
        learner.run(job, each)
    finally:
        learner.count_games()  # an interrupt may have come just as they were to be counted
        write(path, program, known)
        if brief is not None:
            write_brief(brief, program, known)
    network = known.network
    return Learning(known.games, known.games - before, network.width, network.size)


class Learner(Served):
    """Goes on with what has been learned, game by game: the same by any engine."""

    part = "lessons"

    def __init__(
        self, dispatcher: Dispatcher, start: State, known: Lessons, budget: Budget
    ) -> None:
        network = dispatcher.interpreted.network
        room = at.entries_of(_MOST, _MOST, network.width)
        super().__init__(dispatcher, start, budget, room)
        self.known = known
        self._left = _FIRST
        self._before = known.games
        own = self.own.numbers
        own[at.WIDTH], own[at.SIZE], own[at.MOST] = network.width, network.size, _MOST

    def work(self) -> int:
        return _STEPS * self._left

    def run(self, job: Job, each: Callable[[], None]) -> None:
        """Play until the budget is used up; `each` is called every now and then.

        A job stops it, which raises Stopped. Whatever ends it does so between two games: of what
        has been played by then nothing is lost.
        """
        with self.timed(job):
            self._turns(each)

    def _turns(self, each: Callable[[], None]) -> None:
        before, games = self.known.games, _FIRST
        while self.goes_on:
            left = (self.budget.playouts or _ALL) - (self.known.games - before)
            if left <= 0:
                break
            since, self._left = monotonic(), left
            self._play(min(games, left))
            took = monotonic() - since
            each()
            games = 2 * games if took < _TURN else max(1, int(games * _TURN / took))

    def _play(self, games: int) -> None:
        """So many games, or fewer if they are ended: by a thread, so that none is cut in two."""
        known, counted = self.known, self.nodes
        end = known.games + games
        try:
            in_threads([lambda: self._asked(known.games - counted, end)], self.give_up)
        finally:
            self.count_games()

    def count_games(self) -> None:
        """Say in what is known how many games it is from."""
        self.known.games = self._before + self.nodes

    def _asked(self, before: int, end: int) -> None:
        """The games up to one; `before` is how many had been played when none was counted here."""
        known = self.known
        while self.goes_on and (first := before + self.nodes) < end:
            args = known.seed, first, end - first, self.own.bytes, known.memory.bytes
            self.asked("lessons", args, partial(self._plainly, before, end), False)
            self.begins_anew()

    def _plainly(self, before: int, end: int, game: Functions) -> int:
        """By the driver as it stands; a kernel that failed may have played some of the games."""
        known, first = self.known, before + self.nodes
        return lessons(
            game, self.state, word(known.seed), first, end - first, self.own, known.memory
        )
