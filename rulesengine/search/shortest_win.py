"""The shortest win of a single player: iterative deepening in turns, with checkpoints."""

from collections.abc import Callable, Mapping
from time import perf_counter

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.search.layout import DEEPEST
from rulesengine.engine.drivers.search.result import Budget, Settings, Solved
from rulesengine.engine.drivers.search.result import solved as certain
from rulesengine.job import Job
from rulesengine.search.enumeration.single_player import SinglePlayerGame
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.searches import entries_of, search_results, words_of
from rulesengine.state import State
from rulesengine.support.frozen import replace

_FIRST = 1 << 22  # positions of the first turn; each one may search twice as many
_UNLIMITED = 1 << 62


class ShortestWin:
    """An iterative-deepening search of one position, in turns of a limited number of positions.

    A turn that reaches its limit is followed by one at the same depth, with the table so far.
    """

    def __init__(
        self,
        game: SinglePlayerGame,
        dispatcher: Dispatcher,
        state: State,
        budget: Budget,
        how: Settings,
    ) -> None:
        self.game, self.state, self.budget = game, state, budget
        self._moves = game.legal_moves(state)
        entries = entries_of(words_of(how.memory), budget)
        count, threads = len(self._moves), how.threads
        self.search = AlphaBeta(dispatcher, state, count, budget, entries, threads, solves=True)
        self.judges = (self.search,)
        self._share = _FIRST
        self._earlier = 0  # positions searched before the budget began
        self._begun = perf_counter()

    def find(
        self,
        job: Job,
        each: Callable[[Solved], None] | None = None,
        save: Callable[[], None] = lambda: None,
    ) -> None:
        """Search until the result is known or the budget is used up.

        `each` and `save` are called after each turn. A job stops the search, which raises Stopped;
        the results so far remain.
        """
        while self._turn(job):
            self._share *= 2
            save()
            if each:
                each(self.result())

    def progress(self) -> dict[str, int]:
        """Return the numbers that a checkpoint stores; a result is found again from them."""
        search = self.search
        return {"depth": search.depth - int(self._is_done and search.depth > 0)}

    def resume(self, progress: Mapping[str, int]) -> None:
        """Resume with the numbers of a checkpoint; the memories are those at that time."""
        self.search.depth, self._earlier = progress["depth"], self.search.nodes

    def result(self) -> Solved:
        """Return the result so far."""
        seconds = perf_counter() - self._begun
        found = search_results(self.game, self.search, self._moves, seconds)
        return replace(certain(found), is_single=True)

    @property
    def _is_done(self) -> bool:
        return self.search.depth > 0 and self.search.is_settled

    def _turn(self, job: Job) -> bool:
        """Search a share of positions; False if nothing is left to do."""
        search = self.search
        left = (self.budget.nodes or _UNLIMITED) - (search.nodes - self._earlier)
        if left <= 0 or not search.goes_on or self._is_done or search.depth >= DEEPEST:
            return False
        search.extend(min(left, self._share))
        search.run(job)
        return True
