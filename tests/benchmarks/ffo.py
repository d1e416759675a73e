"""Benchmark of `solve --score` against Edax, on an endgame test of Othello (FFO 40 to 59).

    RULESENGINE_EDAX=PROGRAM python -m tests.benchmarks.ffo 40 41 42 43 44

Each position is solved by both programs, one after the other, in a new process of one thread. Edax
gets an evaluation of zeros: both search without knowledge of the game. Rows have the CPU
seconds of the processes, with their start, and the nodes, which are the same in every run. Scores
must be the known ones. Without Edax the benchmark prints the reason and measures our side alone.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from rulesengine.tools.doctor import processor_name

VARIABLE = "RULESENGINE_EDAX"
POSITIONS = Path(__file__).parents[1] / "data/endgames/ffo-40-59.obf"
FIRST = 40
HEAD = "| position | empty | score | nodes | CPU time | nodes of Edax | CPU time | ratio |"
_OURS = sys.executable, "-m", "rulesengine", "solve", "othello", "--score", "--json", "--position"
_THEIRS = "-l", "60", "-n", "1", "-verbose", "1"
# The header of Edax's evaluation file, and its weights: 61 plies of 114,364 words.
_HEADER = struct.pack("<5Id", 0x45444158, 0x4556414C, 0, 0, 0, 0.0)
_WEIGHTS = 61 * 114_364 * 2


@dataclass(frozen=True, slots=True)
class Endgame:
    """A position as board and side to move, and its score for that side."""

    board: str
    score: int

    @property
    def empty(self) -> int:
        return self.board.count("-")


@dataclass(frozen=True, slots=True)
class Solution:
    """The score that a program has found, with its nodes and CPU seconds."""

    score: int
    nodes: int
    seconds: float


def endgames() -> dict[int, Endgame]:
    """Return the positions of the test by their number."""
    lines = [line for line in POSITIONS.read_text().splitlines() if not line.startswith("#")]
    parts = [re.fullmatch(r"(\S+ [XO]); [A-H][1-8]:([+-]\d+);.*", line) for line in lines]
    found = [Endgame(part[1], int(part[2])) for part in parts if part]
    assert len(found) == len(lines)
    return dict(enumerate(found, FIRST))


def main() -> None:
    numbers = [int(number) for number in sys.argv[1:]] or [40, 41, 42, 43, 44]
    edax = shutil.which(os.environ.get(VARIABLE, "edax"))
    print(processor_name())
    if edax is None:
        print(f"Edax is not measured: {VARIABLE} names no program")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "zeros.dat").write_bytes(_HEADER + bytes(_WEIGHTS))
        print(HEAD)
        print("|---|---|---|---|---|---|---|---|")
        rows = [_row(number, edax, Path(folder)) for number in numbers]
    own, other = (sum(seconds) for seconds in zip(*rows, strict=True))
    ratio = f"{own / other:.1f}" if other else ""
    print(f"| together | | | | {own:.1f} s | | {other:.1f} s | {ratio} |")


def _row(number: int, edax: str | None, folder: Path) -> tuple[float, float]:
    """Solve a position with both programs and print a row; return their CPU seconds."""
    endgame = endgames()[number]
    ours = _solve(endgame)
    theirs = _solve_with_edax(endgame, edax, folder) if edax else None
    for solution in (ours, theirs):
        assert solution is None or solution.score == endgame.score, (number, solution)
    head = (
        f"| {number} | {endgame.empty} | {endgame.score:+} | {ours.nodes:,} | {ours.seconds:.1f} s"
    )
    tail = "| | |"
    if theirs:
        ratio = ours.seconds / theirs.seconds
        tail = f"| {theirs.nodes:,} | {theirs.seconds:.1f} s | {ratio:.1f} |"
    print(head, tail, flush=True)
    return ours.seconds, theirs.seconds if theirs else 0.0


def _solve(endgame: Endgame) -> Solution:
    """Return the result of the command `solve`."""
    text, seconds = _run([*_OURS, endgame.board + ";"])
    found = json.loads(text)
    return Solution(found["score"], found["nodes"], seconds)


def _solve_with_edax(endgame: Endgame, edax: str, folder: Path) -> Solution:
    """Return the result of Edax with the evaluation of zeros in a folder."""
    problem = folder / "problem.obf"
    problem.write_text(endgame.board + ";\n")
    weights = folder / "zeros.dat"
    command = [edax, "-solve", str(problem), *_THEIRS, "-eval-file", str(weights)]
    text, seconds = _run(command, folder)
    row = re.search(r"^ +1\| +\d+ +([+-]\d+) +\S+ +(\d+) ", text, re.MULTILINE)
    assert row, text
    return Solution(int(row[1]), int(row[2]), seconds)


def _run(command: list[str], folder: Path | None = None) -> tuple[str, float]:
    """Run a command; return its output and its CPU seconds."""
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, cwd=folder
    )
    after = getrusage(RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
