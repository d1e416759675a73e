"""Write `games/levels.txt`: levels of play with nearly equal steps, for some bundled games.

    python -m tests.helpers.level_calibration NAME … [--games 60] [--steps 12] [--high N]
    python -m tests.helpers.level_calibration NAME … --refine [--games 200] [--seed 200]

A line of players leads from few positions and much noise to many positions without noise. Matches
between neighbours give their Elo differences, and matches against a greedy player show where the
first level belongs. Eight players at equal distances become the levels. `--refine` measures the
steps of the levels in the file and moves the levels in between. Each match has other seeds; all of
them depend on `--seed` alone.
"""

import argparse
import sys
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import log10, pow

import rulesengine
from rulesengine import Game
from rulesengine.search.levels import LEVELS, calibration_of, level_with, row_of, usual_pairs
from rulesengine.support.resources import data_file
from tests.helpers.level_games import Chooser, greedy_player, level_player, points

FIRST = 0.36  # the score of the first level against the greedy player
MOST_STEP = 0.77  # of a level against the one below it
NOISE, BEND = 40.0, 4  # the noise of the first player, and the power by which it decreases
CHEAP = 0.7  # the part of the line with all games; matches of stronger players have half of them
SEEDS = 10_000  # numbers of games of one match

Pair = tuple[int, float]


class Line:
    """The players between the weakest and the strongest one, by a number from 0 to 1."""

    def __init__(self, game: Game, high: int) -> None:
        self.game = game
        self._moves = len(game.legal_moves(game.initial_state()))
        pairs = usual_pairs(game.program, game.search_method, self._moves)
        self._ends = (pairs[0][0], NOISE), (high or pairs[-1][0], 0.0)

    def pair(self, part: float) -> Pair:
        """Return the count and noise of a player."""
        return between(*self._ends, part)

    def player(self, pair: Pair) -> Chooser:
        method, evaluation = self.game.search_method, self.game.level(1).evaluation
        level = level_with(method, *pair, self._moves, evaluation)
        return level_player(self.game, level)


def between(one: Pair, other: Pair, part: float) -> Pair:
    """Return a pair between two others."""
    root, other_root = pow(one[1], 1 / BEND), pow(other[1], 1 / BEND)
    noise = pow(root + (other_root - root) * part, BEND)
    return round(one[0] * pow(other[0] / one[0], part)), round(noise, 2)


def score(game: Game, one: Chooser, other: Chooser, games: int, seed: int) -> float:
    """Return the share of points of a player in a match."""
    first = SEEDS * seed
    return sum(points(game, one, other, first + number) for number in range(games)) / games


def elo(share: float, games: int) -> float:
    """Return the Elo difference of a score, with half a game added for either side."""
    share = (share * games + 0.5) / (games + 1)
    return 400 * log10(share / (1 - share))


def rise_of(rises: Sequence[float]) -> float:
    """Return the Elo difference of one level, if the levels share all the differences."""
    most = 400 * log10(MOST_STEP / (1 - MOST_STEP))
    rise = min(sum(rises) / (LEVELS - 1), most)
    report(f"step of {rise:.0f} Elo", 1 / (1 + pow(10, -rise / 400)))
    return rise


def at_height(heights: Sequence[float], height: float) -> float:
    """Return the place in a rising curve, with a fraction, at which it has a height."""
    last = len(heights) - 1
    below = min(bisect_right(heights, height), last) - 1
    rise = heights[below + 1] - heights[below]
    return min(below + (height - heights[below]) / rise if rise > 0 else float(below), last)


def calibrated(line: Line, games: int, steps: int, seed: int) -> list[Pair]:
    """Return the count and noise of each level, from matches; they are reported on stderr."""
    first = first_place(line, games, steps, seed)
    enough = (LEVELS + 1) * 400 * log10(MOST_STEP / (1 - MOST_STEP))
    rises: list[float] = []
    for step in range(int(first) + 1, steps + 1):
        one, other = line.pair(step / steps), line.pair((step - 1) / steps)
        number = games if step <= steps * CHEAP else games // 2
        share = score(line.game, line.player(one), line.player(other), number, seed + step)
        rises.append(max(elo(share, number), 0.0))
        report(f"{one} against {other}", share)
        if sum(rises) > enough:
            break
    below = (first - int(first)) * rises[0]
    rise, heights = rise_of([-below, *rises]), [0.0, *accumulate(rises)]
    places = [at_height(heights, below + rise * number) for number in range(1, LEVELS)]
    parts = [first, *(int(first) + place for place in places)]
    return [line.pair(part / steps) for part in parts]


def first_place(line: Line, games: int, steps: int, seed: int) -> float:
    """Return the step, with a fraction, at which a player has the score of the first level."""
    greedy, before = greedy_player(line.game), 0.0
    for step in range(steps):
        pair = line.pair(step / steps)
        share = score(line.game, line.player(pair), greedy, games, seed)
        report(f"{pair} against greedy", share)
        if share >= FIRST:
            part = (FIRST - before) / max(share - before, 0.01)
            return max(step - 1 + part, 0.0) if step else 0.0
        before = share
    return 0.0


def refined(line: Line, pairs: Sequence[Pair], games: int, seed: int) -> list[Pair]:
    """Return levels between the given ones, by matches of each of these with the one below."""
    report("1 against greedy", score_of_first(line, pairs[0], games, seed))
    rises = []
    for number in range(1, LEVELS):
        one, other = line.player(pairs[number]), line.player(pairs[number - 1])
        share = score(line.game, one, other, games, seed + number)
        report(f"{number + 1} against {number}", share)
        rises.append(max(elo(share, games), 1.0))
    rise, heights = rise_of(rises), [0.0, *accumulate(rises)]
    places = [at_height(heights, rise * number) for number in range(LEVELS)]
    places = [min(place, LEVELS - 1.000001) for place in places]
    return [
        between(pairs[int(place)], pairs[int(place) + 1], place - int(place)) for place in places
    ]


def score_of_first(line: Line, pair: Pair, games: int, seed: int) -> float:
    """Return the score of the first level against the greedy player."""
    return score(line.game, line.player(pair), greedy_player(line.game), games, seed)


def report(text: str, share: float) -> None:
    sys.stderr.write(f"{text}: {share:.0%}\n")
    sys.stderr.flush()


def write(name: str, game: Game, pairs: list[Pair]) -> None:
    """Replace the row of a game in the file."""
    path = data_file("games/levels.txt")
    lines = path.read_text().splitlines(keepends=True)
    rows = {line.split(" | ")[0]: line for line in lines if not line.startswith("#")}
    rows[name] = row_of(name, game.program, game.search_method, pairs)
    head = [line for line in lines if line.startswith("#")]
    path.write_text("".join([*head, *(rows[key] for key in sorted(rows))]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--high", type=int, default=0, help="the greatest count")
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--refine", action="store_true")
    options = parser.parse_args()
    for name in options.names:
        game = rulesengine.load(name, engine="native")
        line, row = Line(game, options.high), calibration_of(game.program)
        if options.refine and row:
            pairs = refined(line, row[1], options.games, options.seed)
        else:
            pairs = calibrated(line, options.games, options.steps, options.seed)
        report(f"{name}: {pairs}", 1.0)
        write(name, game, pairs)


if __name__ == "__main__":
    main()
