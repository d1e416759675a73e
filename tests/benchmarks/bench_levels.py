"""Benchmark of code for the levels of x86-64: nanoseconds of a ply of random games; see README.md.

All levels play the same games, in alternating rounds and CPU time. Checksums must be equal.
"""

import statistics
import sys
import time

import pytest

import rulesengine
from rulesengine.engine.kernel.backends.native import build
from rulesengine.tools.doctor import processor_name
from tests.engine.test_kernel_targets import TARGETS
from tests.engine.test_other_processors import LEVELS, played

NAMES = ("othello", "connect-four", "breakthrough", "gomoku", "hex", "go", "english-draughts")
ROUNDS, GAMES = 5, 2000


def main() -> None:
    print(f"{processor_name()}; ns a ply for {', '.join(LEVELS)}")
    for name in sys.argv[1:] or NAMES:
        print(f"{name}: {', '.join(f'{ply:.1f}' for ply in measured(name))}", flush=True)


def measured(name: str) -> list[float]:
    """Return the median times of a ply by level."""
    with pytest.MonkeyPatch.context() as patch:
        module, args, _ = played(name, patch)
    args[-3] = GAMES
    game = rulesengine.load(name, engine="native")
    plies = game.playouts(GAMES, seed=5).mean_length * GAMES
    codes = [build.native(module, target=TARGETS[level]) for level in LEVELS]
    times: list[list[float]] = []
    for _ in range(ROUNDS):
        row, found = [], []
        for code in codes:
            begun = time.process_time()
            found.append(code.call("playouts", args))
            row.append((time.process_time() - begun) * 1e9 / plies)
        assert all(one == found[0] for one in found)
        times.append(row)
    return [statistics.median(column) for column in zip(*times, strict=True)]


if __name__ == "__main__":
    main()
