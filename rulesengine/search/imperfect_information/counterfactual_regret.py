"""CFR+ in sequence form: regret matching with non-negative regrets (Tammelin 2014).

The counterfactual value of a move is the value of its sequence against the realisation plan of the
opponent. The players update in turn. The average strategies have linear weights, and converge to an
equilibrium of a two-player zero-sum game.
"""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.search.imperfect_information.best_response import (
    Bounds,
    PayoffTable,
    normalised,
    realisation_plan,
    strategy_of,
)
from rulesengine.search.imperfect_information.sequence_form import SequenceForm


class RegretMinimiser(Protocol):
    """An algorithm with average strategies that converge to an equilibrium."""

    @property
    def iterations(self) -> int:
        """Return the number of iterations so far."""

    def iterate(self) -> None:
        """Update the regrets and the average strategy of both players once."""

    def bounds(self) -> Bounds:
        """Return the bounds of the value that the average strategies prove."""

    def average_strategy(self, player: int) -> Sequence[float]:
        """Return the average strategy of a player: a probability for each sequence."""


class CfrPlus:
    """CFR+ in plain Python."""

    def __init__(self, form: SequenceForm) -> None:
        self.iterations = 0
        self._form = form
        self._table = PayoffTable(form)
        self._regrets = tuple([0.0] * size for size in form.sizes)
        self._sums = tuple([0.0] * size for size in form.sizes)
        self._strategies = [
            strategy_of(form, player, regrets) for player, regrets in enumerate(self._regrets)
        ]
        self._plans = [
            realisation_plan(form, player, strategy)
            for player, strategy in enumerate(self._strategies)
        ]

    def iterate(self) -> None:
        """Update the first player, then the second one against its new strategy."""
        self.iterations += 1
        for player in (0, 1):
            self._add_regrets(player)
            self._follow_regrets(player)

    def bounds(self) -> Bounds:
        """Return the bounds of the value that the average strategies prove."""
        plans = [
            realisation_plan(self._form, player, self.average_strategy(player)) for player in (0, 1)
        ]
        return self._table.bounds(plans)

    def average_strategy(self, player: int) -> list[float]:
        """Return the average strategy of a player: a probability for each sequence."""
        return strategy_of(self._form, player, self._sums[player])

    def _add_regrets(self, player: int) -> None:
        """Add the regrets against the current plan of the opponent; negative sums become 0."""
        values = self._table.values(player, self._plans[1 - player])
        strategy, regrets = self._strategies[player], self._regrets[player]
        for information_set in reversed(self._form.sets[player]):
            numbers = information_set.sequences
            mean = sum(strategy[n] * values[n] for n in numbers)
            for n in numbers:
                regrets[n] = max(0.0, regrets[n] + values[n] - mean)
            values[information_set.parent] += mean

    def _follow_regrets(self, player: int) -> None:
        """Set the strategy by regret matching, and add its plan to the average."""
        regrets, strategy = self._regrets[player], self._strategies[player]
        plan, sums = self._plans[player], self._sums[player]
        for information_set in self._form.sets[player]:
            numbers = information_set.sequences
            shares = normalised([regrets[n] for n in numbers])
            for n, share in zip(numbers, shares, strict=True):
                strategy[n] = share
                plan[n] = plan[information_set.parent] * share
                sums[n] += self.iterations * plan[n]
