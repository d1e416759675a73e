"""A fit of weights of moves to choices: the Bradley-Terry model of Coulom (2007).

A move is a team of features, its weight is the product of theirs, and its chance of being chosen is
proportional to its weight. The logarithms are fitted by gradient ascent of the likelihood with a
step of its own for each feature (Adagrad; Duchi, Hazan and Singer, 2011). See decision 193.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp, sqrt

from rulesengine.engine.drivers.search.pattern_layout import (
    ATTACKS,
    CAPTURES,
    NEARNESSES,
    PASS,
    RISKS,
    SAVES,
)
from rulesengine.search.move_file import MoveLogarithms
from rulesengine.support.frozen import record

_EPOCHS = 5
_STEP, _SLOWER = 0.3, 0.8  # of the first epoch, and its factor from epoch to epoch
_DECAY = 3e-4  # of the logarithms, towards 0
_FEWEST = 4  # positions with a neighbourhood that has a weight of its own
_RARE = 1e-4  # chances below this change nothing

Key = tuple[int, int]  # side and code; the features that are no neighbourhoods have side -1
_BLOCKS = (NEARNESSES, CAPTURES, SAVES, ATTACKS, RISKS)


@record
class Choice:
    """A position: the neighbourhood of each move, None without one, its features, and the number
    of the chosen move.
    """

    codes: tuple[Key | None, ...]
    features: tuple[int, ...]
    chosen: int


def fit(choices: Sequence[Choice]) -> MoveLogarithms:
    """Return the logarithms of weights that make the choices most likely, approximately."""
    counts = Counter(code for choice in choices for code in set(choice.codes) if code)
    names = {code: number for number, code in enumerate(c for c in counts if counts[c] >= _FEWEST)}
    single = [_singles(feature, len(names)) for feature in range(PASS + 1)]
    teams = [_teams(choice, names, single) for choice in choices]
    values = [0.0] * (len(names) + sum(_BLOCKS) + 1)
    squares, step = [1e-8] * len(values), _STEP
    for _ in range(_EPOCHS):
        for choice, moves in zip(choices, teams, strict=True):
            for entry, slope in _gradient(values, moves, choice.chosen).items():
                change = slope - _DECAY * values[entry]
                squares[entry] += change * change
                values[entry] += step * change / sqrt(squares[entry])
        step *= _SLOWER
    codes = {code: values[number] for code, number in names.items()}
    return MoveLogarithms(codes, tuple(sum(values[e] for e in team) for team in single))


def _singles(feature: int, first: int) -> tuple[int, ...]:
    """Return the entries of an index of features, which combines classes."""
    if feature == PASS:
        return (first + sum(_BLOCKS),)
    numbers, end = list[int](), first + sum(_BLOCKS)
    for size in reversed(_BLOCKS):
        end -= size
        feature, number = divmod(feature, size)
        numbers.append(end + number)
    return tuple(numbers)


def _teams(
    choice: Choice, names: dict[Key, int], single: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return the entries of each move."""
    return [
        (names[code], *single[feature]) if code in names else single[feature]
        for code, feature in zip(choice.codes, choice.features, strict=True)
    ]


def _gradient(values: list[float], moves: list[tuple[int, ...]], chosen: int) -> dict[int, float]:
    """Return the derivatives of the logarithm of the chance of the chosen move."""
    scores = [sum([values[entry] for entry in move]) for move in moves]
    highest = max(scores)
    weights = [exp(score - highest) for score in scores]
    total, gradient = sum(weights), dict.fromkeys(moves[chosen], 1.0)
    for move, weight in zip(moves, weights, strict=True):
        chance = weight / total
        if chance > _RARE:
            for entry in move:
                gradient[entry] = gradient.get(entry, 0.0) - chance
    return gradient
