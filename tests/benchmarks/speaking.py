"""What programs of others need to speak the lines of `cmd:`."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from zlib import crc32


def speak(play: Callable[[str], None], move: Callable[[int], str], file: str) -> None:
    """Answer the referee until it closes its end.

    `play` is told each move of the other side. `move` gives an own one, made already; its number
    is the seed of this game: the same for the same opening. What a move took is added to the file
    as a line, seconds of this process.
    """
    told, seed = list[str](), None
    for line in sys.stdin:
        word, _, text = line.strip().partition(" ")
        if word == "play":
            told.append(text)
            play(text)
        elif word == "move":
            seed = crc32(" ".join(told).encode()) >> 1 if seed is None else seed
            since = process_time()
            found = move(seed)
            with Path(file).open("a") as spent:
                spent.write(f"{process_time() - since:.4f}\n")
            sys.stdout.write(f"{found}\n")
            sys.stdout.flush()
