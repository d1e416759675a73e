"""Elo: the difference of two players, and Bradley-Terry ratings of many."""

from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from math import inf, log, log10
from typing import TYPE_CHECKING, Any

from rulesengine.contests.stats.crosstable import Crosstable
from rulesengine.contests.stats.intervals import Z, wilson
from rulesengine.errors import UsageError
from rulesengine.support.frozen import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

_SCALE = 400 / log(10)  # Elo per unit of the natural logarithm of odds
_TINY = 1e-9
_PRIOR = 0.1  # prior draws between any two entrants, which keep ratings finite
_LEAST = 0.1  # minimum share of the variance without draws, for pairs that only draw


@record
class Rating:
    """An Elo rating with its 95 % confidence interval."""

    elo: float
    low: float
    high: float


def difference(table: Crosstable, i: int, j: int) -> Rating | None:
    """Return the Elo difference of two players by their score; None without games of both.

    The interval is Wilson's with the variance of rounds: games of a round are not independent.
    """
    wins, draws, losses = table.against(i, j)
    games = wins + draws + losses
    if not games or table.single:
        return None
    score = (wins + draws / 2) / games
    low, high = wilson(score, games, _variance(table, i, j, score, draws / games))
    return Rating(_elo(score), _elo(low), _elo(high))


def has_ratings() -> bool:
    """True if the libraries for ratings of many players are installed."""
    return all(find_spec(name) for name in ("choix", "numpy"))


def ratings(table: Crosstable) -> tuple[Rating, ...]:
    """Return the maximum-likelihood Bradley-Terry ratings of all entrants, with mean 0.

    A draw is half a win and half a loss. Intervals are from the curvature of the likelihood and the
    variance of games given the rate of draws. Raises UsageError without the extra `contests`.
    """
    if not has_ratings():
        raise UsageError("ratings need the extra `contests`")
    import choix
    import numpy as np

    scores, draws = _matrices(table)
    logits = choix.ilsr_pairwise_dense(scores, alpha=0.0)
    strengths = np.asarray(logits) - np.mean(logits)
    reach = Z * np.sqrt(np.diag(_covariance(scores, draws, strengths)))
    return tuple(
        Rating(_SCALE * strength, _SCALE * (strength - width), _SCALE * (strength + width))
        for strength, width in zip(map(float, strengths), map(float, reach), strict=True)
    )


def _matrices(table: Crosstable) -> "tuple[Matrix, Matrix]":
    """Return the points and draws of each pair, with the prior draws."""
    import numpy as np

    size = range(table.entrants)
    apart = _PRIOR * (1 - np.eye(table.entrants))
    draws = np.array([[table.draws[i, j] for j in size] for i in size]) + apart
    wins = np.array([[table.wins[i, j] for j in size] for i in size], dtype=float)
    return wins + draws / 2, draws


def _covariance(scores: "Matrix", draws: "Matrix", strengths: "Matrix") -> "Matrix":
    """Return the sandwich estimate of the covariance of the strengths.

    It is the inverse of the curvature on both sides of the variance of the scores.
    """
    import numpy as np

    games = scores + scores.T
    odds = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    expected = odds * (1 - odds)
    rates = np.divide(draws, games, out=np.zeros_like(games), where=games > 0)
    varied = np.maximum(expected - rates / 4, _LEAST * expected)
    inverse = np.linalg.pinv(_laplacian(games * expected))
    covariance: Any = inverse @ _laplacian(games * varied) @ inverse
    return np.asarray(covariance, dtype=np.float64)


def _laplacian(weights: "Matrix") -> "Matrix":
    import numpy as np

    laplacian: Any = np.diag(weights.sum(axis=1)) - weights
    return np.asarray(laplacian, dtype=np.float64)


def _variance(table: Crosstable, i: int, j: int, score: float, drawn: float) -> float:
    """Return the variance per game with which independent games would have this variance of the
    mean.
    """
    rounds = table.rounds.get((min(i, j), max(i, j)), Counter[int]())
    count = sum(rounds.values())
    if count < 2:
        return max(score * (1 - score) - drawn / 4, 0.0)
    shares = [(half / 4, number) for half, number in rounds.items()]
    mean = sum(share * number for share, number in shares) / count
    return 2 * sum(number * (share - mean) ** 2 for share, number in shares) / (count - 1)


def _elo(score: float) -> float:
    if not _TINY < score < 1 - _TINY:
        return inf if score > _TINY else -inf
    return -400 * log10(1 / score - 1)


def order_of(table: Crosstable, rated: Sequence[Rating] | None) -> list[int]:
    """Return the entrants, the best first: by rating, or else by their share of the points."""

    def key(entrant: int) -> tuple[float, int]:
        if rated:
            return -rated[entrant].elo, entrant
        return -table.score(entrant) / max(table.compared(entrant), 1), entrant

    return sorted(range(table.entrants), key=key)
