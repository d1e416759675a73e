"""Benchmark of random games, perft and calls of our engines, C and others; see README.md."""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from rulesengine.tools.doctor import native_target
from tests.benchmarks import c_rulers, calls, players
from tests.benchmarks.players import Absent, Batch, Player
from tests.benchmarks.works import CHANGED, COUNTS, GAMES, SIZES, Count, Work


@dataclass(frozen=True, slots=True)
class Rate:
    """The speed of one player at one workload, as the median over the rounds.

    `rate` is games (in a perft: leaves) per second of CPU time, `ply` nanoseconds a ply (a leaf).
    `ratio` is the median of the ratio to C in the same round, None without C. `count` is the number
    of games, or of perfts, in a round. `kind` is the kind of our kernel, empty for others.
    """

    work: str
    player: str
    count: int
    rate: float
    ply: float
    ratio: float | None
    checksum: str
    kind: str


def main() -> None:
    options = parser().parse_args()
    missing = c_rulers.missing()
    if missing:
        say(f"no rulers: {missing}")
    with tempfile.TemporaryDirectory() as name:
        folder = None if missing else Path(name)
        rates = [rate for work in chosen(options) for rate in measure(work, folder, options)]
    times = list(calls.measure(options.engines, options.rounds, options.only, say))
    for time_of in times:
        print(f"{time_of.work:40} {time_of.player:12} {time_of.seconds * 1e6:14,.3f} us")
    model, features = native_target()
    about = {
        "processor": processor(),
        "model": model,
        "features": features,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "rounds": options.rounds,
        "rates": [asdict(rate) for rate in rates],
        "times": [asdict(time_of) for time_of in times],
    }
    text = json.dumps(about)
    if options.json:
        Path(options.json).write_text(text + "\n")
    print(text)


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--engines", type=lambda text: text.split(","), default=["native", "python"])
    words.add_argument("--rounds", type=int, default=5, metavar="N")
    words.add_argument("--seconds", type=float, default=0.3, help="of each player in each round")
    words.add_argument("--only", default="", metavar="TEXT", help="works whose names hold it")
    words.add_argument("--json", default="", metavar="FILE")
    return words


def chosen(options: argparse.Namespace) -> list[Work | Count]:
    works: tuple[Work | Count, ...] = (*GAMES, *COUNTS, *SIZES, *CHANGED)
    return [work for work in works if options.only in work.name]


def measure(work: Work | Count, folder: Path | None, options: argparse.Namespace) -> Iterable[Rate]:
    """Yield the rate of each player at a workload, from rounds of all players."""
    present = list(present_players(work, folder, options.engines))
    counts = {p.name: enough(p, options.seconds) for p in present}
    agree(work, present, counts)
    rounds = [{p.name: p.play(counts[p.name]) for p in present} for _ in range(options.rounds)]
    for player in present:
        yield show(rate_of(work.name, player, counts[player.name], rounds))


def rate_of(work: str, player: Player, count: int, rounds: list[dict[str, Batch]]) -> Rate:
    name = player.name
    own = [batches[name] for batches in rounds]
    rates = [batch.done / batch.seconds for batch in own]
    c = [batches["C"].done / batches["C"].seconds for batches in rounds if "C" in batches]
    ratios = [rate / other for rate, other in zip(rates, c, strict=True)] if c else []
    plies = [batch.seconds / max(batch.plies, 1) * 1e9 for batch in own]
    return Rate(
        work,
        name,
        count,
        statistics.median(rates),
        statistics.median(plies),
        statistics.median(ratios) if ratios else None,
        "" if own[0].checksum is None else str(own[0].checksum),
        player.kind,
    )


def present_players(
    work: Work | Count, folder: Path | None, engines: list[str]
) -> Iterable[Player]:
    """Yield the players for a workload on this machine; print a message for each absent one."""
    makers: list[Callable[[], Player]] = []
    if folder is not None:
        makers.append(lambda: players.ruler(work, folder))
        if isinstance(work, Work):
            makers.append(lambda: players.ruler(work, folder, one_by_one=True))
    makers += [lambda name=name: players.engine(work, name) for name in engines]  # type: ignore[misc]
    if isinstance(work, Work):
        makers += [lambda: players.open_spiel(work)] if work.spiel else []
        makers += [lambda: players.ludax(work)] if work.ludax else []
    for make in makers:
        try:
            yield make()
        except Absent as absent:
            say(f"{work.name}: {absent}")


def enough(player: Player, seconds: float) -> int:
    """Return the number of games that a player plays in about the given time."""
    count = 1
    player.play(count)  # the first call compiles, and is not measured
    while (spent := player.play(count).seconds) < seconds / 4:
        count = max(2 * count, int(count * seconds / 4 / max(spent, seconds / 400)))
    return max(1, round(count * seconds / spent))


def agree(work: Work | Count, present: list[Player], counts: dict[str, int]) -> None:
    """Exit if the games of a player differ from those of the first one with a checksum."""
    first = present[0] if present else None
    for player in present[1:]:
        count = counts[player.name]
        found = player.play(count).checksum
        if first is not None and found is not None and found != first.play(count).checksum:
            raise SystemExit(f"{work.name}: {player.name} and {first.name} played other games")


def show(rate: Rate) -> Rate:
    ratio = "" if rate.ratio is None else f"{rate.ratio:8.3f} x C"
    print(
        f"{rate.work:28} {rate.player:12} {rate.rate:16,.0f} /s {rate.ply:12,.1f} ns/ply "
        f"{ratio:12} {rate.count:10,} {rate.checksum:20} {rate.kind}",
        flush=True,
    )
    return rate


def processor() -> str:
    """Return the name of the processor, with its family and model."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    facts = {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    kind = f"family {facts.get('cpu family', '?')} model {facts.get('model', '?')}"
    return f"{facts.get('model name', platform.machine())}, {kind}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
