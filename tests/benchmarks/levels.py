"""Benchmark of levels: the score of each level against the one below it.

    python -m tests.benchmarks.levels ["NAME PARAMETER=NUMBER …" …] [--games 60] [--to 8]

The first column has the score of level 1 against a greedy player, which takes as many pieces as it
can at one ply, and else moves at random. Openings are drawn with seed 0 and played from both sides.
Levels are counts; therefore the results are the same on every machine. A game of 300 plies is a
draw.
"""

import argparse
import random
import sys
from typing import Any

import rulesengine
from rulesengine import Move, State
from rulesengine.contests import match
from rulesengine.contests.stats.intervals import score_of
from rulesengine.engine.drivers.search.result import LEVELS
from rulesengine.play.players.search_players import choose

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
LONGEST = 300  # plies
OPENING = 4  # random plies


def loaded(text: str) -> rulesengine.Game:
    """Load the game of a name followed by parameters."""
    name, *settings = text.split()
    given: dict[str, Any] = {key: int(n) for key, n in (part.split("=") for part in settings)}
    return rulesengine.load(name, engine="native", **given)


def first(game: rulesengine.Game, games: int) -> str:
    """Return a cell of the table: the score of the first level against the greedy player."""
    points = [_points(game, number) for number in range(games)]
    return _cell(points)


def _points(game: rulesengine.Game, number: int) -> float:
    """Return the points of level 1 in a game; even numbers have it move first after the opening."""
    draw, state = random.Random(number // 2), game.initial_state()
    for ply in range(LONGEST):
        moves = game.legal_moves(state)
        if game.outcome(state) is not None or not moves:
            break
        weights = game.weights(state)
        if weights or ply < OPENING:
            move = draw.choices(moves, weights or None)[0]
        elif state.side == number % 2:
            found = choose(game, state, "search:level=1", number, ply)
            assert found
            move = found
        else:
            move = greedy(game, state, draw)
        state = game.apply(state, move)
    outcome = game.outcome(state)
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == game.players[number % 2])


def greedy(game: rulesengine.Game, state: State, draw: random.Random) -> Move:
    """Return a random one of the moves that leave the other side the fewest pieces."""
    side, owners = state.side, len(game.players) + 1

    def left(move: Move) -> int:
        after = game.apply(state, move)
        return sum(plane.bit_count() for plane in after.planes[1 - side :: owners])

    counts = [(left(move), move) for move in game.legal_moves(state)]
    least = min(count for count, _ in counts)
    return draw.choice([move for count, move in counts if count == least])


def _cell(points: list[float]) -> str:
    score = score_of(points)
    assert score
    return f"{score.value:.0%} ({score.low:.0%} to {score.high:.0%})"


def step(game: rulesengine.Game, level: int, games: int) -> str:
    """Return a cell of the table: the score of a level against the one below it."""
    players = [f"one=search:level={level}", f"other=search:level={level - 1}"]
    wins, draws, losses = match(game, players, games, plies=LONGEST).table.against(0, 1)
    return _cell([1.0] * wins + [0.5] * draws + [0.0] * losses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--to", type=int, default=LEVELS)
    options = parser.parse_args()
    heads = ["1 against greedy"]
    heads += [f"{level} against {level - 1}" for level in range(2, options.to + 1)]
    sys.stdout.write(f"| game | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}\n")
    for name in options.names:
        game = loaded(name)
        sys.stdout.write(f"| {name} | {first(game, options.games)} |")
        sys.stdout.flush()
        for level in range(2, options.to + 1):
            sys.stdout.write(f" {step(game, level, options.games)} |")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
