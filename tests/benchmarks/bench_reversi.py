"""Benchmark of the player of `aps105-reversi --set part=2`: its results and the time of its moves.

    python -m tests.benchmarks.bench_reversi games FILE --sizes 6 8 10 16 --seconds 0.02
    python -m tests.benchmarks.bench_reversi games FILE --sizes 6 8 10 16 --nodes 30000
    python -m tests.benchmarks.bench_reversi times --sizes 4 6 8

`games` plays 40 games a size against each rival, from openings of up to four random moves, each
played from both sides. It appends each game to a file, and does not repeat the games of the file.
With nodes the games are reproducible; seconds need an idle machine. `times` starts the program
with an empty cache and plays a whole game of random moves against it. It prints the time from the
start to the first move, and the maximum of the other moves.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import rulesengine
from tests.benchmarks.rivals import Reversi, Rival, careful, greedy, weighing

RIVALS: dict[str, Rival] = {"greedy": greedy, "careful": careful, "weighing": weighing}
GAMES = 40
_MEMORY = 8  # megabytes; in such short searches the allocation counts
_RUN = "rulesengine", "run", "aps105-reversi", "--set", "part=2"
_ABROAD = ("PYTHONDONTWRITEBYTECODE", "RULESENGINE_CACHE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("games", "times"))
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[*range(4, 27, 2)])
    parser.add_argument("--seconds", type=float, default=0.02)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--rivals", nargs="+", choices=RIVALS, default=[*RIVALS])
    given = parser.parse_args()
    if given.what == "times":
        for n in given.sizes:
            _say(_times(n))
    else:
        _play_all(given.file, given)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


# games


def _play_all(file: Path, given: argparse.Namespace) -> None:
    played = _read(file)
    many = {"nodes": given.nodes} if given.nodes else {"seconds": given.seconds}
    limit = " ".join(f"{number:g} {name}" for name, number in many.items())
    for n in given.sizes:
        game = rulesengine.load("aps105-reversi", n=n, part=2, engine="native")
        for rival in given.rivals:
            numbers = range(given.first, given.first + given.games)
            for number in numbers:
                key = f"{n} {rival} {limit} {number}"
                if key not in played:
                    played[key] = _play(game, Reversi(n), RIVALS[rival], many, number)
                    with file.open("a") as lines:
                        lines.write(json.dumps([key, played[key]]) + "\n")
            leads = [played[f"{n} {rival} {limit} {i}"] for i in numbers]
            _say(f"{n:2} {rival:9} {limit}: {_told(leads)}")


def _read(file: Path) -> dict[str, int]:
    return dict(json.loads(line) for line in file.open()) if file.exists() else {}


def _told(leads: list[int]) -> str:
    won, drawn = sum(lead > 0 for lead in leads), leads.count(0)
    return f"{won} won, {drawn} drawn of {len(leads)}, by {sum(leads) / len(leads):.1f} on average"


def _play(
    game: rulesengine.Game, reversi: Reversi, rival: Rival, many: dict[str, Any], number: int
) -> int:
    """Play one game, and return the final disc difference for the program."""
    board, state, blacks_turn = reversi.start(), game.initial_state(), True
    is_black, chance = number % 2 == 0, random.Random(f"{reversi.n} {number // 2}")
    opening = chance.randrange(5)
    while True:
        cells = reversi.moves(board)
        if not cells:
            board, blacks_turn = board[::-1], not blacks_turn
            if not reversi.moves(board):
                break
            state = game.apply(state, "pass")
            continue
        if opening:
            cell, opening = chance.choice(cells), opening - 1
        elif blacks_turn is is_black:
            found = game.search(state, **many, memory=_MEMORY)
            cell = _cell(str(found.move), reversi.n)
        else:
            cell = rival(reversi, board)
        state = game.apply(state, _name(cell, reversi.n))
        board, blacks_turn = reversi.after(board, cell), not blacks_turn
    own, other = board if blacks_turn is is_black else board[::-1]
    return own.bit_count() - other.bit_count()


def _name(cell: int, n: int) -> str:
    return chr(97 + cell // n) + chr(97 + cell % n)


def _cell(name: str, n: int) -> int:
    return (ord(name[0]) - 97) * n + ord(name[1]) - 97


# times


def _times(n: int) -> str:
    """Return a line with the time to the first move and the longest other move, on core 0."""
    with tempfile.TemporaryDirectory() as folder:
        known = {name: value for name, value in os.environ.items() if name not in _ABROAD}
        environment = {**known, "RULESENGINE_CACHE": folder}
        first, *others = _timed_game(Reversi(n), environment)
    longest = max(others, default=0.0)
    return f"{n:2}: first move after {first:.2f} s, the others at most {longest:.2f} s"


def _timed_game(reversi: Reversi, environment: dict[str, str]) -> Iterator[float]:
    """Yield the seconds of each move of the program, as black against random moves."""
    chance, pipe, n = random.Random(reversi.n), subprocess.PIPE, reversi.n
    since = perf_counter()
    command = ["taskset", "-c", "0", sys.executable, "-m", *_RUN]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write(f"{n}\nB\n".encode())
        program.stdin.flush()
        board, is_its_turn = reversi.start(), True
        while True:
            cells = reversi.moves(board)
            if not cells:
                board, is_its_turn = board[::-1], not is_its_turn
                if not reversi.moves(board):
                    break
                continue
            if is_its_turn:
                while b" places " not in (line := program.stdout.readline()):
                    assert line, "the program has ended"
                yield perf_counter() - since
                since = perf_counter()
                cell = _cell(line.split(b" at ")[1][:2].decode(), n)
            else:
                cell = chance.choice(cells)
                since = perf_counter()
                program.stdin.write(f"{_name(cell, n)}\n".encode())
                program.stdin.flush()
            board, is_its_turn = reversi.after(board, cell), not is_its_turn


if __name__ == "__main__":
    main()
