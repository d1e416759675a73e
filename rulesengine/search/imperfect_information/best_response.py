"""Best responses in sequence form, and the bounds of the value that they prove.

A realisation plan has the probability with which a player makes the moves of each sequence, if the
other players and chance allow it. The payoff of a player is linear in the own plan, so a best
response is found from the last information sets to the first.
"""

from collections.abc import Iterable, Sequence

from rulesengine.search.imperfect_information.sequence_form import EMPTY, SequenceForm
from rulesengine.support.frozen import record

Plan = Sequence[float]
_EPSILON = 2.0**-52  # the relative rounding error of a product or sum


@record
class Bounds:
    """The bounds of the value for the first player.

    - `low` is its payoff against a best response to its own strategy.
    - `high` is the payoff of its best response to the strategy of the second player.
    """

    low: float
    high: float

    @property
    def nash_conv(self) -> float:
        """Return the sum of the gains of both players by a best response (NashConv)."""
        return self.high - self.low

    @property
    def exploitability(self) -> float:
        """Return the mean gain of the two players, NashConv / 2."""
        return self.nash_conv / 2


class PayoffTable:
    """The payoffs of a game, in the layout that values of sequences are computed from."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        # for each player: own sequence, sequence of the opponent, payoff of the player
        self._entries = tuple(
            [(p.sequences[own], p.sequences[1 - own], p.value * sign) for p in form.payoffs]
            for own, sign in ((0, 1.0), (1, -1.0))
        )

    def values(self, player: int, plan: Plan) -> list[float]:
        """Return the payoff of each own sequence of a player against a plan of the opponent.

        The value of a sequence counts the ends that follow it without a further own move.
        """
        values = [0.0] * self.form.sizes[player]
        for own, other, payoff in self._entries[player]:
            values[own] += payoff * plan[other]
        return values

    def best_response(self, player: int, plan: Plan) -> float:
        """Return the payoff of a best response of a player to a plan of the opponent."""
        values = self.values(player, plan)
        for information_set in reversed(self.form.sets[player]):
            values[information_set.parent] += max(values[n] for n in information_set.sequences)
        return values[EMPTY]

    def bounds(self, plans: Sequence[Plan]) -> Bounds:
        """Return the bounds that a plan of each player proves, with the rounding error added."""
        form = self.form
        size = max(abs(form.least), abs(form.greatest))
        error = size * _EPSILON * (len(form.payoffs) + 2 * sum(form.sizes))
        low, high = -self.best_response(1, plans[0]), self.best_response(0, plans[1])
        return Bounds(max(low - error, form.least), min(high + error, form.greatest))


def realisation_plan(form: SequenceForm, player: int, strategy: Sequence[float]) -> list[float]:
    """Return the realisation plan of a strategy, given as a probability for each sequence.

    The probability of a sequence is that of its last move in its information set.
    """
    plan = [1.0] * form.sizes[player]
    for information_set in form.sets[player]:
        for number in information_set.sequences:
            plan[number] = plan[information_set.parent] * strategy[number]
    return plan


def strategy_of(form: SequenceForm, player: int, weights: Sequence[float]) -> list[float]:
    """Return the strategy with probabilities proportional to weights in each information set.

    A set without a positive weight gets equal probabilities.
    """
    strategy = [1.0] * form.sizes[player]
    for information_set in form.sets[player]:
        numbers = information_set.sequences
        shares = normalised([weights[number] for number in numbers])
        for number, share in zip(numbers, shares, strict=True):
            strategy[number] = share
    return strategy


def normalised(weights: Iterable[float]) -> list[float]:
    """Return weights divided by their sum; equal shares if the sum is 0."""
    known = list(weights)
    total = sum(known)
    if total <= 0.0:
        return [1.0 / len(known)] * len(known)
    return [weight / total for weight in known]
