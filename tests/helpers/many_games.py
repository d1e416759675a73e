"""Many native games in one process: `python -m tests.helpers.many_games 2000 [SIZES]`.

The games have different board sizes if there are enough, and each has listed its moves once. Prints
the bytes of address space and of memory per game, and those of the process.
"""

import sys
from itertools import cycle, islice
from mmap import PAGESIZE
from pathlib import Path

from rulesengine import Game, load

NAME = "clobber"
SIZES = 625
LEAST, MOST = 2, 26


def main(count: int, sizes: int = SIZES) -> None:
    called_game(LEAST, LEAST).engines()  # resources shared by all games, threads too, are there
    before = memory_in_use()
    kept = [called_game(*size) for size in islice(cycle(boards()[:sizes]), count)]
    after = memory_in_use()
    each = [(b - a) // len(kept) for a, b in zip(before, after, strict=True)]
    sys.stdout.write(" ".join(map(str, (*each, *after))) + "\n")


def boards() -> list[tuple[int, int]]:
    """Return all sizes, the small ones first."""
    lengths = range(LEAST, MOST + 1)
    return [(rows, columns) for rows in lengths for columns in lengths]


def called_game(rows: int, columns: int) -> Game:
    """Return a game after its first call."""
    game = load(NAME, engine="native", rows=rows, columns=columns)
    moves = 2 * rows * columns - rows - columns
    assert len(game.legal_moves(game.initial_state())) == moves
    return game


def memory_in_use() -> tuple[int, int]:
    """Return the bytes of address space and of memory that this process uses."""
    space, resident = Path("/proc/self/statm").read_text(encoding="ascii").split()[:2]
    return int(space) * PAGESIZE, int(resident) * PAGESIZE


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
