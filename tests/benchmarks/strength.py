"""Benchmark of the strength of our players against other programs, with budgets as counts.

    python -m tests.benchmarks.strength FOLDER [--only NAME …] [--minutes 6] [--calibrate] [--table]

Each match is a contest in a file of FOLDER; after an interruption, the same command resumes. A
match ends when a sequential test has decided for or against its goal, after 200 games, or when our
side has used its minutes of CPU time. A later command may extend them. Both sides have fixed counts
for a move, about those that `--calibrate` measures for 0.1 s of one core. A game therefore depends
only on its number, and not on the load of the machine. `--table` writes the results to
`strength.md`.
"""

import argparse
import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from math import log10
from pathlib import Path
from shlex import join, quote
from time import process_time
from typing import Any

import rulesengine
from rulesengine.contests.api import contest_of
from rulesengine.contests.stats.intervals import score_of
from rulesengine.contests.stats.sprt import NOT_STRONGER, STRONGER, RunningTest, Sprt
from rulesengine.contests.store import opened
from rulesengine.contests.text_tables import failing_line
from rulesengine.contests.tournament import Contest, Standings, hold
from rulesengine.contests.units import FORFEIT, OPENING, UNFINISHED
from rulesengine.errors import Stopped
from rulesengine.job import Job
from rulesengine.tools.doctor import processor_name
from tests.benchmarks.openspiel_player import simulations_in

SECONDS = 0.1
CLOCK = 86_400.0  # seconds
LONGEST = 300  # plies; longer games are draws
MARGIN = 0.1  # of the points, between the goal and the share under H0
REPORT = Path(__file__).with_name("strength.md")
RESULTS = "## Results\n"
HEAD = """\
| game | we | they | games | points (95 %) | goal | decided | open | faults | ours | theirs |
|---|---|---|---|---|---|---|---|---|---|---|
"""
FILE = "FILE"
SAID = {STRONGER: "reached", NOT_STRONGER: "missed", "": "not yet"}


@dataclass(frozen=True)
class Match:
    """A match of one of our players against a program.

    `theirs` is the program's player, with `FILE` for the file of its CPU seconds. `description`
    names the program and its limit. `goal` is the target share of points.
    """

    key: str
    spec: str
    ours: str
    theirs: str
    description: str
    goal: float
    settings: Mapping[str, int | str] = field(default_factory=dict)
    plies: int = LONGEST
    openspiel: str = ""

    def game(self) -> rulesengine.Game:
        settings: dict[str, Any] = dict(self.settings)
        return rulesengine.load(self.spec, engine="native", **settings)

    def test(self) -> Sprt:
        """Return the test of the goal (H1) against a share lower by the margin (H0)."""
        return Sprt(elo_of(self.goal - MARGIN), elo_of(self.goal))


def elo_of(share: float) -> float:
    """Return the Elo difference of a player with a share of the points."""
    return 400 * log10(share / (1 - share))


def openspiel(
    spec: str,
    ours: str,
    theirs: str,
    simulations: int,
    goal: float,
    *,
    actions: int = 1,
    plies: int = LONGEST,
    **settings: int | str,
) -> Match:
    """Return a match against OpenSpiel's tree search, with a number of simulations a move."""
    given = [f"{name}={value}" for name, value in settings.items()]
    words = [spec, theirs, str(actions), str(simulations), FILE, *given]
    command = "cmd:" + join([sys.executable, "-m", "tests.benchmarks.openspiel_player", *words])
    description = f"OpenSpiel, {simulations:,} simulations"
    return Match(spec, spec, ours, command, description, goal, settings, plies, theirs)


def program(
    key: str,
    spec: str,
    ours: str,
    theirs: str,
    description: str,
    goal: float,
    *,
    plies: int = LONGEST,
    **settings: int | str,
) -> Match:
    """Return a match against a program for one game, or for a few."""
    return Match(f"{key}-{spec}", spec, ours, theirs, description, goal, settings, plies)


def module(name: str, *words: str) -> str:
    return "cmd:" + join([sys.executable, "-m", f"tests.benchmarks.{name}", *words, FILE])


def uci(command: str, variant: str, nodes: int, *settings: str) -> str:
    return " ".join([f"uci:{command} -- UCI_Variant={variant} nodes={nodes}", *settings])


def fairy(spec: str, variant: str, nodes: int, protocol: str = "uci") -> Match:
    """Return a match of 100,000 nodes against Fairy-Stockfish with a number of nodes."""
    description = f"Fairy-Stockfish 11.1, {nodes:,} nodes"
    theirs = f"{protocol}:fairy-stockfish -- UCI_Variant={variant} nodes={nodes}"
    return program("fairy", spec, "search:nodes=100000", theirs, description, 0.5)


def own(spec: str, nodes: int) -> str:
    """Return our search of a spec as an engine of the Universal Chess Interface."""
    command = [sys.executable, "-m", "rulesengine", "engine", spec, "--protocol", "uci"]
    return f"uci:{join(command)} -- nodes={nodes}"


GNU_GO = "gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko --komi 7.5"
WEAK_GNU_GO = GNU_GO.replace("--level 10", "--level 1")
ANSWERING = "tests/benchmarks/go-answering.yaml"
WASM = f"node --no-experimental-fetch {quote(str(Path(__file__).with_name('fairy_wasm.js')))}"

# OpenSpiel ends long games of morris and Go as draws.
MATCHES = (
    openspiel("othello", "grave:playouts=22000", "othello", 210, 0.9),
    openspiel("connect-four", "uct:playouts=110000", "connect_four", 7000, 0.75),
    openspiel("breakthrough", "search:nodes=700000", "breakthrough", 1500, 0.9),
    openspiel("hex", "grave:playouts=8600", "hex(board_size=11)", 1500, 0.9),
    openspiel(
        "clobber", "uct:playouts=37000", "clobber(rows=8,columns=8)", 1400, 0.75, rows=8, columns=8
    ),
    openspiel("gomoku", "search:nodes=700000", "gomoku(size=15)", 800, 0.9),
    openspiel("amazons", "search:nodes=120000", "amazons", 1200, 0.9, actions=3),
    openspiel("english-draughts", "search:nodes=46000", "checkers", 300, 0.95),
    openspiel("nine-mens-morris", "search:nodes=570000", "nine_mens_morris", 1800, 0.75, plies=190),
    openspiel("go", "grave:playouts=720,evaluation=rules", "go(board_size=9)", 590, 0.9, plies=160),
    program(
        "bitbully",
        "connect-four",
        "learned:nodes=350000",
        module("bitbully_player"),
        "BitBully 0.0.79, perfect",
        0.5,
    ),
    program(
        "rust-reversi",
        "othello",
        "learned:nodes=240000",
        module("rust_reversi_player", "8"),
        "rust-reversi 1.4.4, alpha-beta, depth 8",
        0.9,
    ),
    program(
        "rhino",
        "othello",
        "learned:nodes=120000",
        "gtp:gtp-rhino -l 3 -b 0",
        "gtp-rhino 0.16.1, `-l 3`",
        0.5,
    ),
    program(
        "fairy",
        "breakthrough",
        "learned:nodes=550000",
        uci("fairy-stockfish", "breakthrough", 30_000),
        "Fairy-Stockfish 11.1, 30,000 nodes",
        0.5,
    ),
    program(
        "fairy",
        "clobber",
        "search:nodes=300000",
        uci("fairy-stockfish", "clobber", 30_000),
        "Fairy-Stockfish 11.1, 30,000 nodes",
        0.5,
        rows=6,
        columns=5,
    ),
    program(
        "fairy-wasm",
        "ataxx",
        "search:nodes=10000",
        uci(WASM, "ataxx", 10_000, "drop=P", "pass=stay"),
        "Fairy-Stockfish 1.1.12 (wasm), 10,000 nodes",
        0.5,
    ),
    program(
        "fairy-wasm",
        "amazons",
        "search:nodes=10000",
        uci(WASM, "amazons", 10_000),
        "Fairy-Stockfish 1.1.12 (wasm), 10,000 nodes",
        0.5,
    ),
    fairy("chess", "chess", 2_000),
    fairy("xiangqi", "xiangqi", 1_000),
    fairy("los-alamos", "losalamos", 1_000),
    fairy("minishogi", "minishogi", 1_000, "usi"),
    Match(
        "values-chess",
        "chess",
        "search:nodes=20000",
        own("tests/benchmarks/chess-values.yaml", 20_000),
        "our search with values of pieces alone, 20,000 nodes",
        0.75,
    ),
    program(
        "dame",
        "international-draughts",
        "search:nodes=20000",
        module("dame_player", "20000"),
        "dame-rs 0.2.0, 20,000 nodes",
        0.5,
    ),
    program(
        "gnugo",
        "go",
        "grave:playouts=13000,evaluation=rules",
        GNU_GO,
        "GNU Go 3.8, level 10",
        0.3,
        plies=160,
    ),
    program(
        "gnugo-1",
        "go",
        "grave:playouts=13000,evaluation=rules",
        WEAK_GNU_GO,
        "GNU Go 3.8 at level 1",
        0.65,
        plies=160,
    ),
    program(
        "gnugo-1-learned",
        "go",
        "grave:playouts=13000,evaluation=learned",
        WEAK_GNU_GO,
        "GNU Go 3.8 at level 1",
        0.65,
        plies=160,
    ),
    program(
        "gnugo-10-learned",
        "go",
        "grave:playouts=35000,evaluation=learned",
        GNU_GO,
        "GNU Go 3.8, level 10",
        0.4,
        plies=160,
    ),
    Match(
        "gnugo-answering",
        ANSWERING,
        "grave:playouts=13000",
        GNU_GO,
        "GNU Go 3.8, level 10",
        0.5,
        plies=160,
    ),
)


def calibrate(match: Match) -> str:
    """Return a line with both sides' counts in the time of a move, in the initial position."""
    kind, game = match.ours.partition(":")[0], match.game()
    count, took = 500, 0.0
    while took < SECONDS:
        count *= 2
        since = process_time()
        if kind == "search":
            game.search(nodes=count)
        else:
            game.search(playouts=count, method=kind)
        took = process_time() - since
    line = f"{match.key}: {count * SECONDS / took:,.0f} {match.ours.partition(':')[2]}"
    if match.openspiel:
        line += f", {simulations_in(match.openspiel, SECONDS):,.0f} simulations"
    return line


@dataclass(frozen=True)
class Played:
    """A stored game, with our points."""

    round: int
    points: float
    plies: int
    ending: str


class Kept:
    """The files of a match: its games, and their CPU seconds."""

    def __init__(self, folder: Path, match: Match) -> None:
        self.games = folder / f"{match.key}.db"
        self.ours = folder / f"{match.key}.ours"
        self.theirs = folder / f"{match.key}.theirs"

    def played(self) -> list[Played]:
        """Return the stored games; none while another command writes the file."""
        if not self.games.exists():
            return []
        with closing(sqlite3.connect(self.games)) as connection, suppress(sqlite3.OperationalError):
            rows = connection.execute("SELECT round, turn, payoffs, plies, ending FROM games")
            return [
                Played(at, _points(json.loads(paid), turn), plies, ending)
                for at, turn, paid, plies, ending in rows
            ]
        return []


def _points(payoffs: list[int], turn: int) -> float:
    """Return 1 for a win, a half for a draw, for the player with the first seat in turn 0."""
    ours, theirs = payoffs[turn], payoffs[1 - turn]
    return (1 + (ours > theirs) - (ours < theirs)) / 2


def decided(test: Sprt, games: Iterable[Played]) -> str:
    """Return the decision of a test on the rounds in order, with a note if faults decided it."""
    halves, faulty = Counter[int](), set[int]()
    for game in games:
        halves[game.round] += round(2 * game.points)
        if game.ending == FORFEIT:
            faulty.add(game.round)
    running = RunningTest(test)
    return SAID[running.add(halves.items(), faulty)] + " by faults" * running.is_by_faults


def contest(kept: Kept, match: Match, games: int) -> Contest:
    """Return the contest to play; its clock is too long to expire on any busy machine."""
    theirs = match.theirs.replace(FILE, quote(str(kept.theirs.absolute())))
    players = [f"ours={match.ours}", f"theirs={theirs}"]
    game, test = match.game(), match.test()
    return contest_of(game, players, games, sprt=test, plies=match.plies, clock=CLOCK)


def play(kept: Kept, match: Match, games: int, minutes: float) -> None:
    """Play the rest of a match until our side has used its minutes."""
    held = contest(kept, match, games)
    job, since = Job(), process_time()

    def each(standings: Standings) -> None:
        nonlocal since
        with kept.ours.open("a") as spent:
            spent.write(f"{process_time() - since:.3f}\n")
        since = process_time()
        wins, draws, losses = standings.table.against(0, 1)
        sys.stderr.write(f"\r{match.key}: {wins} won, {draws} drawn, {losses} lost ")
        if seconds(kept.ours) >= 60 * minutes:
            job.stop()

    with suppress(Stopped), opened(kept.games, held.identity()) as store:
        why = failing_line(hold(held, store=store, each=each, job=job))
        if why:
            sys.stderr.write(f"\n{why}; what was said is in {kept.games}\n")


def row(kept: Kept, match: Match) -> str:
    """Return the table row of the stored games."""
    games = kept.played()
    if not games:
        return ""
    score = score_of([game.points for game in games])
    assert score
    moves = max(sum(game.plies - OPENING for game in games) / 2, 1)
    files = (kept.ours, kept.theirs)
    spent = (f"{seconds(file) / moves:.3f} s" if file.exists() else "" for file in files)
    ends = Counter(game.ending for game in games)
    columns = (
        match.spec + "".join(f" {name}={value}" for name, value in match.settings.items()),
        f"`{match.ours}`",
        match.description,
        str(len(games)),
        f"{score.value:.0%} ({score.low:.0%} to {score.high:.0%})",
        f"{match.goal:.0%}",
        decided(match.test(), games),
        str(ends[UNFINISHED]),
        str(ends[FORFEIT]),
        *spent,
    )
    return "| " + " | ".join(columns) + " |\n"


def seconds(file: Path) -> float:
    """Return the sum of the numbers in a file."""
    return sum(map(float, file.read_text().split())) if file.exists() else 0.0


def report(folder: Path) -> None:
    """Write the table after the text of the report; keep the text, and rows of other folders."""
    text, _, table = REPORT.read_text().partition(RESULTS)
    old = {_opponents(line): line for line in table.splitlines(keepends=True) if "`" in line}
    lines = [row(Kept(folder, match), match) for match in MATCHES]
    new = {_opponents(line): line for line in lines if line}
    head = f"\nProcessor: {processor_name()}.\n\n{HEAD}"
    REPORT.write_text(text + RESULTS + head + "".join((old | new).values()))


def _opponents(line: str) -> tuple[str, str, bool]:
    """Return the game, the opponent, and True if our player has weights: the key of a row."""
    _, game, ours, theirs, *_ = line.split("|")
    return game.strip(), theirs.partition(",")[0].strip(), "learned" in ours


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    keys = [match.key for match in MATCHES]
    parser.add_argument("--only", nargs="*", default=[], choices=keys, metavar="NAME")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    matches = {match.key: match for match in MATCHES}
    for key in () if options.table else options.only or keys:
        if options.calibrate:
            sys.stdout.write(calibrate(matches[key]) + "\n")
        else:
            kept = Kept(options.folder, matches[key])
            play(kept, matches[key], options.games, options.minutes)
    if not options.calibrate:
        report(options.folder)


if __name__ == "__main__":
    main()
