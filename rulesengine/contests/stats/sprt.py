"""A sequential test of two hypotheses on the Elo difference of two players.

It is the generalised sequential probability ratio test of fishtest, on rounds of two games with
swapped sides (the pentanomial model; M. Van den Bergh, "The generalized maximum likelihood ratio
for the expectation value of a distribution", 2020), with the bounds of Wald (1945).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log

from rulesengine.errors import UsageError
from rulesengine.support.frozen import record

_HALVES = 4  # half points that two games give
_UNSEEN = 1e-3  # of a round, for what has not come about: with none a mean could not be met
_ELO = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,3})?")
_RISK = re.compile(r"0\.[0-9]{1,6}")
_TINY = 1e-12
_HALVINGS = 40
STRONGER, NOT_STRONGER = "H1", "H0"


@record
class Sprt:
    """Is the first player stronger by `elo1` (H1) or by `elo0` (H0)?

    H1 is taken where H0 holds in at most a share `alpha` of all tests, H0 where H1 holds in `beta`.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the ratio at which H0 and H1 are taken."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def decision(self, rounds: Mapping[int, float]) -> str:
        """`H0`, `H1`, or an empty text while the test goes on; `rounds` counts half points."""
        lower, upper = self.bounds
        ratio = self.log_ratio(rounds)
        return STRONGER if ratio >= upper else NOT_STRONGER if ratio <= lower else ""

    def log_ratio(self, rounds: Mapping[int, float]) -> float:
        """The logarithm of the ratio of the likelihoods that the two means can have at most."""
        if not sum(rounds.values()):
            return 0.0
        counts = [rounds.get(half, 0) or _UNSEEN for half in range(_HALVES + 1)]
        under0, under1 = (_tilted(counts, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(n * log(b / a) for n, a, b in zip(counts, under0, under1, strict=True))


class Running:
    """A test that takes rounds in the order of their numbers, whenever they arrive.

    `counts` are the rounds by half points, `clean` those of them in which nobody lost by a fault.
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
        """How many rounds have been looked at; after the decision none is."""
        return self._next

    @property
    def faulty(self) -> int:
        """How many of these rounds had a game that was lost by a fault."""
        return self.rounds - sum(self.clean.values())

    @property
    def is_by_faults(self) -> bool:
        """Whether there would be no such decision by the rounds without a fault."""
        return self.decision != "" and self.test.decision(self.clean) != self.decision

    def add(self, rounds: Iterable[tuple[int, int]], faulty: Iterable[int] = ()) -> str:
        """Take in rounds, each its number and its half points; the decision if there is one.

        `faulty` are the numbers of those in which a game was lost by a fault.
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
    """The test of a text `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`. Raises UsageError."""
    parts = text.split(",")
    elos, risks = parts[:2], parts[2:]
    fine = all(map(_ELO.fullmatch, elos)) and all(map(_RISK.fullmatch, risks))
    if len(parts) not in (2, 4) or not fine:
        what = "ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10,0.05,0.05"
        raise UsageError(f"--sprt: expected {what}, found `{text[:40]}`")
    numbers = [float(part) for part in parts]
    if not numbers[0] < numbers[1] or not all(0 < risk < 0.5 for risk in numbers[2:]):
        raise UsageError("--sprt: ELO0 is less than ELO1, and the risks are above 0 and below 0.5")
    return Sprt(*numbers)


def score_of(elo: float) -> float:
    """The share of the points that a player gets who is stronger by so many Elo."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _tilted(counts: list[float], mean: float) -> list[float]:
    """The likeliest distribution with a mean, given what was counted.

    Of value a it is p / (1 + x (a - mean)), with the one x for which the mean is met.
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
