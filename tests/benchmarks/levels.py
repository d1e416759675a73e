"""Benchmark of levels: the score of each level against the one below it.

    python -m tests.benchmarks.levels ["NAME PARAMETER=NUMBER …" …] [--games 60]

Openings are drawn with seed 0 and played from both sides. Levels are counts; therefore the results
are the same on every machine. A game of 300 plies is a draw.
"""

import argparse
import sys
from typing import Any

import rulesengine
from rulesengine.contests import match
from rulesengine.contests.stats.intervals import score_of
from rulesengine.engine.drivers.search.result import LEVELS

NAMES = (
    "othello",
    "connect-four",
    "breakthrough",
    "gomoku",
    "english-draughts",
    "nine-mens-morris",
    "hex n=7",
)
LONGEST = 300  # plies


def loaded(text: str) -> rulesengine.Game:
    """Load the game of a name followed by parameters."""
    name, *settings = text.split()
    given: dict[str, Any] = {key: int(n) for key, n in (part.split("=") for part in settings)}
    return rulesengine.load(name, engine="native", **given)


def step(game: rulesengine.Game, level: int, games: int) -> str:
    """Return a cell of the table: the score of a level against the one below it."""
    players = [f"one=search:level={level}", f"other=search:level={level - 1}"]
    wins, draws, losses = match(game, players, games, plies=LONGEST).table.against(0, 1)
    score = score_of([1.0] * wins + [0.5] * draws + [0.0] * losses)
    assert score
    return f"{score.value:.0%} ({score.low:.0%} to {score.high:.0%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--games", type=int, default=60)
    options = parser.parse_args()
    heads = [f"{level} against {level - 1}" for level in range(2, LEVELS + 1)]
    sys.stdout.write(f"| game | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}\n")
    for name in options.names:
        game = loaded(name)
        sys.stdout.write(f"| {name} |")
        for level in range(2, LEVELS + 1):
            sys.stdout.write(f" {step(game, level, options.games)} |")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
