"""IS-MCTS: Monte Carlo tree search over information sets (Cowling, Powley, Whitehouse 2012).

It receives an information state, never a state. Each iteration draws a determinization and descends
by UCB1. Each player has nodes of its own, one for each of its information states (multiple-observer
IS-MCTS). The moves of an information set are the same in all determinizations, so that UCB1 needs
no counts of availability.
"""

from collections.abc import Callable
from math import log, sqrt
from typing import Generic

from rulesengine.engine.drivers.random import Generator
from rulesengine.job import Job
from rulesengine.search.imperfect_information.determinization import Determinizations
from rulesengine.search.imperfect_information.extensive_form import (
    Chance,
    Decision,
    H,
    Node,
    ObservedForm,
    Terminal,
)
from rulesengine.support.frozen import record

_EXPLORATION = 0.7  # of the range of payoffs, as in the article


class MoveStatistics:
    """The visits and the sum of payoffs of each move of an information set."""

    __slots__ = ("moves", "payoffs", "untried", "visits")

    def __init__(self, moves: tuple[str, ...]) -> None:
        self.moves = moves
        self.visits = [0] * len(moves)
        self.payoffs = [0.0] * len(moves)
        self.untried = list(range(len(moves)))

    def mean(self, number: int) -> float:
        """Return the mean payoff of a move; 0 without visits."""
        visits = self.visits[number]
        return self.payoffs[number] / visits if visits else 0.0


class _VisitedHistory(Generic[H]):
    """A history inside the tree, with its node and the children visited so far."""

    __slots__ = ("_children", "_form", "_node", "history")

    def __init__(self, form: ObservedForm[H], history: H) -> None:
        self.history = history
        self._form = form
        self._node: Node | None = None
        self._children: dict[int, _VisitedHistory[H]] = {}

    @property
    def node(self) -> Node:
        """Return the node of the history, computed on first use."""
        if self._node is None:
            self._node = self._form.node(self.history)
        return self._node

    def child(self, number: int) -> "_VisitedHistory[H]":
        """Return a child, created on first use."""
        child = self._children.get(number)
        if child is None:
            child = _VisitedHistory(self._form, self._form.child(self.history, number))
            self._children[number] = child
        return child


@record
class MoveEstimate:
    """A move of the searched information set: its number, text, visits and mean payoff."""

    number: int
    text: str
    visits: int
    mean: float


class InformationSetTreeSearch(Generic[H]):
    """A search from one information set."""

    def __init__(
        self, form: ObservedForm[H], determinizations: Determinizations[H], random: Generator
    ) -> None:
        self.iterations = 0
        # the nodes of each player, by the keys of its information states
        self._nodes: tuple[dict[bytes, MoveStatistics], ...] = tuple({} for _ in form.players)
        self._form = form
        self._determinizations = determinizations
        # the visited histories below each determinization, so that none is computed again
        self._visited: dict[int, _VisitedHistory[H]] = {}
        self._random = random
        self._least, self._greatest = 0.0, 0.0

    def run(self, goes_on: Callable[[], bool], job: Job) -> None:
        """Iterate as long as `goes_on`. A job counts iterations."""
        while goes_on():
            job.raise_if_stopped()
            self.iterate()
            job.advance(1)

    def iterate(self) -> None:
        """Add a game of a new determinization to the tree."""
        self.iterations += 1
        at = self._drawn()
        path: list[tuple[int, MoveStatistics, int]] = []
        is_inside = True
        while is_inside:
            match at.node:
                case Terminal(payoffs):
                    self._back_up(path, payoffs)
                    return
                case Chance(weights):
                    number = self._random.among(weights)
                case Decision() as decision:
                    statistics, number, is_inside = self._select(decision)
                    path.append((decision.player, statistics, number))
            at = at.child(number)
        self._back_up(path, self._form.playout(at.history, self._random))

    def _drawn(self) -> "_VisitedHistory[H]":
        """Return a random determinization."""
        number = self._determinizations.draw(self._random)
        if number not in self._visited:
            self._visited[number] = _VisitedHistory(
                self._form, self._determinizations.histories[number]
            )
        return self._visited[number]

    def estimates(self) -> tuple[MoveEstimate, ...]:
        """Return the moves of the information set, the most visited first."""
        decision = self._form.node(self._determinizations.histories[0])
        assert isinstance(decision, Decision)
        return self.estimates_of(decision)

    def estimates_of(self, decision: Decision) -> tuple[MoveEstimate, ...]:
        """Return the moves of a decision, the most visited first."""
        statistics = self._statistics(decision)
        estimates = [
            MoveEstimate(number, text, statistics.visits[number], statistics.mean(number))
            for number, text in enumerate(statistics.moves)
        ]
        return tuple(sorted(estimates, key=lambda move: (-move.visits, -move.mean, move.number)))

    def _statistics(self, decision: Decision) -> MoveStatistics:
        """Return the node of an information set, which is added if it is new."""
        nodes, key = self._nodes[decision.player], decision.information.key
        statistics = nodes.get(key)
        if statistics is None:
            statistics = nodes[key] = MoveStatistics(decision.moves)
        return statistics

    def _select(self, decision: Decision) -> tuple[MoveStatistics, int, bool]:
        """Return the node of a decision, a move, and True if the move has been tried before.

        Moves that have not been tried come first, in random order.
        """
        statistics = self._statistics(decision)
        untried = statistics.untried
        if untried:
            return statistics, untried.pop(self._random.below(len(untried))), False
        return statistics, self._by_ucb1(statistics), True

    def _by_ucb1(self, statistics: MoveStatistics) -> int:
        """Return the move with the greatest upper confidence bound, the first one of equals."""
        visits, payoffs = statistics.visits, statistics.payoffs
        scale = _EXPLORATION * (self._greatest - self._least) * sqrt(log(sum(visits)))
        best, number = -float("inf"), 0
        for n, count in enumerate(visits):
            bound = payoffs[n] / count + scale / sqrt(count)
            if bound > best:
                best, number = bound, n
        return number

    def _back_up(
        self, path: list[tuple[int, MoveStatistics, int]], payoffs: tuple[int, ...]
    ) -> None:
        """Add the payoffs of a game to the nodes that it passed."""
        self._least = min(self._least, *payoffs)
        self._greatest = max(self._greatest, *payoffs)
        for player, statistics, number in path:
            statistics.visits[number] += 1
            statistics.payoffs[number] += payoffs[player]
