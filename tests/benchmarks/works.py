"""The workloads of the kernel benchmark: random games and perft, each with its program in C."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.benchmarks.c_rulers import Ruler

VARIANTS = Path(__file__).parent / "variants"


@dataclass(frozen=True, slots=True)
class Work:
    """Random games of a spec; `spiel` and `ludax` are the names of the game in other frameworks."""

    name: str
    spec: str
    ruler: Ruler | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    spiel: str = ""
    ludax: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """A perft of a spec; `bulk` counts the moves of the last ply without making them."""

    name: str
    spec: str
    ruler: Ruler
    depth: int
    nodes: int
    bulk: bool


def reversi(n: int) -> Ruler:
    """Return the program in C for Othello on n x n."""
    if n <= 8:
        return Ruler("othello.c", (f"ROWS={n}", f"COLUMNS={n}"))
    return Ruler("reversi.c", (f"N={n}",))


GAMES = (
    Work("othello", "othello", Ruler("othello.c"), spiel="othello", ludax="reversi"),
    Work(
        "connect-four",
        "connect-four",
        Ruler("connect_four.c"),
        spiel="connect_four",
        ludax="connect_four",
    ),
    Work("breakthrough", "breakthrough", Ruler("breakthrough.c"), spiel="breakthrough"),
    Work("gomoku", "gomoku", Ruler("gomoku.c"), spiel="gomoku", ludax="gomoku"),
    Work("hex", "hex", Ruler("hex.c"), spiel="hex", ludax="hex"),
    Work("english-draughts", "english-draughts", Ruler("draughts.c"), spiel="checkers"),
    Work("go", "go", Ruler("go.c"), spiel="go(board_size=9,komi=7.5)"),
)

SIZES = tuple(
    Work(f"othello {n}x{n}", "othello", reversi(n), {"n": n}) for n in (4, 6, 8, 10, 12, 16, 20, 26)
)

# Bit masks of clockwise directions from north, and of cells in reading order.
VARIED = {
    "three-directions": ("DIRECTIONS=0x49",),
    "runs-of-two": ("SHORTEST=2", "WHITE=0x240c18300000", "BLACK=0x1830240c0000"),
    "removing": ("REMOVE", "LAST=60", "WHITE=0xaa55aa550000", "BLACK=0x55aa55aa0000"),
    "nine-by-seven": ("ROWS=7", "COLUMNS=9"),
    "hole": ("HOLES=0x40000",),
}

CHANGED = tuple(
    Work(f"othello, {name}", str(VARIANTS / f"{name}.yaml"), Ruler("othello.c", defines))
    for name, defines in VARIED.items()
)

# Published counts; the sources are in tests/conformance/test_perft.py and in README.md of this
# folder.
COUNTS = (
    Count("othello perft 9", "othello", Ruler("othello.c"), 9, 3_005_288, False),
    Count("othello perft 9, bulk", "othello", Ruler("othello.c"), 9, 3_005_288, True),
    Count("connect-four perft 8", "connect-four", Ruler("connect_four.c"), 8, 5_673_234, False),
)
