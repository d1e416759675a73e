"""Matches of fitted evaluations against the evaluation of the rules, in variants of our own.

    python -m tests.benchmarks.fitted_match [FILE …] [--nodes 1000] [--games 100]

For each spec of `pieces/` it prints a row of a table: the score of
`fitted` against `rules` with equal positions a move, and the decision of the sequential test of 65
against 75 %. Openings of four random plies with seed 0 are played from
both sides; a game of 300 plies is a draw. The results are the same on every machine. The last
column is the processor time of the fit with its kernels, from an empty cache if there is none.
"""

import argparse
import sys
from pathlib import Path
from time import process_time

import rulesengine
from rulesengine.contests import match, read_sprt
from rulesengine.search.named_evaluations import FITTED

FOLDER = Path(__file__).parent / "pieces"
LONGEST = 300  # plies
SPRT = "108,191"  # Elo differences of 65 % and 75 %


def row(path: Path, options: argparse.Namespace) -> str:
    """Fit the evaluation of a game, play its match and return its row."""
    game = rulesengine.load(path, engine="native")
    since = process_time()
    game.search(nodes=1, evaluation=FITTED)
    seconds = process_time() - since
    players = {
        name: f"search:nodes={options.nodes},evaluation={name}" for name in (FITTED, "rules")
    }
    test = read_sprt(SPRT)
    standings = match(game, players, options.games, sprt=test, opening=4, plies=LONGEST)
    assert standings.test
    wins, draws, losses = standings.table.against(0, 1)
    games, decided = wins + draws + losses, standings.test.decision or "not yet"
    return f"| {path.stem} | {wins + draws / 2:g} of {games} | {decided} | {seconds:.1f} s |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--games", type=int, default=100)
    options = parser.parse_args()
    for path in options.files or sorted(FOLDER.iterdir()):
        sys.stdout.write(row(path, options))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
