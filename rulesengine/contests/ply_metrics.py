"""Measurements of a game, ply by ply, and their encoding as text for the store."""

import json
from collections.abc import Sequence
from math import inf, log2

from rulesengine.drawing import cells_of
from rulesengine.game import Game
from rulesengine.state import Move, State
from rulesengine.support.frozen import make, names_of, record

CERTAIN = 1000  # the value of a position that is won for the first player


@record
class PlyMetrics:
    """The measurements of one game.

    - `move_counts`: the number of legal moves at each ply, 0 for chance events.
    - `cells`: the cells named by the moves, each once per move.
    - `groups`: the move groups of the rules that were used.
    - `end`: the index of the end, -1 without one.
    - `values`: the value of each position since the opening for the first of two players, from
      -1000
      to 1000.
    - `tree`: the binary logarithm of Knuth's estimate of the number of nodes in the game tree. It
      is
      unbiased if players' moves are drawn uniformly and chance by its probabilities.
    """

    move_counts: tuple[int, ...]
    cells: tuple[int, ...]
    groups: tuple[int, ...]
    end: int
    values: tuple[int, ...]
    tree: float


def measure_game(
    game: Game,
    moves: Sequence[Move],
    *,
    since: int = 0,
    judge: int = 0,
    seed: int = 0,
    start: State | None = None,
) -> PlyMetrics:
    """Measure a game; positions after `since` moves are valued by `judge` playouts each.

    `start` is the first state, the initial one by default.
    """
    state = game.initial_state() if start is None else start
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
    return PlyMetrics(
        tuple(ways),
        tuple(cells),
        tuple(sorted(groups)),
        -1 if end is None else end,
        tuple(judged),
        knuth(odds),
    )


def knuth(odds: Sequence[float]) -> float:
    """Return the binary logarithm of the estimated number of nodes from one random game.

    A game with b, b', … legal moves estimates 1 + b + b·b' + … nodes (D. E. Knuth, Estimating the
    efficiency of backtrack programs, 1975). `odds` are the binary logarithms of these numbers, or
    of the inverse probability of a chance event.
    """
    total, way = 0.0, 0.0
    for more in odds:
        way += more
        total = log_sum((total, way))
    return total


def log_sum(logs: Sequence[float]) -> float:
    """Return the binary logarithm of a sum, from the binary logarithms of its terms."""
    most = max(logs, default=-inf)
    return most if most == -inf else most + log2(sum(2 ** (log - most) for log in logs))


def written(measures: PlyMetrics) -> str:
    """Encode measurements as text; `read` decodes them."""
    return json.dumps([getattr(measures, name) for name in names_of(measures) or ()])


def read(text: str) -> PlyMetrics:
    """Decode measurements."""
    return make(PlyMetrics, [tuple(v) if isinstance(v, list) else v for v in json.loads(text)])


def _judged(game: Game, state: State, playouts: int, seed: int) -> int:
    """Return the value for the first player by a tree search of `playouts` playouts."""
    result = game.search(state, playouts=playouts, method="mcts", seed=seed & (1 << 63) - 1)
    return result.value if state.mover == game.players[0] else -result.value
