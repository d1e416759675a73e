"""Many native games kept in one process: `python -m tests.helpers.many_games 2000 [SIZES]`.

Each has another size of board as far as there are such, and has been asked for its moves once.
Prints how many bytes of address space and of memory a game takes, and what the process takes.
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
    asked(LEAST, LEAST)  # what all games share is there
    before = taken()
    kept = [asked(*size) for size in islice(cycle(boards()[:sizes]), count)]
    after = taken()
    each = [(b - a) // len(kept) for a, b in zip(before, after, strict=True)]
    sys.stdout.write(" ".join(map(str, (*each, *after))) + "\n")


def boards() -> list[tuple[int, int]]:
    """All sizes, the small ones first."""
    lengths = range(LEAST, MOST + 1)
    return [(rows, columns) for rows in lengths for columns in lengths]


def asked(rows: int, columns: int) -> Game:
    """A game that has been called once."""
    game = load(NAME, engine="native", rows=rows, columns=columns)
    moves = 2 * rows * columns - rows - columns
    assert len(game.legal_moves(game.initial_state())) == moves
    return game


def taken() -> tuple[int, int]:
    """The bytes of address space and of memory that this process takes."""
    space, resident = Path("/proc/self/statm").read_text(encoding="ascii").split()[:2]
    return int(space) * PAGESIZE, int(resident) * PAGESIZE


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
