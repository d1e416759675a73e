"""Scripts of contests against plain programs in Python and C: CPU time, with equal output.

`python -m tests.benchmarks.bench_scripts [--small] [NAME ...]` prints a table. Each row is one run:
user plus system CPU seconds of the whole process, the least of several. The checksum is that of the
output, which must be the same for all programs. Python caches byte code, as in an installation.
"""

import argparse
import hashlib
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from rulesengine import load

PLAIN = Path(__file__).parent / "scripts"
REPEATS = 3
WAYS = ("native", "python", "auto")


def othello(games: int) -> Iterator[str]:
    """Yield the lines of games with the legal moves and a random move at each ply."""
    game, draw = load("acm92-othello"), random.Random(1992)
    yield str(games)
    for _ in range(games):
        state = game.initial_state()
        board = str(state).splitlines()[:8]
        yield from board
        yield "B"
        # black begins here: the same as white on a board with exchanged colours
        state = game.state_from("\n".join([*board, "mover: black"]))
        while game.outcome(state) is None:
            yield "L"
            moves = game.legal_moves(state)
            if moves[0].text == "pass":
                state = game.apply(state, moves[0])
                moves = game.legal_moves(state)
            move = draw.choice(list(moves))
            row, column = divmod(move.steps[0].target, 8)
            yield f"M{row + 1}{column + 1}"
            state = game.apply(state, move)
        yield "Q"


def reversi(games: int) -> Iterator[str]:
    """Yield the moves of games on a board of 26 x 26 against the built-in player."""
    game, draw = load(str(PLAIN / "aps105-games.yaml"), n=26, engine="native"), random.Random(105)
    yield str(games)
    for _ in range(games):
        state = game.initial_state()
        while game.outcome(state) is None:
            moves = game.legal_moves(state)
            if state.mover == "white" and moves[0].text != "pass":
                move = game.choose("greedy", state)
            else:
                move = draw.choice(moves)
                if move.text != "pass":
                    yield move.text
            assert move is not None
            state = game.apply(state, move, check=False)


def centres(boards: int) -> Iterator[str]:
    """Yield the centres of boards, each with a piece at least."""
    draw = random.Random(1997)
    yield str(boards)
    for _ in range(boards):
        cells = [draw.choice("*0.") for _ in range(15)] + ["*"]
        draw.shuffle(cells)
        for row in range(4):
            yield "".join(cells[4 * row : 4 * row + 4])


def openings(count: int) -> Iterator[str]:
    """Yield openings of up to six moves, which make no line."""
    draw = random.Random(2004)
    yield str(count)
    for _ in range(count):
        length = draw.randint(1, 6)
        yield f"{length} {' '.join(str(draw.randint(1, 7)) for _ in range(length))}"


def squares(boards: int) -> Iterator[str]:
    """Yield boards of noughts and crosses with a T, four by four."""
    draw = random.Random(2013)
    yield str(boards)
    for _ in range(boards):
        cells = [draw.choice("XO" if draw.random() < 0.9 else "XO.") for _ in range(16)]
        cells[draw.randrange(16)] = draw.choice("T.")
        if all(any(has_line(cells, line, own) for line in LINES) for own in "XO"):
            cells = [*"XO..", *"OX..", *"XO..", *"OXT."]  # no game ends with two winners
        for row in range(4):
            yield "".join(cells[4 * row : 4 * row + 4])
        yield ""


def hex_boards(boards: int) -> Iterator[str]:
    """Yield boards of Hex with random stones."""
    draw = random.Random(1948)
    yield str(boards)
    for _ in range(boards):
        share = draw.random()
        stones = (draw.choice("xo") if draw.random() < share else "." for _ in range(121))
        cells = "".join(stones)
        for row in range(11):
            yield cells[11 * row : 11 * row + 11]
        yield ""


def sowing(games: int) -> Iterator[str]:
    """Yield the moves of random games of Kalah, with some that are not legal."""
    game, draw = load("kalah", engine="native"), random.Random(1955)
    yield str(games)
    for _ in range(games):
        state = game.initial_state()
        while game.outcome(state) is None:
            if draw.random() < 0.02:
                yield "g9"
            move = draw.choice(game.legal_moves(state))
            yield move.text
            state = game.apply(state, move, check=False)


def chess_boards(boards: int) -> Iterator[str]:
    """Yield boards with both kings and some pieces, then an empty one."""
    draw = random.Random(10196)
    for _ in range(boards):
        cells = ["."] * 64
        for piece in "Kk" + "".join(draw.choice("QRBNPqrbnp") for _ in range(draw.randint(0, 14))):
            cells[draw.choice([i for i, cell in enumerate(cells) if cell == "."])] = piece
        for row in range(8):
            yield "".join(cells[8 * row : 8 * row + 8])
        yield ""
    yield from ["." * 8] * 8


LINES = (
    *(range(row, row + 4) for row in (0, 4, 8, 12)),
    *(range(column, 16, 4) for column in range(4)),
    *(range(0, 16, 5), range(3, 15, 3)),
)


def has_line(cells: list[str], line: range, own: str) -> bool:
    return all(cells[cell] in (own, "T") for cell in line)


# name: the spec, its parameters, the input, and its size, in full and small
JOBS: dict[str, tuple[str, tuple[str, ...], Callable[[int], Iterator[str]], int, int]] = {
    "acm92": ("acm92-othello", (), othello, 1000, 40),
    "acm92-long": ("acm92-othello", (), othello, 7700, 80),
    "aps105": (str(PLAIN / "aps105-games.yaml"), ("--set", "n=26"), reversi, 200, 2),
    "bio97": (str(PLAIN / "bio97-boards.yaml"), (), centres, 1000, 10),
    "bio04": (str(PLAIN / "bio04-openings.yaml"), (), openings, 10_000, 200),
    "tomek": ("gcj13-tomek", (), squares, 100_000, 1000),
    "hex-scores": (str(PLAIN / "hex-scores.yaml"), (), hex_boards, 10_000, 200),
    "kalah-games": (str(PLAIN / "kalah-games.yaml"), (), sowing, 3_000, 100),
    "check-boards": (str(PLAIN / "check-boards.yaml"), (), chess_boards, 12_000, 200),
}


def with_byte_code(folder: Path) -> dict[str, str]:
    """Return an environment where Python caches byte code in a folder."""
    plain = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**plain, "PYTHONPYCACHEPREFIX": str(folder)}


def measured(command: list[str], given: Path, repeats: int) -> tuple[float, str]:
    """Return the CPU seconds of a command, the least of several, and a checksum of its output."""
    best, mark, environment = float("inf"), "", with_byte_code(given.parent / "byte_code")
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with given.open("rb") as source:
            done = subprocess.run(
                command, stdin=source, capture_output=True, check=True, env=environment
            )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best, mark = min(best, used), hashlib.sha256(done.stdout).hexdigest()[:10]
    return best, mark


def commands(name: str, folder: Path) -> dict[str, list[str]]:
    """Return the command of each program for a job."""
    spec, options, *_ = JOBS[name]
    stem = name.removesuffix("-long")
    run = [sys.executable, "-m", "rulesengine", "run", spec, *options, "--engine"]
    found = {way: [*run, way] for way in WAYS}
    found["plain Python"] = [sys.executable, str(PLAIN / f"{stem}.py")]
    binary = folder / stem
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-o", binary, PLAIN / f"{stem}.c"], check=True)
    found["C"] = [str(binary)]
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--small", action="store_true", help="little work, to try the benchmark")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.names or JOBS:
            report(name, Path(scratch), small=options.small)


def report(name: str, folder: Path, *, small: bool) -> None:
    """Print the figures of a job; raise RuntimeError if an output differs."""
    _, _, make, full, few = JOBS[name]
    lines = list(make(few if small else full))
    given = folder / f"{name}.txt"
    given.write_text("\n".join(lines) + "\n")
    programs = commands(name, folder)
    measured(programs["native"], given, 1)  # fills the cache
    measured(programs["python"], given, 1)
    print(f"{name}: {len(lines):,} lines", flush=True)
    marks = set()
    for way, command in programs.items():
        seconds, mark = measured(command, given, 1 if small else REPEATS)
        marks.add(mark)
        print(f"  {way:14}{seconds:9.3f} s  {mark}", flush=True)
    if len(marks) > 1:
        raise RuntimeError(f"{name}: the outputs differ")


if __name__ == "__main__":
    main()
