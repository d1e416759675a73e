"""Sequential probability ratio test (SPRT) of two hypotheses on the Elo difference of two players.

It is the generalised test of fishtest on rounds of two games with swapped sides (the pentanomial
model; M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
distribution", 2020), with the bounds of Wald (1945).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log

from rulesengine.errors import UsageError
from rulesengine.support.frozen import record

_HALVES = 4  # half points in two games
# pseudo-count of results that have not occurred; without it a mean may be unreachable
_UNSEEN = 1e-3
_ELO = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,3})?")
_RISK = re.compile(r"0\.[0-9]{1,6}")
_TINY = 1e-12
_HALVINGS = 40
STRONGER, NOT_STRONGER = "H1", "H0"


@record
class Sprt:
    """A test of two hypotheses: the first player is stronger by `elo0` (H0) or by `elo1` (H1).

    `alpha` bounds the probability of accepting H1 under H0, `beta` that of accepting H0 under H1.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def decision(self, rounds: Mapping[int, float]) -> str:
        """Return `H0`, `H1`, or an empty text while undecided; `rounds` counts rounds by half
        points.
        """
        lower, upper = self.bounds
        ratio = self.log_ratio(rounds)
        return STRONGER if ratio >= upper else NOT_STRONGER if ratio <= lower else ""

    def log_ratio(self, rounds: Mapping[int, float]) -> float:
        """Return the logarithm of the ratio of the maximum likelihoods under the two means."""
        if not sum(rounds.values()):
            return 0.0
        counts = [rounds.get(half, 0) or _UNSEEN for half in range(_HALVES + 1)]
        under0, under1 = (_tilted(counts, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(n * log(b / a) for n, a, b in zip(counts, under0, under1, strict=True))


class RunningTest:
    """A test in progress that counts rounds in the order of their numbers, whatever their arrival.

    `counts` are the rounds by half points, `clean` those without a forfeit.
    """

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.counts = Counter[int]()
        self.clean = Counter[int]()
        self.decision = ""
        self._early: dict[int, int] = {}
        self._faulty = set[int]()
        self._next = 0

    @property
    def rounds(self) -> int:
        """Return the number of counted rounds; none is counted after the decision."""
        return self._next

    @property
    def faulty(self) -> int:
        """Return the number of counted rounds with a forfeit."""
        return self.rounds - sum(self.clean.values())

    @property
    def is_by_faults(self) -> bool:
        """True if the rounds without a forfeit alone would not lead to the decision."""
        return self.decision != "" and self.test.decision(self.clean) != self.decision

    def add(self, rounds: Iterable[tuple[int, int]], faulty: Iterable[int] = ()) -> str:
        """Add rounds, each its number and half points; return the decision or an empty text.

        `faulty` are the numbers of the rounds with a forfeit.
        """
        self._early.update(rounds)
        self._faulty.update(faulty)
        while not self.decision and self._next in self._early:
            half = self._early.pop(self._next)
            self.counts[half] += 1
            self.clean[half] += self._next not in self._faulty
            self._next += 1
            self.decision = self.test.decision(self.counts)
        return self.decision


def read_sprt(text: str) -> Sprt:
    """Parse a test from `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`. Raises UsageError."""
    parts = text.split(",")
    elos, risks = parts[:2], parts[2:]
    fine = all(map(_ELO.fullmatch, elos)) and all(map(_RISK.fullmatch, risks))
    if len(parts) not in (2, 4) or not fine:
        form = "ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10,0.05,0.05"
        raise UsageError(f"--sprt: expected {form}, found `{text[:40]}`")
    numbers = [float(part) for part in parts]
    if not numbers[0] < numbers[1] or not all(0 < risk < 0.5 for risk in numbers[2:]):
        raise UsageError("--sprt: ELO0 is less than ELO1, and the risks are above 0 and below 0.5")
    return Sprt(*numbers)


def score_of(elo: float) -> float:
    """Return the expected score of a player that is stronger by `elo`."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _tilted(counts: list[float], mean: float) -> list[float]:
    """Return the maximum-likelihood distribution with a given mean, given the counts.

    The probability of value a is p / (1 + x (a - mean)), with the unique x that yields the mean.
    """
    total = sum(counts)
    shares = [count / total for count in counts]
    gaps = [half / _HALVES - mean for half in range(_HALVES + 1)]
    low, high = -1 / gaps[-1] + _TINY, -1 / gaps[0] - _TINY
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if sum(p * gap / (1 + middle * gap) for p, gap in zip(shares, gaps, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return [p / (1 + low * gap) for p, gap in zip(shares, gaps, strict=True)]
