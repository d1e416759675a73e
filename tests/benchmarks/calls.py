"""Benchmark of single calls from Python, whole processes, and a cold start."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import rulesengine
from tests.benchmarks.players import Absent, loaded

# The first sample of the ACM document.
ACM = """\
2
--------
--------
--------
---WB---
---BW---
--------
--------
--------
W
L
M35
L
Q
WWWWB---
WWWB----
WWB-----
WB------
--------
--------
--------
--------
B
L
M25
L
Q
"""

WHOLE_PROCESS = "run games/acm92-othello.yaml, wall clock"
COLD_START = "cold: start, load, check"
COLD = """
import resource, time
import rulesengine
def spent():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
game = rulesengine.load("othello", engine={engine!r})
front = spent()
assert game.perft(6) == 8200
print(front, spent() - front)
"""


@dataclass(frozen=True, slots=True)
class Time:
    """The median seconds of a workload, and the seconds of each round."""

    work: str
    player: str
    seconds: float
    rounds: tuple[float, ...]


def measure(
    engines: list[str], rounds: int, wanted: str, say: Callable[[str], None]
) -> Iterable[Time]:
    """Yield the rows with the wanted text in their names: single calls, cold starts, processes."""
    for engine in engines:
        try:
            for work, call in works(engine):
                if wanted in work:
                    each(call, 0.01)  # the first call compiles, and is not measured
                    yield row(work, engine, [each(call, 0.1) for _ in range(rounds)])
            if wanted in COLD_START:
                yield from cold(engine, rounds)
        except Absent as absent:
            say(f"calls: {absent}")
    if wanted in WHOLE_PROCESS:
        yield from processes(max(rounds, 11))


def row(work: str, player: str, seconds: list[float]) -> Time:
    return Time(work, player, statistics.median(seconds), tuple(seconds))


def works(engine: str) -> Iterable[tuple[str, Callable[[], object]]]:
    game = loaded("othello", engine)
    ten = position_with_ten_moves(game)
    yield "legal_mask, 8x8", partial(game.legal_mask, ten)
    yield "legal_moves, a list of ten", partial(game.legal_moves, ten)
    contest = loaded("bio97-othello", engine, strategy=2)
    yield "bio97 strategy 2, a game by choose", partial(contest_game, contest)


def position_with_ten_moves(game: rulesengine.Game) -> rulesengine.State:
    """Return the first position with ten moves, if the first legal move is always played."""
    state = game.initial_state()
    while len(moves := game.legal_moves(state)) != 10:
        state = game.apply(state, moves[0])
    return state


def contest_game(game: rulesengine.Game) -> rulesengine.State:
    state = game.initial_state()
    while (move := game.choose("2", state)) is not None:
        state = game.apply(state, move)
    return state


def each(call: Callable[[], object], seconds: float) -> float:
    """Return the CPU seconds of one call, from as many calls as take the given time."""
    times = 1
    while (spent := many(call, times)) < seconds:
        times *= 2 if spent > seconds / 10 else 10
    return spent / times


def many(call: Callable[[], object], times: int) -> float:
    begun = time.process_time()
    for _ in range(times):
        call()
    return time.process_time() - begun


def processes(rounds: int) -> Iterable[Time]:
    """Yield the wall-clock seconds of the ACM sample and of a bare Python, alternating."""
    run = [sys.executable, "-m", "rulesengine", "run", "games/acm92-othello.yaml"]
    bare = [sys.executable, "-c", "import argparse, json"]
    wall(run)  # fills the cache, if it is enabled
    pairs = [(wall(run), wall(bare)) for _ in range(rounds)]
    yield row(WHOLE_PROCESS, "process", [ours for ours, _ in pairs])
    yield row("python -c 'import argparse, json'", "process", [theirs for _, theirs in pairs])


def wall(command: list[str]) -> float:
    # As an installed package runs: with cached byte code.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    subprocess.run(command, input=ACM.encode(), stdout=subprocess.DEVNULL, check=True, env=kept)
    return time.perf_counter() - begun


def cold(engine: str, rounds: int) -> Iterable[Time]:
    """Yield the CPU seconds of a new process with an empty cache: until loaded, then perft 6."""
    pairs = [_cold(engine) for _ in range(rounds)]
    yield row(COLD_START, engine, [front for front, _ in pairs])
    yield row("cold: then the first perft", engine, [rest for _, rest in pairs])


def _cold(engine: str) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", COLD.format(engine=engine)],
            env={**os.environ, "XDG_CACHE_HOME": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    front, rest = map(float, done.stdout.split())
    return front, rest
