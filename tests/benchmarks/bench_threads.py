"""Benchmark of alpha-beta with two threads against one, in wall-clock time: time to depth, nodes.

Run it with `python -m tests.benchmarks.bench_threads` on a machine with two idle cores.

The positions are the initial one of each game, and positions of random games with fixed seeds.
Searches with one thread and with two alternate. The search with one thread is deterministic; its
number of nodes identifies the work. `differ` counts the searches in which two threads found another
value.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass
from random import Random
from statistics import median
from time import perf_counter

import rulesengine
from rulesengine import Game, State
from rulesengine.tools.doctor import processor_name

# A bundled game, the depth of the searches, and the number of random plies before them.
ROWS: tuple[tuple[str, int, int], ...] = (
    ("english-draughts", 19, 0),
    ("english-draughts", 16, 6),
    ("connect-four", 19, 0),
    ("breakthrough", 11, 0),
    ("othello", 15, 0),
    ("othello", 12, 8),
    ("hex", 4, 4),
    ("clobber", 9, 0),
    ("chess", 8, 6),
    ("brazilian-draughts", 15, 6),
    ("gomoku", 6, 6),
)
POSITIONS = 4
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """The results of a game: sums of medians over its positions, in seconds, and nodes."""

    game: str
    depth: int
    played: int
    one: float
    two: float
    to_depth: float
    by_second: float
    positions: int
    differ: int


def measured(name: str, depth: int, played: int) -> Row:
    game = rulesengine.load(name, engine="native")
    one = two = 0.0
    positions = looked_at = differ = 0
    for seed in range(POSITIONS if played else 1):
        state = _after(game, played, seed)
        _searched(game, state, depth, 1)  # compiles the kernels and touches the memory
        runs = [
            (_searched(game, state, depth, 1), _searched(game, state, depth, 2))
            for _ in range(ROUNDS)
        ]
        one += median(first[0] for first, _ in runs)
        two += median(second[0] for _, second in runs)
        positions += runs[0][0][1]
        looked_at += round(median(second[1] for _, second in runs))
        differ += sum(first[2] != second[2] for first, second in runs)
    by_second = (looked_at / two) / (positions / one)
    return Row(name, depth, played, one, two, one / two, by_second, positions, differ)


def _after(game: Game, plies: int, seed: int) -> State:
    """Return a position after the given number of random plies."""
    random = Random(seed)
    state = game.initial_state()
    for _ in range(plies):
        state = game.apply(state, random.choice(game.legal_moves(state)))
    return state


def _searched(game: Game, state: State, depth: int, threads: int) -> tuple[float, int, object]:
    since = perf_counter()
    found = game.search(state, plies=depth, threads=threads, method="alpha-beta", memory=256)
    return perf_counter() - since, found.nodes, found.value


def main() -> None:
    names = sys.argv[1:]
    print(f"{processor_name()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}")
    for name, depth, played in ROWS:
        if not names or name in names:
            print(json.dumps(asdict(measured(name, depth, played))), flush=True)


if __name__ == "__main__":
    main()
