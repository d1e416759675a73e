"""Rehearsal of the first uses after an installation, with an empty cache.

Usage: `python -m tests.benchmarks.bench_rehearsal`. The rows are the page at level 2 for ten games,
a match, a study, a training, and a script with 10^5 lines. The output of each command is compared
with that of Python code without a cache; the page's moves must be legal.
"""

import hashlib
import tempfile

from tests.benchmarks import bench_scripts
from tests.benchmarks.bench_auto import USES, measured
from tests.benchmarks.bench_first_answers import answers, cached

GAMES = (
    "backgammon", "chess", "chinese-checkers", "connect-four", "go", "hex",
    "international-draughts", "othello", "xiangqi", "yavalath",
)  # fmt: skip
COMMANDS = ("match, tree searches", "study", "learn")
SCRIPT, SCRIPT_GAMES = "acm92-othello", 1_000  # these games take about 130,000 lines


def rehearse_page() -> str:
    """Return a checksum of the moves of all games, after the seconds of each game."""
    digest = hashlib.sha256()
    for name in GAMES:
        with tempfile.TemporaryDirectory() as folder, cached(folder) as client:
            moves, times = answers(client, name)
        digest.update(" ".join([name, *moves]).encode())
        figures = ", ".join(f"{seconds:.2f}" for seconds in times)
        print(f"page, {name}: {figures} s", flush=True)
    return digest.hexdigest()[:8]


def rehearse(name: str, use: tuple[str, ...], given: str = "") -> None:
    """Print the processor seconds of a command with `auto`; its output must be that of Python."""
    seconds, checksum = measured(use, "auto", given)
    _, expected = measured(use, "python", given)
    assert checksum == expected, name
    print(f"{name}: {seconds:.2f} s, checksum {checksum}", flush=True)


def main() -> None:
    """Print a line for each use."""
    print(f"page, checksum of the moves: {rehearse_page()}", flush=True)
    for name in COMMANDS:
        rehearse(name, USES[name])
    lines = bench_scripts.othello(SCRIPT_GAMES)
    rehearse("script", ("run", SCRIPT), "".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
