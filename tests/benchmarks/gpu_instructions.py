"""Count the PTX instructions that a lane executes for a ply of random games, without a GPU.

    python -m tests.benchmarks.gpu_instructions NAME ...

The PTX runs as C on this machine's processor; instructions that a predicate switches off count. A
machine has up to two instructions for one of PTX, since its registers have 32 bits.
"""

import ctypes
import sys
import tempfile
from pathlib import Path

import rulesengine
from rulesengine.engine.kernel.backends.cuda.lane_text import FAILED
from rulesengine.engine.kernel.backends.cuda.ptx import KERNEL, TOTALS, lane_kernel, ptx_of
from rulesengine.engine.kernel.emission import emitted
from tests.helpers.lane_runs import Share, library_of_ptx, run_lanes, start_words

GAMES = 100


def main(*names: str) -> None:
    """Print the instructions of a ply for each game."""
    for name in names:
        print(f"{name}: {instructions_of_ply(name):,.0f}", flush=True)


def instructions_of_ply(name: str, games: int = GAMES) -> float:
    """Return the mean number of executed instructions."""
    game = rulesengine.load(name)
    kernel = lane_kernel(emitted(game.machine, "lanes"))
    with tempfile.TemporaryDirectory() as folder:
        path = library_of_ptx(ptx_of(kernel.text), Path(folder), KERNEL)
        library = ctypes.CDLL(str(path))
    share = Share(games, chunk=16)
    found = run_lanes(library[f"run_{KERNEL}"], kernel, start_words(game, kernel), share)
    if found[FAILED]:
        raise RuntimeError(f"lanes have failed in {name}")
    *_, plies, _ = found[TOTALS : TOTALS + kernel.totals]
    return ctypes.c_uint64.in_dll(library, "executed").value / plies


if __name__ == "__main__":
    main(*sys.argv[1:])
