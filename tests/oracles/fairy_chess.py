"""Seeded random games of chess and its kin by Fairy-Stockfish, with the draws it claims."""

import random
import re
from collections import Counter
from collections.abc import Iterator

import pyffish

from tests.oracles.openspiel import Ply, Result

# The side that moves first, the other being Black.
FIRST = {"chess": "white", "losalamos": "white", "xiangqi": "red"}

# The number of moves without a capture before a draw may be claimed.
QUIET = 100


def random_game(name: str, seed: int) -> Iterator[Ply | Result]:
    """Play a game by uniformly random moves: yield a Ply for each position, then a Result.

    A game has no Result if ours differs or goes on. In xiangqi this is a loss by repetition,
    insufficient material, or fifty moves without a capture: our limit is sixty.
    """
    start, moves = pyffish.start_fen(name), list[str]()
    fen, met = start, Counter[str]()
    chance = random.Random(f"{name} {seed}")
    while True:
        mover = FIRST[name] if fen.split()[1] == "w" else "black"
        board = _board(fen)
        legal = pyffish.legal_moves(name, fen, [])
        if not legal:
            value = pyffish.game_result(name, fen, [])  # for the mover
            other = "black" if mover != "black" else FIRST[name]
            yield Result(None if value == 0 else mover if value > 0 else other, board)
            return
        *position, quiet, _ = fen.split()
        met[" ".join(position)] += 1
        claimed, value = False, 0
        # only then the slow query can succeed
        if met[" ".join(position)] > 2 or int(quiet) >= QUIET:
            claimed, value = pyffish.is_optional_game_end(name, start, moves)
        dead = not claimed and all(pyffish.has_insufficient_material(name, fen, []))
        if claimed or dead:
            if value == 0 and (name != "xiangqi" or met[" ".join(position)] > 2):
                yield Result(None, board)
            return
        i = chance.randrange(len(legal))
        yield Ply(mover, frozenset(legal), legal[i], board)
        moves.append(legal[i])
        fen = pyffish.get_fen(name, fen, [legal[i]])


def _board(fen: str) -> tuple[str, ...]:
    """Return the lines of the board from the top."""
    return tuple(re.sub(r"\d+", lambda found: "." * int(found[0]), fen.split()[0]).split("/"))
