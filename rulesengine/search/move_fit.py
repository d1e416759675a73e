"""A fit of weights of moves to choices: the Bradley-Terry model of Coulom (2007).

A move is a team of features, its weight is the product of theirs, and its chance of being chosen is
proportional to its weight. The logarithms are fitted by gradient ascent of the likelihood with a
step of its own for each feature (Adagrad; Duchi, Hazan and Singer, 2011). See decision 193.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
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
_LARGER_DECAY = 0.1  # the same for larger patterns, which are rare
_FEWEST = 4  # positions with a neighbourhood that has a weight of its own
_LARGER_FEWEST = 8  # the same for larger patterns
_MOST_LARGER = 1_500  # patterns in a file
_RARE = 1e-4  # chances below this change nothing

Key = tuple[int, int]  # side and code; the features that are no neighbourhoods have side -1
_BLOCKS = (NEARNESSES, CAPTURES, SAVES, ATTACKS, RISKS)


@record
class Choice:
    """A position: the neighbourhood and larger pattern of each move, None without one, its
    features, and the number of the chosen move.
    """

    codes: tuple[Key | None, ...]
    larger: tuple[Key | None, ...]
    features: tuple[int, ...]
    chosen: int


def fit(choices: Sequence[Choice], most_larger: int) -> MoveLogarithms:
    """Return the logarithms of weights that make the choices most likely, approximately.

    `most_larger` is the maximum number of larger patterns; those with the greatest weights and
    most positions are returned.
    """
    counts = _counts(choice.codes for choice in choices)
    codes = [code for code in counts if counts[code] >= _FEWEST]
    larger_counts = _counts(choice.larger for choice in choices)
    larger = [code for code in larger_counts if larger_counts[code] >= _LARGER_FEWEST]
    names = {code: number for number, code in enumerate(codes)}
    end = len(codes) + len(larger)
    larger_names = {code: number for number, code in enumerate(larger, len(codes))}
    single = [_singles(feature, end) for feature in range(PASS + 1)]
    teams = [_teams(choice, names, larger_names, single) for choice in choices]
    values = [0.0] * (end + sum(_BLOCKS) + 1)
    decays = [_DECAY] * len(values)
    decays[len(codes) : end] = [_LARGER_DECAY] * len(larger)
    squares, step = [1e-8] * len(values), _STEP
    for _ in range(_EPOCHS):
        for choice, moves in zip(choices, teams, strict=True):
            for entry, slope in _gradient(values, moves, choice.chosen).items():
                change = slope - decays[entry] * values[entry]
                squares[entry] += change * change
                values[entry] += step * change / sqrt(squares[entry])
        step *= _SLOWER
    found = {code: values[number] for code, number in larger_names.items()}
    by_weight = sorted(
        larger, key=lambda code: (-abs(found[code]) * sqrt(larger_counts[code]), code)
    )
    return MoveLogarithms(
        {code: values[number] for code, number in names.items()},
        tuple(sum(values[e] for e in team) for team in single),
        {code: found[code] for code in by_weight[: min(most_larger, _MOST_LARGER)]},
    )


def _counts(keys: Iterable[Sequence[Key | None]]) -> Counter[Key]:
    """Return the number of positions with each pattern."""
    return Counter(key for some in keys for key in dict.fromkeys(some) if key is not None)


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
    choice: Choice,
    names: dict[Key, int],
    larger_names: dict[Key, int],
    single: list[tuple[int, ...]],
) -> list[tuple[int, ...]]:
    """Return the entries of each move."""
    return [
        (
            *([names[code]] if code in names else ()),
            *([larger_names[larger]] if larger in larger_names else ()),
            *single[feature],
        )
        for code, larger, feature in zip(choice.codes, choice.larger, choice.features, strict=True)
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
