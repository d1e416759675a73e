"""Rates on a GPU: random moves in whole games, actions of batches, perft.

    python -m tests.benchmarks.gpu_rates OUT.json [SCALE]

Each rate is the median of five runs. OUT.json is written after each. `SCALE` divides the amount of
work, for a test.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import rulesengine
from rulesengine.engine.kernel.backends.cuda.cuda_driver import cuda_driver

REPEATS = 5
# Games of a run, for about half a second on an H200.
PLAYOUTS = (
    ("connect-four", 1_000_000_000),
    ("othello", 200_000_000),
    ("go", 4_000_000),
    ("nogo", 30_000_000),
    ("chess", 20_000),
)
BATCHES = ("connect-four", "othello", "go")
SIZES, STEPS = (2**15, 2**18), 100
PERFT = (("connect-four", 10), ("othello", 9), ("breakthrough", 6))


def main(out: str, scale: str = "1", device: str = "cuda") -> None:
    """Measure all rates."""
    found: dict[str, Any] = {"scale": int(scale), "playouts": {}, "batches": [], "perft": {}}
    if device == "cuda":
        found["device"] = cuda_driver().facts(0).name
    by = int(scale)

    def write() -> None:
        Path(out).write_text(json.dumps(found, indent=1), encoding="utf-8")

    for name, games in PLAYOUTS:
        found["playouts"][name] = playouts(name, max(100, games // by), device)
        write()
    for name in BATCHES:
        for size in SIZES:
            rate = batch(name, max(64, size // by), max(10, STEPS // by), device)
            found["batches"].append(rate)
            write()
    for name, depth in PERFT:
        found["perft"][name] = perft(name, depth if by == 1 else 4, device)
        write()


def playouts(name: str, games: int, device: str) -> dict[str, Any]:
    """Return the random moves a second in whole games; the kernel is loaded before."""
    game = rulesengine.load(name)
    game.playouts(100, device=device)
    played = [game.playouts(games, seed=seed, device=device) for seed in (0,)]
    moves = played[0].mean_length * games
    seconds = [
        timed(partial(game.playouts, games, seed=1 + k, device=device)) for k in range(REPEATS)
    ]
    return {"games": games, "seconds": seconds, "moves_per_second": moves / median(seconds)}


def batch(name: str, size: int, steps: int, device: str) -> dict[str, Any]:
    """Return the actions a second of random steps with mask, sample and restart."""
    games = rulesengine.load(name, engine="native").batch(size, restart=True, device=device)

    def run() -> None:
        for _ in range(steps):
            games.step(games.sample())

    run()
    seconds = [timed(run) for _ in range(REPEATS)]
    rate = size * steps / median(seconds)
    return {"game": name, "batch": size, "steps": steps, "actions_per_second": rate}


def perft(name: str, depth: int, device: str) -> dict[str, Any]:
    """Return the leaves a second of a perft."""
    game = rulesengine.load(name)
    game.perft(3, device=device)
    leaves: list[int] = []
    seconds = [timed(lambda: leaves.append(game.perft(depth, device=device))) for _ in range(3)]
    return {"depth": depth, "leaves": leaves[0], "leaves_per_second": leaves[0] / median(seconds)}


def timed(call: Callable[[], object]) -> float:
    """Return the seconds of a call."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main(*sys.argv[1:])
