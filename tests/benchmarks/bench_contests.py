"""Benchmark of the overhead of contests: `python -m tests.benchmarks.bench_contests`.

It measures random against random relative to `playouts`, a game of Connect Four against a program
that answers immediately, ten thousand short games and their memory, and Dask relative to one
process.
"""

import resource
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time

from rulesengine import load
from rulesengine.contests import Opening, dask, match, play_game, player_of

_COLUMNS = """
import sys
heights = dict.fromkeys("abcdefg", 0)
for line in sys.stdin:
    word, _, move = line.strip().partition(" ")
    if word == "move":
        move = next(c + str(n + 1) for c, n in heights.items() if n < 6)
        print(move, flush=True)
    if word in ("play", "move"):
        heights[move[0]] += 1
"""


def main() -> None:
    """Print a line for each figure."""
    random_games()
    program_games()
    short_games()
    if find_spec("distributed"):
        two_workers()


def random_games(games: int = 400_000) -> None:
    """Print the speed of a match of random players relative to `playouts`."""
    game = load("connect-four")
    game.playouts(100_000)
    took = timed(lambda: game.playouts(games))
    contest = timed(lambda: match(game, ["a=random", "b=random"], games))
    print(f"random games: playouts {games / took:,.0f}/s, match {games / contest:,.0f}/s,"
          f" {took / contest:.2f} of it")  # fmt: skip


def program_games(games: int = 30) -> None:
    """Print the CPU time of the referee for a game between two programs, in milliseconds."""
    game = load("connect-four", engine="native")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "columns.py"
        path.write_text(_COLUMNS)
        players = [player_of(game, f"cmd:{sys.executable} -S -E {path}") for _ in range(2)]
        start = Opening((), game.initial_state())
        play_game(game, players, start, 0, 0)
        since, begun = process_time(), perf_counter()
        plies = sum(len(play_game(game, players, start, 0, n).moves) for n in range(games))
        own, whole = process_time() - since, perf_counter() - begun
    print(f"a game by programs: {1000 * own / games:.2f} ms of our own CPU time"
          f" in {1000 * whole / games:.1f} ms, {plies / games:.0f} plies")  # fmt: skip


def short_games(games: int = 10_000) -> None:
    """Print the growth of the process over many short games, in kilobytes."""
    game = load("tic-tac-toe", engine="native")
    match(game, ["a=random", "b=random"], 1000, opening=2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took = timed(lambda: match(game, ["a=random", "b=random"], games, opening=2))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{games:,} short games: {games / took:,.0f}/s, {after - before} kB more")


def two_workers(games: int = 60) -> None:
    """Print the speed of two Dask workers relative to one process, for the same games."""
    game = load("connect-four", engine="native")
    players = ["a=search:nodes=20000", "b=search:nodes=10000"]
    match(game, players, 2)
    wins: list[object] = []
    one = timed(lambda: wins.append(match(game, players, games).table.wins))
    with dask(None, 2) as pool:
        match(game, players, 8, executor=pool)
        two = timed(lambda: wins.append(match(game, players, games, executor=pool).table.wins))
    assert wins[0] == wins[1]
    print(f"Dask with two workers: {one / two:.2f} times one process, wins {wins[0]}")


def timed(call: Callable[[], object]) -> float:
    """Return the wall-clock seconds of a call."""
    since = perf_counter()
    call()
    return perf_counter() - since


if __name__ == "__main__":
    main()
