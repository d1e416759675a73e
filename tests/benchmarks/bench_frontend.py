"""Benchmark of the way from a spec to its first results; see README.md in this folder."""

import argparse
import hashlib
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

import rulesengine
from rulesengine.support.resources import bundled_names

BIO97 = ".0*.\n0..0\n0000\n0*.0\n"

# Sample runs of the contests' documents; equal checksums mean equal output.
SAMPLES = (
    ("bio97-othello", "1", BIO97 + "1\n0 7 4\n4\n0 1 4\n-1\n"),
    ("bio97-othello", "2", BIO97 + "99\n"),
    ("bio04-four-in-a-line", "", "9\n3 2 3 4 4 4 2 2 3\nn\nn\nr\n"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """The wall-clock seconds of one workload, and a checksum of its output."""

    name: str
    median: float
    checksum: str
    seconds: tuple[float, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, metavar="N")
    repeat = parser.parse_args().repeat
    rows = [measure(name, work, repeat) for name, work in works()]
    for row in rows:
        print(f"{row.name:32} {row.median * 1000:10.1f} ms   {row.checksum}")
    about = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "rows": [asdict(row) for row in rows],
    }
    print(json.dumps(about))


def works() -> list[tuple[str, Callable[[], bytes]]]:
    runs = [
        (f"run {name} {strategy}".rstrip(), partial(run, name, strategy, text))
        for name, strategy, text in SAMPLES
    ]
    return [*runs, ("load", load), ("check", check), ("perft othello 5", perft)]


def measure(name: str, work: Callable[[], bytes], repeat: int) -> Row:
    seconds, results = [], set()
    for _ in range(repeat):
        start = time.perf_counter()
        results.add(work())
        seconds.append(time.perf_counter() - start)
    if len(results) != 1:
        raise SystemExit(f"{name}: two repetitions gave different results")
    checksum = hashlib.sha256(results.pop()).hexdigest()[:16]
    return Row(name, statistics.median(seconds), checksum, tuple(seconds))


def command(*words: str, text: str = "") -> bytes:
    """Return the exit code and the standard output of a new process."""
    done = subprocess.run(
        [sys.executable, "-m", "rulesengine", *words],
        input=text.encode(),
        stdout=subprocess.PIPE,
        check=False,
    )
    return b"%d\n%s" % (done.returncode, done.stdout)


def run(name: str, strategy: str, text: str) -> bytes:
    chosen = ("--set", f"strategy={strategy}") if strategy else ()
    return command("run", name, *chosen, text=text)


def load() -> bytes:
    games = [rulesengine.load(name) for name in bundled_names()]
    return repr([list(game.players) for game in games]).encode()


def check() -> bytes:
    return command("check", *bundled_names())


def perft() -> bytes:
    return b"%d" % rulesengine.load("othello").perft(5)


if __name__ == "__main__":
    main()
