"""Writes games of the Royal Game of Ur by the package RoyalUr, in our notation.

Run as `python -m tests.oracles.royalur_games > tests/data/authorities/royal-game-of-ur.txt`, with
RoyalUr 0.0.6 of PyPI installed.
"""

import random
import sys
from typing import Any

from royalur import Game

from tests.oracles.digests import KnownGame, KnownPly, to_ply, write_game

GAMES = 6


def main() -> None:
    sys.stdout.write("# By RoyalUr 0.0.6 of PyPI, with the rules of Finkel: throws and moves.\n")
    for seed in range(GAMES):
        sys.stdout.write(write_game(play(random.Random(seed))) + "\n")


def play(draw: random.Random) -> KnownGame:
    """Play a game by random throws and moves; a forced pass is a move here."""
    game, plies = Game.create_finkel(), list[KnownPly]()
    while not game.is_finished():
        number = sum(draw.randrange(2) for _ in range(4))
        plies.append(to_ply(str(number), map(str, range(5))))
        game.roll_dice(number)
        if not game.is_waiting_for_move():
            plies.append(to_ply("pass", ["pass"]))
            continue
        moves = {text(move): move for move in game.find_available_moves()}
        played = draw.choice(sorted(moves))
        plies.append(to_ply(played, moves))
        game.make_move(moves[played])
    return KnownGame(game.get_winner().text_name.lower(), tuple(plies))


def text(move: Any) -> str:
    if move.is_introducing_piece():
        return cell(move.dest)
    if move.is_scoring_piece():
        return f"{cell(move.source)}-off"
    sign = "x" if move.is_capture() else "-"
    return f"{cell(move.source)}{sign}{cell(move.dest)}"


def cell(tile: Any) -> str:
    """Return a square; the columns A to C of RoyalUr are our rows from the bottom."""
    return f"{'abcdefgh'[tile.y - 1]}{tile.x}"


if __name__ == "__main__":
    main()
