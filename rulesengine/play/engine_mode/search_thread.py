"""A search in the background of engine mode, which can be stopped at any time."""

from collections.abc import Callable
from threading import Event, Thread, Timer

from rulesengine.engine.drivers.search.result import TREES, Budget, SearchResult
from rulesengine.errors import RulesError, Stopped
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.engine_mode.options import EngineOptions
from rulesengine.state import Move, State
from rulesengine.support.blocking import start_timer
from rulesengine.support.frozen import record

Report = Callable[[SearchResult], None]
# Reports the result, None without a legal move, or an error of the search.
Done = Callable[[Move | None, SearchResult | None, str], None]


# Plies of a game with some seconds for each move, for which every kernel pays.
_MUCH = 1e8


def prepare(game: Game) -> None:
    """Compile the kernels of searches and load them."""
    state, method = game.initial_state(), game.search_method
    is_tree = method in TREES
    playouts, plies = (1, None) if is_tree else (None, 1)
    part = game.searcher(playouts=playouts, plies=plies, method=method).part
    game.expect({part: _MUCH, "singles": _MUCH})
    if game.legal_moves(state) and not game.weights(state):
        game.search(state, playouts=playouts, plies=plies, method=method)


@record
class SearchTask:
    """A search of one position.

    - `budget` has its limits.
    - `among` are the moves that the client allows, all if it is empty.
    - `seed` is that of random games.
    - `waits` is true if the result is held back until `stop` or `release`, as in analysis.
    """

    game: Game
    state: State
    budget: Budget
    options: EngineOptions
    among: frozenset[Move] = frozenset()
    seed: int = 0
    waits: bool = False


class SearchThread:
    """A search on a thread of its own; `done` is called once, on that thread.

    `settled` is called with the result of a search that waits, if it ends by itself.
    """

    def __init__(
        self, task: SearchTask, report: Report, done: Done, settled: Report | None = None
    ) -> None:
        self._task = task
        self._report = report
        self._done = done
        self._settled = settled
        self._job = Job()
        self._last: SearchResult | None = None
        self._released = Event()
        self._is_late = False  # the time after `release` is over
        self._timer: Timer | None = None
        if not task.waits:
            self._released.set()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start the search."""
        self._thread.start()

    def stop(self) -> None:
        """End the search and wait until its result is reported."""
        self._cancel()
        self.join()

    def join(self) -> None:
        """Wait until the result is reported."""
        self._thread.join()

    @property
    def is_alive(self) -> bool:
        """Return True until the result is reported."""
        return self._thread.is_alive()

    def release(self, seconds: float) -> None:
        """Report the result when the search ends, at the latest after some seconds.

        A search without a result by then ends with its first one, as one with a time limit does.
        """
        self._timer = start_timer(seconds, self._expire)
        self._released.set()

    def _expire(self) -> None:
        self._is_late = True
        if self._last is not None:
            self._job.stop()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._job.stop()
        self._released.set()

    def _run(self) -> None:
        move, error = None, ""
        try:
            move = self._searched()
        except RulesError as problem:
            error = str(problem)
        if self._settled is not None and self._last is not None and not self._released.is_set():
            self._settled(self._last)
        self._released.wait()
        if self._timer is not None:
            self._timer.cancel()
        self._done(move, self._last, error)

    def _searched(self) -> Move | None:
        """Return the best move of the position; None if there is none. Raises RulesError."""
        task, result = self._task, None
        moves, budget, options = task.game.legal_moves(task.state), task.budget, task.options
        if not moves:
            return None
        if strategy := options.strategy(task.game):
            return task.game.choose(strategy, task.state)
        try:
            result = task.game.search(
                task.state,
                seconds=budget.seconds,
                nodes=budget.nodes,
                plies=budget.plies,
                playouts=budget.playouts,
                method=budget.method,
                noise=budget.noise,
                evaluation=budget.evaluation,
                threads=options.threads,
                memory=options.memory,
                seed=task.seed,
                lines=options.lines,
                root_moves=task.among,
                job=self._job,
                each=self._each,
            )
            self._each(result)
        except Stopped:
            result = self._last
        if result is None:
            return next((move for move in moves if move in task.among), moves[0])
        return result.move

    def _each(self, result: SearchResult) -> None:
        self._last = result
        self._report(result)
        if self._is_late:
            self._job.stop()
