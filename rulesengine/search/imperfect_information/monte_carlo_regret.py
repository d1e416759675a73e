"""External-sampling MCCFR (Lanctot, Waugh, Zinkevich, Bowling 2009), for trees too large for CFR+.

An iteration follows all moves of one player. It samples the moves of chance and of the opponent.
The average strategies converge to an equilibrium, but no bound of the value is known.
"""

from typing import Generic

from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import LimitError, UsageError
from rulesengine.job import Job
from rulesengine.search.imperfect_information.best_response import normalised
from rulesengine.search.imperfect_information.extensive_form import (
    Chance,
    Decision,
    ExtensiveForm,
    H,
    InformationState,
    Terminal,
)

MOST_PLIES = 200  # of a game, since each takes several frames of the call stack
_PAIR = 2
_PARTS = 2**53  # random numbers are multiples of 1 / _PARTS, exact in floating point
_HALF = 0.5


class SampledSet:
    """The regrets and the sum of the strategies of an information set."""

    __slots__ = ("information", "moves", "regrets", "sums")

    def __init__(self, decision: Decision) -> None:
        self.information: InformationState = decision.information
        self.moves = decision.moves
        self.regrets = [0.0] * len(decision.moves)
        self.sums = [0.0] * len(decision.moves)

    def strategy(self) -> list[float]:
        """Return the current strategy, by regret matching."""
        return normalised([max(0.0, regret) for regret in self.regrets])

    def average(self) -> list[float]:
        """Return the average strategy."""
        return normalised(self.sums)


class ExternalSampling(Generic[H]):
    """External-sampling MCCFR of a two-player game, with a limit of visited histories."""

    def __init__(self, form: ExtensiveForm[H], seed: int = 0, limit: int | None = None) -> None:
        if len(form.players) != _PAIR:
            raise UsageError("counterfactual regret minimisation is for games of two players")
        self.iterations = 0
        self.histories = 0
        # the information sets of each player that an iteration has reached
        self.sets: tuple[dict[bytes, SampledSet], ...] = ({}, {})
        self._form = form
        self._random = Generator(seed, 0)
        self._limit = limit
        self._job = Job()
        self._values: list[float] = []

    def iterate(self, job: Job) -> bool:
        """Update both players once; return False if the limit of histories ended that."""
        self._job = job
        try:
            values = [self._value(self._form.root(), player, 0) for player in (0, 1)]
        except _LimitReached:
            return False
        self.iterations += 1
        self._values.append((values[0] - values[1]) / _PAIR)
        return True

    @property
    def mean(self) -> float | None:
        """Return the mean payoff of the first player in the second half of the iterations.

        It is an estimate of the value. None before the first iteration.
        """
        known = self._values[len(self._values) // 2 :]
        return sum(known) / len(known) if known else None

    def _value(self, history: H, player: int, plies: int) -> float:
        """Return the sampled payoff of a player under the current strategies, and update them."""
        self._visit(plies)
        match self._form.node(history):
            case Terminal(payoffs):
                return float(payoffs[player])
            case Chance(weights):
                number = self._random.among(weights)
                return self._value(self._form.child(history, number), player, plies + 1)
            case Decision() as decision:
                known = self.sets[decision.player].get(decision.information.key)
                if known is None:
                    known = SampledSet(decision)
                    self.sets[decision.player][decision.information.key] = known
                if decision.player == player:
                    return self._own_value(history, player, known, plies)
                strategy = known.strategy()
                known.sums = [a + b for a, b in zip(known.sums, strategy, strict=True)]
                number = self._sampled(strategy)
                return self._value(self._form.child(history, number), player, plies + 1)

    def _own_value(self, history: H, player: int, known: SampledSet, plies: int) -> float:
        """Return the mean of all moves of a set, and add their regrets."""
        strategy, child = known.strategy(), self._form.child
        values = [self._value(child(history, n), player, plies + 1) for n in range(len(strategy))]
        mean = sum(share * value for share, value in zip(strategy, values, strict=True))
        known.regrets = [r + v - mean for r, v in zip(known.regrets, values, strict=True)]
        return mean

    def _sampled(self, strategy: list[float]) -> int:
        """Return a random move of a strategy."""
        left = self._random.below(_PARTS) / _PARTS
        for number, share in enumerate(strategy):
            left -= share
            if left < 0.0:
                return number
        return max(range(len(strategy)), key=strategy.__getitem__)

    def _visit(self, plies: int) -> None:
        """Count a history of a length.

        Raises _LimitReached, LimitError for a long game, and Stopped if the job is cancelled.
        """
        if self.histories == self._limit:
            raise _LimitReached
        if plies > MOST_PLIES:
            raise LimitError(f"sampled regrets are for games of at most {MOST_PLIES} moves")
        self.histories += 1
        self._job.raise_if_stopped()
        self._job.advance(1)


class _LimitReached(Exception):
    """The limit of visited histories, inside an iteration."""
