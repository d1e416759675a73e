"""Benchmark of changed rules: the time of a ply relative to the base game; see README.md."""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import rulesengine
from tests.benchmarks.bench_kernels import processor
from tests.benchmarks.works import VARIANTS

SEED = 1
BASES = ("othello", "gomoku", "hex", "go")
# The goals: at least this many of all variants within the first factor, all within the second.
WITHIN, NEVER = 5, 10


@dataclass(frozen=True, slots=True)
class Ratio:
    """The time of a ply of a variant in ns, that of its base, and their ratio in the same rounds.

    `games` is the number of games of a round, `checksum` the checksum of these games.
    """

    name: str
    ply: float
    base: float
    factor: float
    games: int
    checksum: str


def main() -> None:
    options = parser().parse_args()
    ratios = [ratio for spec in specs(options.only) for ratio in measure(spec, options)]
    near = sum(ratio.factor <= WITHIN for ratio in ratios)
    far = [ratio.name for ratio in ratios if ratio.factor > NEVER]
    print(f"{near} of {len(ratios)} within {WITHIN} times their base; above {NEVER}: {len(far)}")
    about = {"processor": processor(), "ratios": [asdict(ratio) for ratio in ratios]}
    text = json.dumps(about)
    if options.json:
        Path(options.json).write_text(text + "\n")


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rounds", type=int, default=3, metavar="N")
    words.add_argument("--seconds", type=float, default=0.1, help="of each game in each round")
    words.add_argument("--only", default="", metavar="TEXT", help="variants whose paths have it")
    words.add_argument("--verify", type=int, default=1, help="games compared with the interpreter")
    words.add_argument("--json", default="", metavar="FILE")
    return words


def specs(only: str = "") -> list[Path]:
    """Return the specs of changed rules, by base and name."""
    found = [path for base in BASES for path in sorted((VARIANTS / base).glob("*.yaml"))]
    return [path for path in found if only in f"{path.parent.name}/{path.stem}"]


def measure(spec: Path, options: argparse.Namespace) -> Iterable[Ratio]:
    """Yield the ratio of a variant, if it has a native kernel; print the ratio."""
    name = f"{spec.parent.name}/{spec.stem}"
    base = rulesengine.load(spec.parent.name, engine="native")
    game = rulesengine.load(spec, engine="native")
    if game.engines()["playouts"] != "native":
        print(f"{name:28} no native kernel: {game.engine_problems}", flush=True)
        return
    verify(spec, game, options.verify)
    counts = [enough(one, options.seconds) for one in (game, base)]
    rounds = [(rate(game, counts[0]), rate(base, counts[1])) for _ in range(options.rounds)]
    found = Ratio(
        name,
        statistics.median(own for own, _ in rounds),
        statistics.median(other for _, other in rounds),
        statistics.median(own / other for own, other in rounds),
        counts[0],
        str(game.playouts(counts[0], seed=SEED).checksum),
    )
    print(
        f"{found.name:28} {found.ply:12,.1f} ns/ply {found.base:10,.1f} base"
        f" {found.factor:8.2f} x {found.games:8,} {found.checksum}",
        flush=True,
    )
    yield found


def verify(spec: Path, game: rulesengine.Game, games: int) -> None:
    """Exit if the first random games differ from those of the interpreter."""
    if games:
        slow = rulesengine.load(spec, engine="interpreter").playouts(games, seed=SEED)
        if slow != game.playouts(games, seed=SEED):
            sys.exit(f"{spec}: the kernel and the interpreter played other games")


def rate(game: rulesengine.Game, games: int) -> float:
    """Return the nanoseconds of processor time of a ply."""
    begun = time.process_time()
    played = game.playouts(games, seed=SEED)
    spent = time.process_time() - begun
    return spent * 1e9 / max(1, played.mean_length * games)


def enough(game: rulesengine.Game, seconds: float) -> int:
    """Return the number of games that take about the given time."""
    count = 1
    game.playouts(count, seed=SEED)  # the first call compiles
    while True:
        begun = time.process_time()
        game.playouts(count, seed=SEED)
        spent = time.process_time() - begun
        if spent >= seconds / 2 or count >= 1 << 22:
            return max(1, round(count * seconds / max(spent, 1e-6)))
        count = max(2 * count, int(count * seconds / 2 / max(spent, seconds / 100)))


if __name__ == "__main__":
    main()
