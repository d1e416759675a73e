"""Searches of a player in a game with hidden information, as users call them.

See decision 152.
"""

from collections.abc import Callable, Sequence
from time import perf_counter

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import IS_MCTS, Budget, SearchResult, Unit, Value
from rulesengine.engine.observation import InformationState
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.rules import Rules
from rulesengine.language.ir.score_decided import SCALE
from rulesengine.search.imperfect_information.determinization import Determinizer
from rulesengine.search.imperfect_information.game_tree import (
    GameTree,
    HiddenGame,
)
from rulesengine.search.imperfect_information.information_set_tree_search import (
    InformationSetTreeSearch,
    MoveEstimate,
)
from rulesengine.search.nested_job import within
from rulesengine.state import Move
from rulesengine.support.frozen import record
from rulesengine.support.validate import check_choice

METHODS = ("auto", IS_MCTS)
_REPORTED = 1000  # iterations between two intermediate results
# particles of a search limited by time, and the extremes for other searches
_PARTICLES, _FEWEST, _MOST = 500, 100, 2000


@record
class SearchLimits:
    """The budget and the seed of a search."""

    budget: Budget
    seed: int


class InformationSearcher:
    """A searcher for successive information states of one player.

    The determinizations continue from those of the call before, which changes no result.
    """

    def __init__(self, game: HiddenGame, rules: Rules, player: str, how: "SearchLimits") -> None:
        self._tree = GameTree(game)
        self._number = check_choice("player", player, game.players)
        self._how = how
        self._first = self._tree.root().information(self._number).key
        limit = min(max(how.budget.playouts or _PARTICLES, _FEWEST), _MOST)
        self._determinizer = Determinizer(self._tree, self._number, how.seed, limit)
        # explicit payoffs are points; without them a player gets 1 for each other that it beats
        is_paid = any(end.pays is not None for end in rules.ends)
        self._unit: Unit = "mean" if is_paid else "chance"
        self._scale = SCALE / (1 if is_paid else max(len(rules.players) - 1, 1))

    def search(
        self,
        information: InformationState,
        job: Job,
        each: Callable[[SearchResult], None] | None = None,
    ) -> SearchResult:
        """Return the best move of an information state by IS-MCTS.

        Raises UsageError for an information state of another game or start, and LimitError if no
        determinization was found.
        """
        begun = perf_counter()
        if information.line[0] != self._first:
            raise UsageError("an information state is searched from the initial state of its game")
        found = self._determinizer.determinizations(information, job)
        # the legal moves are those of every determinization
        moves, random = (
            self._tree.moves(found.histories[0]),
            Generator(self._how.seed, len(information.line)),
        )
        search = InformationSetTreeSearch(self._tree, found, random)

        def current() -> SearchResult:
            return self._result(search.estimates(), moves, perf_counter() - begun)

        def goes_on() -> bool:
            if each and search.iterations % _REPORTED == 0:
                each(current())
            return limit is None or search.iterations < limit

        limit, seconds = self._how.budget.playouts, self._how.budget.seconds
        search.iterate()
        left = None if seconds is None else max(seconds - (perf_counter() - begun), 0.001)
        within(job, left, lambda own: search.run(goes_on, own))
        return current()

    def _result(
        self, estimates: tuple[MoveEstimate, ...], moves: Sequence[Move], seconds: float
    ) -> SearchResult:
        values = tuple((moves[e.number], self._value(e.mean)) for e in estimates)
        best, value = values[0]
        return SearchResult(
            best,
            value.number,
            value.unit,
            (best,),
            sum(estimate.visits for estimate in estimates),
            0,
            seconds,
            values,
            whole=False,
            best=(best,),
        )

    def _value(self, mean: float) -> Value:
        return Value(round(mean * self._scale), self._unit)


def require_sampled(budget: Budget) -> None:
    """Raise UsageError for a method or a limit of searches that need perfect information."""
    if budget.method not in METHODS:
        raise UsageError(
            f"`{budget.method}` needs perfect information, and this game hides some:"
            f" use `{IS_MCTS}`"
        )
    if budget.nodes is not None or budget.plies is not None:
        limit = "plies" if budget.nodes is None else "nodes"
        raise UsageError(f"{IS_MCTS} counts determinizations by `playouts`, not {limit}")
