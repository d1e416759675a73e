"""Benchmark of levels: the score of each level against the one below it, and answer times.

    python -m tests.benchmarks.levels ["NAME PARAMETER=NUMBER …" …] [--games 100] [--from 1]

The first columns have the score of level 1 against greedy players: they take as many pieces as they
can at one ply, and else move at random. One of them also makes a move that wins at once. Openings
of four random plies and the dice are drawn from `--seed` and played from both sides. Levels are
counts; therefore the scores are the same on every machine. A game of 300 plies is a draw, with dice
one of 2,000 plies.

With `--times` the script prints the longest answer of each level instead, in seconds of
processor time, at positions of a random game.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

import rulesengine
from rulesengine.contests.stats.intervals import score_of
from rulesengine.search.levels import LEVELS
from tests.helpers.level_games import Chooser, greedy_player, level_player, points

NAMES = (
    "chess",
    "go",
    "international-draughts",
    "othello",
    "connect-four",
    "hex",
    "backgammon",
    "xiangqi",
)
SEEDS = 1_000_000  # numbers of games of a match; those of other matches differ
PLACES = 12  # positions of a random game at which answers are timed


def loaded(text: str) -> rulesengine.Game:
    """Load the game of a name followed by parameters."""
    name, *settings = text.split()
    given: dict[str, Any] = {key: int(n) for key, n in (part.split("=") for part in settings)}
    return rulesengine.load(name, engine="native", **given)


def cell(game: rulesengine.Game, one: Chooser, other: Chooser, games: int, seed: int) -> str:
    """Return a cell of the table: a score with its 95 % confidence interval."""
    found = [points(game, one, other, SEEDS * seed + number) for number in range(games)]
    score = score_of(found)
    assert score
    return f"{score.value:.0%} ({score.low:.0%} to {score.high:.0%})"


def longest(game: rulesengine.Game, number: int, seed: int) -> float:
    """Return the longest time of an answer of a level, in seconds."""
    draw, state, times = random.Random(seed), game.initial_state(), [0.0]
    player = level_player(game, game.level(number))
    for ply in range(3 * PLACES):
        moves = game.legal_moves(state)
        if game.outcome(state) is not None or not moves:
            break
        weights = game.weights(state)
        if ply % 3 == 0 and not weights and len(moves) > 1:
            since = process_time()
            player(state, seed, ply)
            times.append(process_time() - since)
        state = game.apply(state, draw.choices(moves, weights or None)[0])
    return max(times[2:] or times)  # the first search also loads kernels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--to", type=int, default=LEVELS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    levels = range(max(options.first, 2), options.to + 1)
    heads = [f"{level} against {level - 1}" for level in levels]
    if options.first == 1:
        heads = ["1 against greedy", "1 against greedy without wins", *heads]
    if options.times:
        heads = [f"level {level}" for level in range(options.first, options.to + 1)]
    sys.stdout.write(f"| game | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}\n")
    for name in options.names:
        game = loaded(name)
        sys.stdout.write(f"| {name} |")
        for text in times(game, options) if options.times else scores(game, levels, options):
            sys.stdout.write(f" {text} |")
            sys.stdout.flush()
        sys.stdout.write("\n")


def times(game: rulesengine.Game, options: argparse.Namespace) -> Iterator[str]:
    for number in range(options.first, options.to + 1):
        yield f"{longest(game, number, options.seed):.2f}"


def scores(game: rulesengine.Game, levels: range, options: argparse.Namespace) -> Iterator[str]:
    games, seed = options.games, options.seed
    players = [level_player(game, game.level(number)) for number in range(1, LEVELS + 1)]
    if options.first == 1:
        for wins in (True, False):
            yield cell(game, players[0], greedy_player(game, wins=wins), games, seed)
    for level in levels:
        yield cell(game, players[level - 1], players[level - 2], games, seed + level)


if __name__ == "__main__":
    main()
