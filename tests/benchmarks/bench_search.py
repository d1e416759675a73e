"""Benchmark of searches, relative to perft and random games.

Run it with `python -m tests.benchmarks.bench_search`.

For each game it measures nodes of alpha-beta without a transposition table per second of CPU time,
relative to the moves of a `perft` that makes its leaves. It also measures random games of a tree
search, relative to `playouts`. The nodes to a depth and the checksum of the random games identify
the work, and must not change.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import process_time

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.job import Job
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.searches import start_search
from rulesengine.tools.doctor import native_target, processor_name

# A bundled game, the depth of its perft, the plies of alpha-beta, and random games.
ROWS: tuple[tuple[str, int, int, int], ...] = (
    ("othello", 8, 11, 20_000),
    ("connect-four", 9, 15, 100_000),
    ("breakthrough", 5, 9, 20_000),
    ("english-draughts", 8, 13, 10_000),
    ("hex", 3, 3, 10_000),
    ("gomoku", 3, 4, 10_000),
    ("clobber", 5, 8, 50_000),
)
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """Nodes and random games per second of CPU time, and checksums of the work."""

    game: str
    alpha_beta: float
    perft: float
    tree: float
    playouts: float
    positions: int
    checksum: int


def measured(name: str, depth: int, plies: int, games: int) -> Row:
    game = rulesengine.load(name, engine="native")
    state = game.initial_state()
    count = len(game.legal_moves(state))
    positions, alpha_beta = _best(lambda: _searched(game, plies, count))
    moves, perft = _best(lambda: sum(game.perft(d, bulk=False) for d in range(1, depth + 1)))
    grown, tree = _best(lambda: _grown(game, games, count))
    checksum, playouts = _best(lambda: game.playouts(games, seed=1).checksum)
    rates = positions / alpha_beta, moves / perft, grown / tree, games / playouts
    return Row(name, *rates, positions, checksum)


def _searched(game: Game, plies: int, count: int) -> int:
    budget = Budget(plies=plies)
    search = AlphaBeta(game._dispatcher, game.initial_state(), count, budget, 0)
    search.run(Job())
    return search.nodes


def _grown(game: Game, games: int, count: int) -> int:
    budget = Budget(playouts=games, method="mcts")
    search = start_search(
        game._dispatcher, game.initial_state(), count, budget, Settings(memory=256)
    )
    search.run(Job())
    return search.nodes


def _best(work: Callable[[], int]) -> tuple[int, float]:
    """Return the result of a workload and its minimum time; the first run compiles."""
    result, times = work(), []
    for _ in range(ROUNDS):
        since = process_time()
        assert work() == result
        times.append(process_time() - since)
    return result, min(times)


def main() -> None:
    _, features = native_target()
    sys.stdout.write(f"{processor_name()}: {', '.join(features)}\n")
    head = "game", "alpha-beta /s", "of perft", "tree games /s", "of playouts", "positions"
    sys.stdout.write("{:18}{:>15}{:>10}{:>15}{:>13}{:>12}\n".format(*head))
    rows = []
    for row in (measured(*given) for given in ROWS):
        rows.append(row)
        shares = row.alpha_beta / row.perft, row.tree / row.playouts
        sys.stdout.write(
            f"{row.game:18}{row.alpha_beta:15,.0f}{shares[0]:10.2f}{row.tree:15,.0f}"
            f"{shares[1]:13.2f}{row.positions:12,}\n"
        )
        sys.stdout.flush()
    sys.stdout.write(json.dumps([asdict(row) for row in rows]) + "\n")


if __name__ == "__main__":
    main()
