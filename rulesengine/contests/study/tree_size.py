"""How large the tree of all games is: counted where it is small, else as random games tell."""

from collections.abc import Sequence
from math import e, inf, log2, log10

from rulesengine.contests.ply_metrics import log_sum
from rulesengine.contests.stats.intervals import Z
from rulesengine.game import Game
from rulesengine.support.frozen import record

COUNTED, KNUTH = "counted", "Knuth's estimate"
_SMALL = 20  # binary digits of the nodes of a tree that is counted
_FAR = 4  # times what was expected: then no longer
_DIGIT = log10(2)


@record
class Tree:
    """The nodes of the tree of all games, the start being one, as decimal logarithms.

    `nodes` and `positions` are exact numbers where they were counted: nodes of the tree, and
    positions that differ, summed over the plies. The interval of an estimate is that of a mean
    of many, on a logarithmic scale: a few great trees that no sample met would lie beyond it.
    """

    method: str
    log: float
    low: float
    high: float
    nodes: int | None = None
    positions: int | None = None


def tree_of(game: Game, samples: Sequence[float], *, counts: bool = True) -> Tree | None:
    """The tree of a game, from what random games stand for; None without any.

    With `counts` one that seems small is counted.
    """
    if not samples:
        return None
    found = estimate(samples)
    is_small = found.log < _SMALL * _DIGIT and not game.rules.chance
    counted = _counted(game) if counts and is_small else None
    if counted is None:
        return found
    log = log10(sum(counted))
    positions = sum(game.count(len(counted) - 1))
    return Tree(COUNTED, log, log, log, sum(counted), positions)


def estimate(samples: Sequence[float]) -> Tree:
    """The mean of what random games stand for (Knuth, 1975), given by binary logarithms.

    The relative error of the mean gives the interval, by the delta method.
    """
    count = len(samples)
    mean = log_sum(samples) - log2(count)
    square = log_sum([2 * sample for sample in samples]) - log2(count) - 2 * mean
    spread = max(2**square - 1, 0.0) / (count - 1) if count > 1 else inf
    log, reach = mean * _DIGIT, Z * spread**0.5 * log10(e)
    return Tree(KNUTH, log, log - reach, log + reach)


def _counted(game: Game) -> list[int] | None:
    """How many sequences of moves there are, ply by ply; None where they are many after all."""
    counts = [1]
    while counts[-1]:
        if sum(counts) > _FAR << _SMALL:
            return None
        counts.append(game.perft(len(counts)))
    return counts[:-1]
