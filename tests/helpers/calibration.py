"""Chances of winning by estimates of searches: `python -m tests.helpers.calibration [GAME…]`.

It plays games between equal searches and fits the scale of a logistic curve, by which an estimate
becomes a chance. It rewrites the rows of the given games, or of all, in `games/calibration.txt`.
`confirm` before the games writes new digests alone, where rules have changed but play has not.
"""

import math
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rulesengine import Game, load
from rulesengine.contests import opening
from rulesengine.errors import RulesError
from rulesengine.search.calibration import Calibration, digest_of
from rulesengine.support.frozen import record
from rulesengine.support.resources import bundled_names

FILE = Path(__file__).parents[2] / "games" / "calibration.txt"
HEAD = """\
# The scales by which estimates of searches become chances of winning: name | digest of the rules |
# scale | games | loss | loss of a constant. `python -m tests.helpers.calibration` makes the rows.
"""
GAMES, NODES, PLIES = 80, 300, 300
OPENINGS = (2, 4, 6, 8)  # plies of random openings
LEAST = 0.95  # of the loss of a constant: a curve that is not better is left out
_BOUNDS = (-3.0, 9.0)  # of the logarithm of a scale


@record
class Sample:
    """Estimates of a game, each for the player to move, with its result: 1, 0.5 or 0."""

    points: tuple[tuple[int, float], ...]


@record
class Curve:
    """A fitted scale with its mean loss in games that were not fitted, and that of a constant."""

    scale: float
    games: int
    loss: float
    constant: float


def played(game: Game, number: int, evaluation: str = "rules") -> Sample | None:
    """Play a game between equal searches; None if it does not end, or has no estimates."""
    start = opening(game, 1, number, OPENINGS[number % len(OPENINGS)])
    state, draw = start.state, random.Random(number)
    found: list[tuple[int, str]] = []
    for ply in range(PLIES):
        outcome = game.outcome(state)
        if outcome is not None:
            own, other = (outcome.payoffs[name] for name in game.players)
            first = (own > other) + 0.5 * (own == other)
            ends = dict(zip(game.players, (first, 1 - first), strict=True))
            return Sample(tuple((value, ends[name]) for value, name in found)) if found else None
        moves, weights = game.legal_moves(state), game.weights(state)
        if weights or len(moves) == 1:
            move = moves[draw.choices(range(len(moves)), weights or None)[0]]
        else:
            seed = number * PLIES + ply
            result = game.search(state, nodes=NODES, evaluation=evaluation, seed=seed)
            move = result.move
            if result.unit == "estimate":
                found.append((result.value, state.mover))
        state = game.apply(state, move, check=False)
    return None


def loss(samples: Sequence[Sample], chance: Callable[[float], float]) -> float:
    """Return the mean cross entropy over games, each with the mean over its positions."""
    means = []
    for sample in samples:
        terms = []
        for value, result in sample.points:
            p = min(max(chance(value), 1e-6), 1 - 1e-6)
            terms.append(-result * math.log(p) - (1 - result) * math.log(1 - p))
        means.append(sum(terms) / len(terms))
    return sum(means) / len(means)


def fitted(samples: Sequence[Sample]) -> float:
    """Return the scale with the least loss, by golden section search over its logarithm."""
    low, high = _BOUNDS
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(40):
        one, other = high - ratio * (high - low), low + ratio * (high - low)
        if loss(samples, Calibration(math.exp(one), 0).chance) < loss(
            samples, Calibration(math.exp(other), 0).chance
        ):
            high = other
        else:
            low = one
    return math.exp((low + high) / 2)


def curve(game: Game, games: int = GAMES) -> Curve | None:
    """Return the curve of a game of two players; None without estimates."""
    if len(game.players) != 2 or game.search_method != "alpha-beta":
        return None
    given = (played(game, number) for number in range(games))
    samples = [sample for sample in given if sample]
    if len(samples) < games // 2:
        return None
    fit, test = samples[::2], samples[1::2]
    results = [result for sample in fit for _, result in sample.points]
    mean = sum(results) / len(results)
    tested = loss(test, Calibration(fitted(fit), 0).chance)
    return Curve(fitted(samples), len(samples), tested, loss(test, lambda value: mean))


def row(name: str) -> str:
    """Return the row of a bundled game, empty if its curve is no better than a constant."""
    game = load(name, engine="native")
    try:
        found = curve(game)
    except RulesError as error:
        sys.stdout.write(f"{name}: {error}\n")
        return ""
    sys.stdout.write(f"{name}: {found}\n")
    sys.stdout.flush()
    if found is None or found.loss > LEAST * found.constant:
        return ""
    numbers = f"{found.scale:.3g} | {found.games} | {found.loss:.3f} | {found.constant:.3f}"
    return f"{name} | {digest_of(game.rules)} | {numbers}"


def confirmed(line: str) -> str:
    """Return a row with the digest of the rules of today."""
    name, _, *rest = line.split(" | ")
    return " | ".join((name, digest_of(load(name).rules), *rest))


def main(names: Sequence[str]) -> None:
    rows = {}
    if FILE.exists():
        lines = FILE.read_text("utf-8").splitlines()
        rows = {line.partition(" ")[0]: line for line in lines if line and line[0] != "#"}
    is_confirmed = names[:1] == ("confirm",)
    for name in names[1:] or sorted(rows) if is_confirmed else names or bundled_names():
        rows[name] = confirmed(rows[name]) if is_confirmed else row(name)
        kept = [rows[one] for one in sorted(rows) if rows[one]]
        FILE.write_text(HEAD + "".join(f"{line}\n" for line in kept), "utf-8")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
