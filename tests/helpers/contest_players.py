"""Programs that play: one correct player, and several faulty ones."""

import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from typing import Any

# A player for games with names of empty cells as moves: it plays the first one left.
PROPER = """
cells = [c + r for r in "123" for c in "abc"]
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "play":
        cells.remove(rest)
    elif word == "move":
        print(cells.pop(0), flush=True)
"""

# The same by GTP and by UCI.
VERTICES = """
free = []
for line in sys.stdin:
    words = line.split()
    answer = ""
    if words[0] == "boardsize":
        size = int(words[1])
    elif words[0] == "clear_board":
        free = ["ABCDEFGHJ"[c] + str(r + 1) for r in range(size) for c in range(size)]
    elif words[0] == "play":
        free.remove(words[2])
    elif words[0] == "genmove":
        answer = " " + free.pop(0)
    print("=" + answer + "\\n", flush=True)
"""

SQUARES = """
played = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name fake\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        played = words[3:]
    elif words[0] == "go":
        cells = [c + r for r in "123" for c in "abc"]
        move = next(cell for cell in cells if cell not in played)
        print("info depth 1\\nbestmove " + move, flush=True)
"""

# The same by the protocol of XBoard.
MOVES = """
played = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "protover":
        print("feature usermove=1 done=1", flush=True)
    elif words[0] == "new":
        played = []
    elif words[0] == "usermove":
        played.append(words[1])
    elif words[0] == "go":
        cells = [c + r for r in "123" for c in "abc"]
        move = next(cell for cell in cells if cell not in played)
        played.append(move)
        print("move " + move, flush=True)
"""

BAD = {
    "illegal move": 'for line in sys.stdin:\n    if line == "move\\n": print("z9", flush=True)',
    "crash": "sys.exit(3)",
    "silence": "import time\ntime.sleep(60)",
    "output": PROPER.replace("print(cells.pop(0),", 'print(cells.pop(0) + "\\nmore",'),
    "binary": 'for line in sys.stdin:\n    if line == "move\\n":'
    ' sys.stdout.buffer.write(b"\\xff\\x00\\n"); sys.stdout.flush()',
}


def program(folder: Path, text: str) -> str:
    """Write a Python program into a folder and return its player description."""
    path = folder / f"player{len(list(folder.iterdir()))}.py"
    path.write_text("import sys\n" + text)
    return f"cmd:{sys.executable} -S -E {path}"


class Turning(Executor):
    """Executes two calls at a time, the later one first."""

    def __init__(self) -> None:
        self._due: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **keywords: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        self._due.append((future, partial(fn, *args, **keywords)))
        if len(self._due) == 2:
            while self._due:
                waiting, call = self._due.pop()
                waiting.set_result(call())
        return future
