"""The shortest win of a single player: iterative deepening in turns, with checkpoints."""

from collections.abc import Callable, Mapping

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.search.layout import DEEPEST
from rulesengine.engine.drivers.search.result import Budget, Settings, Solved
from rulesengine.engine.drivers.search.result import solved as certain
from rulesengine.job import Job
from rulesengine.search.enumeration.single_player import SinglePlayerGame
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.search_turns import SearchTurns
from rulesengine.search.searches import entries_of, search_results, words_of
from rulesengine.state import State
from rulesengine.support.frozen import replace


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
        settings: Settings,
    ) -> None:
        self.game, self.state = game, state
        self._moves = game.legal_moves(state)
        entries = entries_of(words_of(settings.memory), budget)
        count, threads = len(self._moves), settings.threads
        self.search = AlphaBeta(dispatcher, state, count, budget, entries, threads, solves=True)
        self.judges = (self.search,)
        self._turns = SearchTurns(budget)

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
        self._turns.take(lambda: self._turn(job), save, self.result, each)

    def progress(self) -> dict[str, int]:
        """Return the numbers that a checkpoint stores; a result is found again from them."""
        search = self.search
        return {"depth": search.depth - int(self._is_done and search.depth > 0)}

    def resume(self, progress: Mapping[str, int]) -> None:
        """Resume with the numbers of a checkpoint; the memories are those at that time."""
        self.search.depth, self._turns.earlier = progress["depth"], self.search.nodes

    def result(self) -> Solved:
        """Return the result so far."""
        results = search_results(self.game, self.search, self._moves, self._turns.seconds)
        return replace(certain(results), is_single=True)

    @property
    def _is_done(self) -> bool:
        return self.search.depth > 0 and self.search.is_settled

    def _turn(self, job: Job) -> bool:
        """Search a share of positions; False if nothing is left to do."""
        search = self.search
        room = self._turns.room(search.nodes)
        if room == 0 or not search.goes_on or self._is_done or search.depth >= DEEPEST:
            return False
        search.extend(room)
        search.run(job)
        return True
