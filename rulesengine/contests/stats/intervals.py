"""95 % confidence intervals of shares and means."""

from collections.abc import Sequence
from math import inf, sqrt
from statistics import fmean, variance

from rulesengine.support.frozen import record

Z = 1.959964  # the 97.5 % quantile of the normal distribution


@record
class Interval:
    """An estimate, its confidence interval, and the number of observations."""

    value: float
    low: float
    high: float
    count: int


def wilson(share: float, count: float, spread: float | None = None) -> tuple[float, float]:
    """Return the Wilson interval of a share of `count` observations (Wilson, 1927).

    `spread` is the variance of one observation, by default share * (1 - share).
    """
    if spread is None:
        spread = share * (1 - share)
    part = 1 + Z**2 / count
    middle = (share + Z**2 / (2 * count)) / part
    reach = Z / part * sqrt(spread / count + Z**2 / (4 * count**2))
    return middle - reach, middle + reach


def share_of(hits: int, count: int) -> Interval | None:
    """Return a share with its Wilson interval; None without observations."""
    if not count:
        return None
    low, high = wilson(hits / count, count)
    return Interval(hits / count, max(low, 0.0), min(high, 1.0), count)


def score_of(points: Sequence[float]) -> Interval | None:
    """Return the mean of points from 0 to 1 with a Wilson interval by their variance."""
    if not points:
        return None
    mean = fmean(points)
    spread = fmean((point - mean) ** 2 for point in points)
    low, high = wilson(mean, len(points), spread)
    return Interval(mean, max(low, 0.0), min(high, 1.0), len(points))


def mean_of(values: Sequence[float], least: float = -inf, greatest: float = inf) -> Interval | None:
    """Return a mean with its Student interval, unbounded for one value; None without values.

    The interval is cut at the least and the greatest value that an observation can have.
    """
    if not values:
        return None
    mean = fmean(values)
    if len(values) == 1:
        return Interval(mean, -inf, inf, 1)
    reach = student(len(values) - 1) * sqrt(variance(values) / len(values))
    low, high = max(least, mean - reach), min(greatest, mean + reach)
    return Interval(mean, low, high, len(values))


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t distribution.

    It is exact for one and two degrees of freedom. From three degrees on the error is below 0.01,
    by the expansion in Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    if freedom == 1:
        return 12.706205
    if freedom == 2:
        return 4.302653
    z, n = Z, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
