"""The line protocol of `cmd:` for external programs."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from zlib import crc32


def speak(play: Callable[[str], None], move: Callable[[int], str], file: str) -> None:
    """Answer the referee until it closes the input.

    `play` receives each move of the other side. `move` returns a move of the program, already
    applied; its argument is a seed for the game, equal for equal openings. The CPU seconds of each
    move are appended to the file, one line each.
    """
    messages, seed = list[str](), None
    for line in sys.stdin:
        word, _, text = line.strip().partition(" ")
        if word == "play":
            messages.append(text)
            play(text)
        elif word == "move":
            seed = crc32(" ".join(messages).encode()) >> 1 if seed is None else seed
            since = process_time()
            found = move(seed)
            with Path(file).open("a") as spent:
                spent.write(f"{process_time() - since:.4f}\n")
            sys.stdout.write(f"{found}\n")
            sys.stdout.flush()
