"""Searches of a player in a game with hidden information, as users call them.

See decision 152.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import (
    DUCT,
    IS_MCTS,
    Budget,
    SearchResult,
    Unit,
    Value,
    Variation,
)
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.observation import InformationState
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.score_decided import SCALE
from rulesengine.search.imperfect_information.determinization import Determinizations, Determinizer
from rulesengine.search.imperfect_information.extensive_form import Decision
from rulesengine.search.imperfect_information.game_tree import (
    GameHistory,
    GameTree,
    HiddenGame,
)
from rulesengine.search.imperfect_information.information_set_tree_search import (
    InformationSetTreeSearch,
    MoveEstimate,
)
from rulesengine.search.imperfect_information.position_tree import PositionTree
from rulesengine.search.nested_job import within
from rulesengine.search.noisy_choice import log_visits, noisy_choice
from rulesengine.state import Move
from rulesengine.support.frozen import record, replace
from rulesengine.support.validate import check_choice

METHODS = ("auto", IS_MCTS, DUCT)
# The job, the receiver of intermediate results and the start of a call.
_Call = tuple[Job, Callable[[SearchResult], None] | None, float]
_REPORTED = 1000  # iterations between two intermediate results
# particles of a search limited by time, and the extremes for other searches
_PARTICLES, _FEWEST, _MOST = 500, 100, 2000


@record
class SearchLimits:
    """The budget and the seed of a search, and the number of best moves that it reports."""

    budget: Budget
    seed: int
    lines: int = 1


class InformationSearcher:
    """A searcher for successive information states of one player.

    The determinizations continue from those of the call before, which changes no result.
    """

    def __init__(
        self, game: HiddenGame, machine: Interpreter, player: str, settings: "SearchLimits"
    ) -> None:
        self._tree, rules = GameTree(game), machine.program.rules
        self._positions: PositionTree | None = None
        if settings.budget.method == DUCT:
            _require_open_positions(machine)
            self._positions = PositionTree(game, machine)
        self._number = check_choice("player", player, game.players)
        self._settings = settings
        self._first = self._tree.root().information(self._number).key
        limit = min(max(settings.budget.playouts or _PARTICLES, _FEWEST), _MOST)
        self._determinizer = Determinizer(self._tree, self._number, settings.seed, limit)
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
        """Return the best move of an information state by IS-MCTS, or a move by decoupled UCT.

        Raises UsageError for an information state of another game or start, and for a player that
        is not to move. Raises LimitError if no determinization was found.
        """
        start_time = perf_counter()
        if information.line[0] != self._first:
            raise UsageError("an information state is searched from the initial state of its game")
        determinizations = self._determinizer.determinizations(information, job)
        # the legal moves are those of every determinization
        history = determinizations.histories[0]
        moves = self._tree.moves(history)
        random = Generator(self._settings.seed, len(information.line))
        if self._positions is None:
            tree = InformationSetTreeSearch(self._tree, determinizations, random)
            length = len(information.line)
            estimates = partial(self._noisy_estimates, tree, len(moves), length)
            return self._searched(tree, estimates, moves, (job, each, start_time))
        return self._by_decoupled_uct(self._positions, history, random, (job, each, start_time))

    def _by_decoupled_uct(
        self, positions: PositionTree, history: GameHistory, random: Generator, call: _Call
    ) -> SearchResult:
        """Return a move drawn by its share of visits, after a search from the round's position."""
        root = Determinizations((positions.from_state(history.state),), (1.0,), is_complete=True)
        tree = InformationSetTreeSearch(positions, root, random)
        decision = positions.node(history)
        assert isinstance(decision, Decision)
        moves = positions.moves(history)
        result = self._searched(tree, lambda: tree.estimates_of(decision), moves, call)
        shares = {estimate.number: estimate.visits for estimate in tree.estimates_of(decision)}
        weights = [shares[number] for number in range(len(moves))]
        best = moves[random.among(weights if any(weights) else [1] * len(moves))]
        value = next(value for move, value in result.moves if move == best)
        return replace(
            result,
            move=best,
            value=value.number,
            unit=value.unit,
            line=(best,),
            best=(best,),
            lines=self._variations(best, result.moves),
        )

    def _searched(
        self,
        search: InformationSetTreeSearch[GameHistory],
        estimates: Callable[[], tuple[MoveEstimate, ...]],
        moves: Sequence[Move],
        call: _Call,
    ) -> SearchResult:
        """Return the result of a search within the budget."""
        job, each, start_time = call

        def current() -> SearchResult:
            return self._result(estimates(), moves, perf_counter() - start_time)

        def goes_on() -> bool:
            if each and search.iterations % _REPORTED == 0:
                each(current())
            return limit is None or search.iterations < limit

        limit, seconds = self._settings.budget.playouts, self._settings.budget.seconds
        search.iterate()
        left = None if seconds is None else max(seconds - (perf_counter() - start_time), 0.001)
        within(job, left, lambda own: search.run(goes_on, own))
        return current()

    def _noisy_estimates(
        self, tree: InformationSetTreeSearch[GameHistory], count: int, length: int
    ) -> tuple[MoveEstimate, ...]:
        """Return the estimates, with the choice by noise in front if the budget has noise."""
        estimates, noise = tree.estimates(), self._settings.budget.noise
        if not noise:
            return estimates
        visits = {estimate.number: log_visits(estimate.visits) for estimate in estimates}
        known = [visits.get(number) for number in range(count)]
        chosen = noisy_choice(known, noise, self._settings.seed + length)
        return tuple(sorted(estimates, key=lambda estimate: estimate.number != chosen))

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
            lines=self._variations(best, values),
        )

    def _variations(
        self, best: Move, values: Sequence[tuple[Move, Value]]
    ) -> tuple[Variation, ...]:
        """Return the best move and those that follow it in order."""
        others = (pair for pair in values if pair[0] != best)
        ordered = [*(pair for pair in values if pair[0] == best), *others]
        return tuple(
            Variation(move, value.number, value.unit, (move,), 1)
            for move, value in ordered[: self._settings.lines]
        )

    def _value(self, mean: float) -> Value:
        return Value(round(mean * self._scale), self._unit)


def _require_open_positions(machine: Interpreter) -> None:
    """Raise UsageError for a game that hides more than simultaneous moves."""
    if machine.program.hiding.hides_position:
        name = machine.program.rules.name
        raise UsageError(
            f"`{DUCT}` searches positions that all players see, and {name} hides a part of them:"
            f" use `{IS_MCTS}`"
        )


def require_sampled(budget: Budget) -> None:
    """Raise UsageError for a method or a limit of searches that need perfect information."""
    if budget.method not in METHODS:
        raise UsageError(
            f"`{budget.method}` needs perfect information, and this game hides some:"
            f" use `{IS_MCTS}`"
        )
    if budget.nodes is not None or budget.plies is not None:
        limit = "plies" if budget.nodes is None else "nodes"
        method = DUCT if budget.method == DUCT else IS_MCTS
        raise UsageError(f"{method} counts determinizations by `playouts`, not {limit}")
