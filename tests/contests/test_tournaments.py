"""Tournaments in a file: no game is lost or counted twice, and no other file is changed."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from itertools import combinations
from pathlib import Path
from select import select

import pytest

from rulesengine import Game, UsageError, load
from rulesengine.contests import Crosstable, Sprt, html_report, match, tournament
from rulesengine.contests.api import contest_of
from rulesengine.contests.schedule import plan_of
from rulesengine.contests.store import opened
from rulesengine.contests.tournament import hold
from rulesengine.contests.units import Entrant
from tests.helpers.cli_calls import call
from tests.helpers.contest_players import Turning
from tests.helpers.processes import COMMAND, PATIENCE, running, wait_for_writes

PLAYERS = ["search:nodes=6", "mcts:playouts=2", "random"]
# Two idle workers that have played before.
DRIVER = """
import multiprocessing, os, sys
from rulesengine.contests import processes
with processes(2) as pool:
    for played in [pool.executor.submit(os.getpid) for _ in range(2)]:
        played.result()
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    sys.stdin.read()
"""
FULL = 9 * 4096  # bytes: the tables of a file take 8 pages without any game
WORDS = [word for player in PLAYERS for word in ("--player", player)]


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


@pytest.fixture(scope="module")
def whole(tic: Game, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """Return the games of a tournament that ran without interruption."""
    out = tmp_path_factory.mktemp("whole") / "t.db"
    tournament(tic, PLAYERS, 8, out, seed=4, spec="tic-tac-toe")
    return games_of(out)


def games_of(path: Path) -> list[tuple[object, ...]]:
    """Return all columns that do not depend on the clock; SQLite rolls back half-written data.

    A kill may even precede the creation of the tables.
    """
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
            return []
        return connection.execute(
            'SELECT "group", round, turn, payoffs, plies, ending, reason, record FROM games'
            ' ORDER BY "group", round, turn'
        ).fetchall()


@pytest.mark.slow
def test_a_tournament_goes_on_where_it_was_stopped(
    tic: Game, tmp_path: Path, whole: list[tuple[object, ...]]
) -> None:
    out, calls = tmp_path / "t.db", 0

    def stop(standings: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(tic, PLAYERS, 8, out, seed=4, spec="tic-tac-toe", each=stop)
    assert 0 < len(games_of(out)) < len(whole) == 24
    standings = tournament(tic, PLAYERS, 8, out, seed=4, spec="tic-tac-toe")
    assert games_of(out) == whole
    assert standings.table.played == 24


@pytest.mark.slow
def test_kills_at_random_moments_lose_nothing(
    tmp_path: Path, whole: list[tuple[object, ...]]
) -> None:
    killed(tmp_path / "t.db", whole, times=2, workers=1, seed=1)


@pytest.mark.deep
def test_a_hundred_kills_lose_nothing(tmp_path: Path, whole: list[tuple[object, ...]]) -> None:
    for number in range(10):
        workers = 1 + number % 2
        killed(tmp_path / f"{number}.db", whole, times=10, workers=workers, seed=number)


def killed(
    out: Path, whole: list[tuple[object, ...]], *, times: int, workers: int, seed: int
) -> None:
    """Kill the driver repeatedly, after a random number of writes; then let it end."""
    draw, done = random.Random(seed), 0
    command = (*COMMAND, "tournament", "tic-tac-toe", *WORDS, "--games", "8", "--seed", "4",
               "--engine", "interpreter", "--out", str(out), "--workers", str(workers))  # fmt: skip
    for _ in range(times):
        with running(*command) as process:
            wait_for_writes(out, draw.randrange(5), process)
            process.kill()
            process.wait()
        now = games_of(out) if out.exists() and out.stat().st_size else []
        assert len(now) >= done
        assert set(now) <= set(whole)
        done = len(now)
    with running(*command) as process:
        assert process.wait() == 0
    assert games_of(out) == whole


@pytest.mark.slow
def test_no_worker_outlives_a_driver_that_is_killed() -> None:
    with running(sys.executable, "-c", DRIVER) as process:
        assert process.stdout
        workers = list(map(int, process.stdout.readline().split()))
        assert len(workers) == 2
        process.kill()
        try:
            assert select([process.stdout], [], [], PATIENCE)[0]
            assert process.stdout.read() == b""  # every process that could write has ended
        finally:
            for worker in workers:
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)


@pytest.mark.slow
def test_a_full_disk_is_reported_and_loses_nothing(
    tmp_path: Path, whole: list[tuple[object, ...]]
) -> None:
    out = tmp_path / "t.db"
    words = ("tournament", "tic-tac-toe", *WORDS, "--games", "8", "--seed", "4")
    command = [*COMMAND, *words, "--engine", "interpreter", "--out", str(out)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (FULL, FULL)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"rulesengine: {out}: ")
    assert done.stderr.count("\n") == 1
    assert set(games_of(out)) < set(whole)
    assert call(*words, "--out", str(out), "--engine", "interpreter").code == 0
    assert games_of(out) == whole


def test_another_file_is_left_alone(tic: Game, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    out.write_text("mine")
    with pytest.raises(UsageError, match="is not a store of games"):
        tournament(tic, PLAYERS, 2, out)
    assert out.read_text() == "mine"
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    with pytest.raises(UsageError, match="is not a store of games"):
        tournament(tic, PLAYERS, 2, tmp_path / "other.db")
    with pytest.raises(UsageError, match="is a directory"):
        tournament(tic, PLAYERS, 2, tmp_path)
    with pytest.raises(UsageError, match="unable to open"):
        tournament(tic, PLAYERS, 2, tmp_path / "no" / "t.db")


def test_another_tournament_is_refused(tic: Game, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    tournament(tic, ["random", "b=random"], 2, out)
    for change in ({"seed": 1}, {"plies": 7}, {"players": ["random", "c=random"]}):
        given = {"players": ["random", "b=random"], "games": 2, **change}
        with pytest.raises(UsageError, match="has another contest: Tic-tac-toe, 2 games, seed 0"):
            tournament(tic, out=out, **given)  # type: ignore[arg-type]
    four = load("connect-four", engine="interpreter")
    with pytest.raises(UsageError, match="with other rules"):
        tournament(four, ["random", "b=random"], 2, out)


@pytest.mark.slow
@pytest.mark.parametrize("begun", [2, 4])
def test_more_games_lead_to_the_file_of_a_longer_tournament(
    tic: Game, tmp_path: Path, whole: list[tuple[object, ...]], begun: int
) -> None:
    out = tmp_path / "t.db"
    tournament(tic, PLAYERS, begun, out, seed=4, spec="tic-tac-toe")
    short = games_of(out)
    assert len(short) == 3 * begun
    command = ("tournament", "tic-tac-toe", *WORDS, "--seed", "4", "--engine", "interpreter")
    assert call(*command, "--games", "8", "--out", str(out)).code == 0
    assert games_of(out) == whole
    assert set(short) <= set(whole)
    other = tmp_path / "at-once.db"
    standings = tournament(tic, PLAYERS, 8, other, seed=4, spec="tic-tac-toe")
    again = tournament(tic, PLAYERS, 8, out, seed=4, spec="tic-tac-toe")
    assert html_report(again, out, tic) == html_report(standings, other, tic)
    assert identity_of(out) == identity_of(other)


def test_fewer_games_and_files_without_a_length_are_refused(tic: Game, tmp_path: Path) -> None:
    out, players = tmp_path / "t.db", ["random", "b=random"]
    tournament(tic, players, 4, out)
    with pytest.raises(UsageError, match="cannot be extended: Tic-tac-toe, 4 games"):
        tournament(tic, players, 2, out)
    assert tournament(tic, players, 4, out).table.played == 4
    with closing(sqlite3.connect(out)) as connection, connection:
        connection.execute("DELETE FROM contest WHERE key = 'length'")
        connection.execute("UPDATE contest SET key = 'told' WHERE key = 'description'")
    with pytest.raises(UsageError, match="has another contest: Tic-tac-toe, 4 games"):
        tournament(tic, players, 6, out)
    assert tournament(tic, players, 4, out).table.played == 4


@pytest.mark.parametrize("text", ["[1", "[1]", '["a", 2]', "[-2, 0]", "7"])
def test_a_damaged_length_is_reported(tic: Game, tmp_path: Path, text: str) -> None:
    out, players = tmp_path / "t.db", ["random", "b=random"]
    tournament(tic, players, 2, out)
    with closing(sqlite3.connect(out)) as connection, connection:
        connection.execute("UPDATE contest SET value = ? WHERE key = 'length'", (text,))
    with pytest.raises(UsageError, match="is damaged"):
        tournament(tic, players, 4, out)


def test_a_swiss_tournament_gets_more_stages_but_no_more_games(tic: Game, tmp_path: Path) -> None:
    players = ["random", "b=random", "c=random", "d=random"]
    out, other = tmp_path / "t.db", tmp_path / "at-once.db"
    tournament(tic, players, 2, out, system="swiss", stages=1)
    short = games_of(out)
    with pytest.raises(UsageError, match="cannot be extended"):
        tournament(tic, players, 4, out, system="swiss", stages=1)
    tournament(tic, players, 2, out, system="swiss", stages=3)
    tournament(tic, players, 2, other, system="swiss", stages=3)
    assert games_of(out) == games_of(other)
    assert games_of(out)[: len(short)] == short


def identity_of(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT key, value FROM contest ORDER BY key").fetchall()


def stored(path: Path) -> Path:
    """Store a small tournament in a file, or read it."""
    tournament(load("tic-tac-toe", engine="interpreter"), ["random", "b=random"], 6, path)
    return path


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("payoffs", "[1, -1"),
        ("payoffs", '[1, "x"]'),
        ("payoffs", "[7, -7]"),
        ("plies", "many"),
        ("ending", "rulez"),
        ("record", b"\xff"),
        ("seconds", "[]]"),
        ("measures", "["),
        ("turn", 7),
    ],
)
def test_a_damaged_row_is_reported(tmp_path: Path, column: str, value: object) -> None:
    out = stored(tmp_path / "t.db")
    with closing(sqlite3.connect(out)) as connection, connection:
        connection.execute(f"UPDATE games SET {column} = ? WHERE rowid = 3", (value,))
    with pytest.raises(UsageError, match=r"t\.db: is damaged"):
        stored(out)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE units RENAME COLUMN first TO fjrst",
        "ALTER TABLE games RENAME TO gamez",
        "UPDATE contest SET value = CAST(x'c3' AS TEXT)",
    ],
)
def test_damaged_tables_are_reported_as_such(tmp_path: Path, change: str) -> None:
    out = stored(tmp_path / "t.db")
    with closing(sqlite3.connect(out)) as connection, connection:
        connection.execute(change)
    with pytest.raises(UsageError, match=r"t\.db: is damaged: "):
        stored(out)


def totals(table: Crosstable) -> tuple[object, ...]:
    return table.played, table.drawn, table.unfinished, table.seats


@pytest.mark.slow
def test_a_file_with_damaged_bytes_is_reported_or_gives_the_same_result(tmp_path: Path) -> None:
    out, game = stored(tmp_path / "t.db"), load("tic-tac-toe", engine="interpreter")
    data, names = out.read_bytes(), ["random", "b=random"]
    table, draw = totals(tournament(game, names, 6, out).table), random.Random(1)
    reported = 0
    for _ in range(60):
        damaged = bytearray(data)
        for place in draw.sample(range(len(data)), 40):
            damaged[place] ^= 1 << draw.randrange(8)
        out.write_bytes(damaged)
        try:
            assert totals(tournament(game, names, 6, out).table) == table
        except UsageError:
            reported += 1
    assert reported > 10


def test_a_file_of_a_newer_version_is_refused(tic: Game, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    tournament(tic, ["random", "b=random"], 2, out)
    with sqlite3.connect(out) as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(UsageError, match="newer version of the package: 9 > 3"):
        tournament(tic, ["random", "b=random"], 2, out)


def test_a_damaged_file_is_reported(tic: Game, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    tournament(tic, ["random", "b=random"], 2, out)
    data = bytearray(out.read_bytes())
    data[100:] = os.urandom(len(data) - 100)
    out.write_bytes(data)
    with pytest.raises(UsageError, match=r"t\.db: "):
        tournament(tic, ["random", "b=random"], 2, out)


def test_two_drivers_on_one_file_are_refused(tic: Game, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    contest = contest_of(tic, ["random", "b=random"], 2)
    with opened(out, contest.identity()) as store:
        hold(contest, store=store)
        with pytest.raises(UsageError, match="another tournament is at work on this file"):
            tournament(tic, ["random", "b=random"], 2, out)
    tournament(tic, ["random", "b=random"], 2, out)


def test_everyone_meets_everyone_or_the_first_one_all() -> None:
    entrants = [Entrant(name, "random") for name in "abcd"]
    robin = plan_of(entrants, 2, 2)
    assert robin.groups(0, Crosstable(4)) == tuple(combinations(range(4), 2))
    assert robin.groups(1, Crosstable(4)) == ()
    gauntlet = plan_of(entrants, 2, 2, "gauntlet")
    assert gauntlet.groups(0, Crosstable(4)) == ((0, 1), (0, 2), (0, 3))
    assert plan_of(entrants, 3, 3).groups(0, Crosstable(4)) == tuple(combinations(range(4), 3))


@pytest.mark.parametrize("count", [2, 5, 8])
def test_swiss_tournament_has_no_repeated_pairing(count: int) -> None:
    entrants = [Entrant(str(i), "random") for i in range(count)]
    plan = plan_of(entrants, 2, 2, "swiss")
    table, stage, met = Crosstable(count), 0, list[tuple[int, ...]]()
    while groups := plan.groups(stage, table):
        assert len({i for group in groups for i in group}) == 2 * (count // 2)
        met += groups
        for i, j in groups:  # the lower number always wins
            table.wins[i, j] += 2
            table.games[i] += 2
            table.games[j] += 2
        stage += 1
    assert len(set(met)) == len(met)
    assert stage == {2: 1, 5: 3, 8: 3}[count]
    assert table.score(0) >= max(table.score(i) for i in range(1, count)) - 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--system", "x"], "no system `x`: there is round-robin, gauntlet, swiss"),
        (["--games", "3"], "a multiple of 2, since"),
        (["--player", "human", "--workers", "2"], "a person plays at this terminal"),
        (["--threads", "2", "--workers", "2"], "not together with"),
    ],
)
def test_wrong_use_is_a_sentence_and_2(tmp_path: Path, words: list[str], why: str) -> None:
    out = str(tmp_path / "t.db")
    found = call("tournament", "tic-tac-toe", *WORDS, "--out", out, *words)
    assert (found.code, found.out) == (2, "")
    assert why in found.err
    assert not Path(out).exists()


@pytest.mark.slow
def test_a_test_decides_by_numbers_and_never_by_arrival(tic: Game) -> None:
    """Check that units in reverse order of arrival end the match at the same game."""
    players, sprt = ["search:nodes=30", "random"], Sprt(0, 200, 0.1, 0.1)
    alone = match(tic, players, 200, sprt=sprt)
    assert alone.test is not None
    assert alone.test.decision == "H1"
    assert alone.table.played == 2 * alone.test.rounds < 200
    turned = match(tic, players, 200, sprt=sprt, executor=Turning())
    assert turned.table.wins == alone.table.wins


def test_the_report_holds_every_game(tic: Game, tmp_path: Path) -> None:
    out, page = tmp_path / "t.db", tmp_path / "t.html"
    words = ("--games", "2", "--out", str(out), "--report", str(page), "--engine", "interpreter")
    found = call("tournament", "tic-tac-toe", *WORDS, "--player", "<b>=random", *words)
    assert found.code == 0
    text = page.read_text()
    assert text.count("data:text/plain") == 12
    assert "<svg" in text
    assert "<b>" not in text
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
