"""Solve small games: the exact value with best play, and a line of best moves.

    python examples/solve.py

The values are known independently. The small (m,n,k) games, Domineering and Othello on 4 x 4 are
solved in the literature. Hex is a win for the first player by Nash's strategy-stealing argument.
"""

from typing import Any

import rulesengine

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tic-tac-toe", {}),
    ("tic-tac-toe", {"m": 4}),
    ("hex", {"n": 3}),
    ("domineering", {"n": 4}),
    ("othello", {"n": 4}),
)


def main() -> None:
    """Print value, best line and number of positions for each game."""
    for name, parameters in GAMES:
        game = rulesengine.load(name, **parameters)
        solved = game.solve()
        # The value is for the player to move; points are known where a score decides.
        points = "" if solved.score is None else f" by {abs(solved.score)} points"
        values = ", ".join(f"{key}={value}" for key, value in game.parameters.items())
        print(f"{game.name} ({values}): {solved.value}{points} for {game.players[0]}")
        print(f"  line: {' '.join(map(str, solved.line))}")
        print(f"  positions: {solved.nodes}")


if __name__ == "__main__":
    main()
