"""Seeded random games of Fairy-Stockfish in our notation: a second authority on two games."""

import random
from collections.abc import Iterator

import pyffish

from tests.oracles.openspiel import Ply, Result

# Whom White is with us, who is to move in the other's notation, and the symbols of a drawing.
PLAYERS = {"ataxx": {"w": "black", "b": "white"}, "clobber": {"w": "white", "b": "black"}}
SYMBOLS = {"ataxx": {"P": "x", "p": "o"}, "clobber": {"P": "o", "p": "x"}}


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """A game by uniformly random moves: a Ply for each position that is played, then a Result.

    Clobber has six rows and five columns here.
    """
    fen = pyffish.start_fen(name)
    chance = random.Random(f"{name} {seed}")
    while legal := pyffish.legal_moves(name, fen, []):
        texts = [_to_text(name, move) for move in legal]
        i = chance.randrange(len(legal))
        board, mover = _position(name, fen)
        yield Ply(mover, frozenset(texts), texts[i], board)
        fen = pyffish.get_fen(name, fen, [legal[i]])
    board, mover = _position(name, fen)
    value = pyffish.game_result(name, fen, [])  # for who is to move
    other = next(player for player in PLAYERS[name].values() if player != mover)
    yield Result(None if value == 0 else mover if value > 0 else other, board)


def _position(name: str, fen: str) -> tuple[tuple[str, ...], str]:
    """The lines of the board from the top, and the player to move."""
    board, side = fen.split("[")[0].split()[0], fen.split()[1]
    for n in range(1, 10):
        board = board.replace(str(n), "." * n)
    for theirs, ours in SYMBOLS[name].items():
        board = board.replace(theirs, ours)
    return tuple(board.split("/")), PLAYERS[name][side]


def _to_text(name: str, move: str) -> str:
    """`P@b7` is a clone; a piece that goes nowhere is a pass."""
    if "@" in move:
        return move.partition("@")[2]
    if move[:2] == move[2:]:
        return "pass"
    return f"{move[:2]}{'x' if name == 'clobber' else '-'}{move[2:]}"
