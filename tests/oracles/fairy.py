"""Seeded random games of Fairy-Stockfish in our notation: a second authority on some games."""

import random
import re
from collections.abc import Iterator

import pyffish

from tests.oracles.openspiel import Ply, Result

# Our name of White, the mover in their notation, and the symbols of a board.
BLACK_FIRST, WHITE_FIRST = {"w": "black", "b": "white"}, {"w": "white", "b": "black"}
PLAYERS = {
    "ataxx": BLACK_FIRST,
    "clobber": WHITE_FIRST,
    "flipello10": BLACK_FIRST,
    "flipersi": BLACK_FIRST,
    "isolation": WHITE_FIRST,
    "isolation7x7": WHITE_FIRST,
    "amazons": WHITE_FIRST,
}
SYMBOLS = {
    "ataxx": {"P": "x", "p": "o"},
    "clobber": {"P": "o", "p": "x"},
    "flipello10": {"P": "*", "p": "o"},
    "flipersi": {"P": "*", "p": "o"},
    "isolation": {"*": "#", "P": "o", "p": "x"},
    "isolation7x7": {"*": "#", "P": "o", "p": "x"},
    "amazons": {"*": "#", "Q": "W", "q": "B"},
}
# Games with rows that we count from the top, and their number.
FROM_TOP = {"flipello10": 10, "flipersi": 8}


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """Play a game by uniformly random moves: yield a Ply for each position, then a Result.

    Clobber has six rows and five columns here. A game has no Result if ours would go on.
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
    if _is_cut_short(name, board, mover):
        return
    value = pyffish.game_result(name, fen, [])  # for the mover
    other = next(player for player in PLAYERS[name].values() if player != mover)
    yield Result(None if value == 0 else mover if value > 0 else other, board)


def _is_cut_short(name: str, board: tuple[str, ...], mover: str) -> bool:
    """True if our game goes on after Fairy-Stockfish ends it.

    In `flipersi` a player without a move passes; in Isolation a move is legal with no tile left to
    take.
    """
    if name == "flipersi":
        return "." in "".join(board)
    if name not in ("isolation", "isolation7x7"):
        return False
    symbol = "o" if mover == "white" else "x"
    row = next(i for i, line in enumerate(board) if symbol in line)
    column = board[row].index(symbol)
    around = [line[max(column - 1, 0) : column + 2] for line in board[max(row - 1, 0) : row + 2]]
    return "." in "".join(around)


def _position(name: str, fen: str) -> tuple[tuple[str, ...], str]:
    """Return the lines of the board from the top, and the player to move."""
    board, side = fen.split("[")[0].split()[0], fen.split()[1]
    board = re.sub(r"\d+", lambda found: "." * int(found[0]), board)
    for theirs, ours in SYMBOLS[name].items():
        board = board.replace(theirs, ours)
    return tuple(board.split("/")), PLAYERS[name][side]


def _to_text(name: str, move: str) -> str:
    """Convert a move: `P@b7` is a placement, a piece that stays is a pass, and after a comma comes
    a shot from the target cell.
    """
    if "@" in move:
        cell = move.partition("@")[2]
        return f"{cell[0]}{FROM_TOP[name] + 1 - int(cell[1:])}" if name in FROM_TOP else cell
    cells = re.findall(r"[a-j]\d+", move)
    if cells[0] == cells[1]:
        return "pass"
    if len(cells) == 4:
        return f"{cells[0]}-{cells[1]}/{cells[3]}"
    return f"{move[:2]}{'x' if name == 'clobber' else '-'}{move[2:]}"
