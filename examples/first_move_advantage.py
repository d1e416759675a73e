"""Compare variants of a game by the advantage of the first move.

    python examples/first_move_advantage.py         # 4000 random games for each variant
    python examples/first_move_advantage.py 100000

A spec has parameters, so one file is a family of games: tic-tac-toe has `m` columns, `n` rows and
lines of `k`. The argument is the number of games.
"""

import sys
from math import sqrt
from typing import Any

import rulesengine

VARIANTS: tuple[dict[str, Any], ...] = (
    {},  # the defaults of the spec: 3 x 3, lines of three
    {"m": 4},
    {"m": 4, "n": 4},
    {"m": 4, "n": 4, "k": 4},
    {"m": 6, "n": 6, "k": 4},
)


def advantage(game: rulesengine.Game, games: int) -> tuple[float, float]:
    """Return the score of the first player in random games and its standard error.

    A win counts 1 and a draw 1/2, so that 0.5 is no advantage.
    """
    # Game i of a seed is the same in every engine, so the result is reproducible.
    played = game.playouts(games, seed=1)
    first = game.players[0]
    wins, draws = played.wins[first] / games, played.draws / games
    score = wins + draws / 2
    return score, sqrt((wins + draws / 4 - score**2) / games)


def main(games: str = "4000") -> None:
    """Print one line for each variant, with a 95 % confidence interval."""
    print("variant      score of the first player")
    for parameters in VARIANTS:
        game = rulesengine.load("tic-tac-toe", **parameters)
        score, error = advantage(game, int(games))
        variant = " ".join(f"{name}={value}" for name, value in game.parameters.items())
        print(f"{variant}  {score:.3f} +- {1.96 * error:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
