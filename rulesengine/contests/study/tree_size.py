"""The size of a game tree: exact if it is small, else Knuth's estimate from random games."""

from collections.abc import Sequence
from math import e, inf, log2, log10

from rulesengine.contests.ply_metrics import log_sum
from rulesengine.contests.stats.intervals import Z
from rulesengine.game import Game
from rulesengine.support.frozen import record

COUNTED, KNUTH = "counted", "Knuth's estimate"
_SMALL = 20  # binary logarithm of the number of nodes up to which a tree is counted
_FAR = 4  # multiple of that number at which counting is given up
_DIGIT = log10(2)


@record
class Tree:
    """The number of nodes in the game tree, root included, as decimal logarithms.

    `nodes` and `positions` are exact counts: nodes of the tree, and distinct positions summed over
    the plies. The interval of an estimate is that of a mean on a logarithmic scale. Rare large
    subtrees that no sample has visited may exceed it.
    """

    method: str
    log: float
    low: float
    high: float
    nodes: int | None = None
    positions: int | None = None


def tree_of(game: Game, samples: Sequence[float], *, counts: bool = True) -> Tree | None:
    """Estimate the size of the tree from random games; return None without samples.

    With `counts` a tree that seems small is counted exactly.
    """
    if not samples:
        return None
    tree = estimate(samples)
    is_small = tree.log < _SMALL * _DIGIT and not game.rules.chance
    counted = _counted(game) if counts and is_small else None
    if counted is None:
        return tree
    log = log10(sum(counted))
    positions = sum(game.count(len(counted) - 1))
    return Tree(COUNTED, log, log, log, sum(counted), positions)


def estimate(samples: Sequence[float]) -> Tree:
    """Return the mean of the samples (Knuth, 1975), given as binary logarithms.

    The interval is from the relative standard error of the mean, by the delta method.
    """
    count = len(samples)
    mean = log_sum(samples) - log2(count)
    square = log_sum([2 * sample for sample in samples]) - log2(count) - 2 * mean
    spread = max(2**square - 1, 0.0) / (count - 1) if count > 1 else inf
    log, reach = mean * _DIGIT, Z * spread**0.5 * log10(e)
    return Tree(KNUTH, log, log - reach, log + reach)


def _counted(game: Game) -> list[int] | None:
    """Count the move sequences of each length; return None if there are too many."""
    counts = [1]
    while counts[-1]:
        if sum(counts) > _FAR << _SMALL:
            return None
        counts.append(game.perft(len(counts)))
    return counts[:-1]
