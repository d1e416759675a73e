"""Writes games of Abalone by the package abalone-boai, in our notation.

Run as `python -m tests.oracles.abalone_games > tests/data/authorities/abalone.txt`, with
abalone-boai 1.0.0 of PyPI installed.
"""

import random
import sys
from typing import Any

from abalone.enums import Space
from abalone.game import Game
from abalone.utils import neighbor

from tests.oracles.digests import KnownGame, KnownPly, to_ply, write_game

GAMES = 4
# A player loses with so few marbles.
FEW = 8


def main() -> None:
    sys.stdout.write(
        "# By abalone-boai 1.0.0 of PyPI. Moves that push a marble off are preferred.\n"
    )
    for seed in range(GAMES):
        sys.stdout.write(write_game(play(random.Random(seed))) + "\n")


def play(draw: random.Random) -> KnownGame:
    game, plies = Game(), list[KnownPly]()
    while min(game.get_score()) > FEW:
        moves = {text(*move): move for move in game.generate_legal_moves()}
        pushes = [name for name, move in moves.items() if is_push(game, *move)]
        played = draw.choice(sorted(pushes or moves))
        plies.append(to_ply(played, moves))
        game.move(*moves[played])
        game.switch_player()
    black, white = game.get_score()
    return KnownGame("black" if white < black else "white", tuple(plies))


def is_push(game: Any, marbles: Any, direction: Any) -> bool:
    """True if a move pushes a marble of the other side off the board."""
    before = game.get_score()
    board = [row[:] for row in game.board]
    game.move(marbles, direction)
    after, game.board = game.get_score(), board
    return bool(after != before)


def text(marbles: Any, direction: Any) -> str:
    """Return a move: the last marble, or both ends of a row, and the cell that is reached."""
    first, *others = (marbles,) if isinstance(marbles, Space) else marbles
    ends = "".join(f"{end.name}-" for end in (first, *others))
    return f"{ends}{neighbor(first, direction).name}"


if __name__ == "__main__":
    main()
