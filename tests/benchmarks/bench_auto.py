"""Twenty uses with each engine: the processor time of a new process with an empty cache.

Usage: `python -m tests.benchmarks.bench_auto [ROUNDS [USE...]]`. The engines alternate in each
round, and each figure is the least of the rounds. The outputs of the engines must be equal.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINES = ("auto", "python", "native")
OUT = "OUT"  # is replaced by a new path
LOOP = """
import random, sys, rulesengine
game, draw = rulesengine.load(sys.argv[1], engine=sys.argv[3]), random.Random(1)
for _ in range(int(sys.argv[2])):
    state = game.initial_state()
    while moves := game.legal_moves(state):
        state = game.apply(state, draw.choice(moves))
    print(game.outcome(state))
"""
SEARCHES = """
import sys, rulesengine
game = rulesengine.load(sys.argv[1], engine=sys.argv[3])
state = game.initial_state()
while game.legal_moves(state):
    state = game.apply(state, game.search(state, playouts=int(sys.argv[2]), seed=1).move)
print(game.outcome(state))
"""
# The words of a command, or a Python program with its first two arguments.
USES: dict[str, tuple[str, ...]] = {
    "perft small": ("perft", "tic-tac-toe", "5"),
    "perft": ("perft", "othello", "6"),
    "perft chess": ("perft", "chess", "3"),
    "random games": ("playout", "connect-four", "300", "--seed", "1"),
    "random games of Go": ("playout", "go", "1000", "--seed", "1"),
    "search, few nodes": ("search", "breakthrough", "--nodes", "2000"),
    "search": ("search", "othello", "--nodes", "100000"),
    "tree search": ("search", "hex", "--playouts", "300", "--seed", "1"),
    "count": ("count", "othello", "6"),
    "count chess": ("count", "chess", "2"),
    "solve": ("solve", "tic-tac-toe"),
    "match, searches": (
        "match", "othello", "--games", "20", "--player", "random", "--player", "search:nodes=50",
    ),
    "match, tree searches": (
        "match", "breakthrough", "--games", "6",
        "--player", "mcts:playouts=10", "--player", "mcts:playouts=40",
    ),
    "match, 2 workers": (
        "match", "breakthrough", "--games", "12", "--workers", "2",
        "--player", "mcts:playouts=10", "--player", "mcts:playouts=40",
    ),
    "match, random": (
        "match", "connect-four", "--games", "2000", "--player", "a=random", "--player", "b=random",
    ),
    "tournament": (
        "tournament", "hex", "--games", "4", "--out", OUT, "--player", "random",
        "--player", "mcts:playouts=20", "--player", "mcts:playouts=40",
    ),
    "study": ("study", "breakthrough", "--games", "6", "--samples", "40", "--out", OUT),
    "learn": ("learn", "breakthrough", "--games", "60", "--out", OUT),
    "loop of moves": (LOOP, "othello", "20"),
    "loop of searches": (SEARCHES, "connect-four", "60"),
}  # fmt: skip


def measured(use: Sequence[str], engine: str, given: str = "") -> tuple[float, str]:
    """Run a use in a new process with standard input.

    Return its processor time and a checksum of its output.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = [str(Path(folder, "out")) if word == OUT else word for word in use]
        if "\n" in words[0]:
            command = [sys.executable, "-c", *words, engine]
        else:
            command = [sys.executable, "-m", "rulesengine", *words, "--engine", engine]
        cache = Path(folder, "cache")
        cache.mkdir(0o700)
        environment = {**os.environ, "RULESENGINE_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
        before = os.times()
        done = subprocess.run(
            command, input=given.encode(), capture_output=True, check=True, env=environment
        )
        after = os.times()
        output = done.stdout.replace(folder.encode(), b"")
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    return seconds, hashlib.sha256(output).hexdigest()[:8]


def main() -> None:
    """Print a table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    chosen = sys.argv[2:] or list(USES)
    print("| use | auto | python | native | auto / best | checksum |")
    print("|---|---|---|---|---|---|")
    for name in chosen:
        least, sums = dict.fromkeys(ENGINES, float("inf")), set()
        for _ in range(rounds):
            for engine in ENGINES:
                seconds, checksum = measured(USES[name], engine)
                least[engine] = min(least[engine], seconds)
                sums.add(checksum)
        best = min(least["python"], least["native"])
        figures = " | ".join(f"{least[engine]:.2f}" for engine in ENGINES)
        same = sums.pop() if len(sums) == 1 else "DIFFERENT"
        print(f"| {name} | {figures} | {least['auto'] / best:.2f} | {same} |", flush=True)


if __name__ == "__main__":
    main()
