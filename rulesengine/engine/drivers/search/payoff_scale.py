"""Sums of weights as payoffs of a single player, without a sigmoid. See decision 102."""

from rulesengine.language.ir.score_decided import SCALE

FRACTION = 16  # bits of a payoff after the point
FARTHEST = 1 << 44  # greatest sum and payoff, with their fraction


def fixed_point(payoff: int) -> int:
    """Return a payoff as a sum of weights."""
    most = FARTHEST >> FRACTION
    return max(-most, min(most, payoff)) << FRACTION


def expected_payoff(total: int) -> int:
    """Return a sum of weights within the limits of payoffs."""
    return max(-FARTHEST, min(FARTHEST, total))


def in_thousandths(total: int) -> int:
    """Return the payoff of a sum of weights in thousandths of a point, rounded down."""
    return expected_payoff(total) * SCALE >> FRACTION
