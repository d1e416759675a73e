"""What is measured in a game, ply by ply, as a worker finds it and a file keeps it."""

import json
from collections.abc import Sequence
from math import inf, log2

from rulesengine.drawing import cells_of
from rulesengine.game import Game
from rulesengine.state import Move, State
from rulesengine.support.frozen import make, names_of, record

CERTAIN = 1000  # what a position is judged at that is won for the first player


@record
class Measures:
    """A game in numbers.

    `ways` has for each move how many legal ones there were, 0 for what chance did; `cells` the
    cells that moves name, each move's once; `groups` the groups of the rules that were used; `end`
    the number of the end, -1 without one. `judged` has for each position since the players began
    what the first of two players gets, from -1000 to 1000. `tree` is the binary logarithm of
    Knuth's estimate of how many nodes the tree of all games has, right on average over games in
    which all moves are drawn at random, as often as the rules of chance say, any other equally.
    """

    ways: tuple[int, ...]
    cells: tuple[int, ...]
    groups: tuple[int, ...]
    end: int
    judged: tuple[int, ...]
    tree: float


def measured(
    game: Game, moves: Sequence[Move], *, since: int = 0, judge: int = 0, seed: int = 0
) -> Measures:
    """Go through a game once more; positions after `since` moves are judged by random games."""
    state = game.initial_state()
    ways, cells, judged, odds = list[int](), list[int](), list[int](), list[float]()
    groups = set[int]()
    for ply, move in enumerate(moves):
        legal, weights = game.legal_moves(state), game.weights(state)
        ways.append(0 if weights else len(legal))
        share = weights[legal.index(move)] / sum(weights) if weights else 1 / len(legal)
        odds.append(-log2(share))
        cells += cells_of(move)
        groups |= {step.group for step in move.steps}
        if judge and ply >= since and not weights and len(game.players) == 2:
            judged.append(_judged(game, state, judge, seed + ply))
        state = game.apply(state, move, check=False)
    end = game.machine.ending(state)
    return Measures(
        tuple(ways),
        tuple(cells),
        tuple(sorted(groups)),
        -1 if end is None else end,
        tuple(judged),
        knuth(odds),
    )


def knuth(odds: Sequence[float]) -> float:
    """The binary logarithm of the nodes that a random game stands for.

    It passes 1 + b + b·b' + … nodes where it had b, then b' ways to go on (D. E. Knuth, Estimating
    the efficiency of backtrack programs, 1975); `odds` are the logarithms of the ways, or of one
    by its probability.
    """
    total, way = 0.0, 0.0
    for more in odds:
        way += more
        total = log_sum((total, way))
    return total


def log_sum(logs: Sequence[float]) -> float:
    """The binary logarithm of a sum of numbers given by theirs."""
    most = max(logs, default=-inf)
    return most if most == -inf else most + log2(sum(2 ** (log - most) for log in logs))


def written(measures: Measures) -> str:
    """Measures as text; `read` gives them back."""
    return json.dumps([getattr(measures, name) for name in names_of(measures) or ()])


def read(text: str) -> Measures:
    """The measures of a text."""
    return make(Measures, [tuple(v) if isinstance(v, list) else v for v in json.loads(text)])


def _judged(game: Game, state: State, playouts: int, seed: int) -> int:
    """What the first player gets, as a tree search of so many random games expects."""
    found = game.search(state, playouts=playouts, method="mcts", seed=seed & (1 << 63) - 1)
    return found.value if state.mover == game.players[0] else -found.value
