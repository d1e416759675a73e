"""Matches of the learned evaluations of the package against the evaluation of the rules.

    python -m tests.benchmarks.learned_match [NAME …] [--nodes 1000] [--handicap 1] [--games 200]

For each game it prints a row of a table: the size of the file, the score of `learned` with N
positions a move against `rules` with as many (times the handicap), and the decision of the
sequential test. Openings of four random plies with seed 0 are played from both sides; a game of 300
plies is a draw, with dice one of 3,000. The results are the same on every machine.
"""

import argparse
import sys
from pathlib import Path

import rulesengine
from rulesengine.contests import match, read_sprt
from rulesengine.support.resources import bundled_learned

LONGEST, LONGEST_WITH_DICE = 300, 3000  # plies


def row(name: str, options: argparse.Namespace) -> str:
    """Play the match of a game and return its row."""
    game = rulesengine.load(name, engine="native")
    file = options.file or game.bundled_learning
    players = {
        "learned": f"learned:{file},nodes={options.nodes}",
        "rules": f"search:nodes={options.handicap * options.nodes},evaluation=rules",
    }
    plies = LONGEST_WITH_DICE if game.rules.chance else LONGEST
    test = read_sprt(options.sprt)
    standings = match(game, players, options.games, sprt=test, opening=4, plies=plies)
    assert standings.test
    wins, draws, losses = standings.table.against(0, 1)
    games = wins + draws + losses
    decided = standings.test.decision or "not yet"
    return (
        f"| {name} | {Path(file).stat().st_size / 1000:.0f} kB | {wins + draws / 2:g} of {games}"
        f" | {decided} |\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--handicap", type=int, default=1)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--sprt", default="0,60")
    parser.add_argument("--file", type=Path, help="a file that is not in the package")
    options = parser.parse_args()
    for name in options.names or [Path(path).stem for path in bundled_learned()]:
        sys.stdout.write(row(name, options))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
