"""A program that fails in game after game ends a test, and the verdict lists its faults."""

import json
from pathlib import Path

import pytest

from rulesengine import Game, load
from rulesengine.contests import Sprt, Standings, failing_line, hold, match, opened, standings_text
from rulesengine.contests.api import contest_of
from rulesengine.contests.forfeits import RUN
from rulesengine.contests.stats.sprt import NOT_STRONGER, STRONGER, RunningTest
from tests.helpers.cli_calls import call
from tests.helpers.contest_players import BAD, PROPER, Turning, program

TEST = Sprt(0, 10)


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


def often_bad(folder: Path) -> str:
    """Return a program that crashes in three games of four."""
    count = f'f = open({str(folder / "count")!r}, "a+"); f.write("x"); f.seek(0)\n'
    return program(folder, f"{count}if len(f.read()) % 4: sys.exit(3)\n{PROPER}")


@pytest.mark.slow
def test_a_program_that_fails_in_game_after_game_ends_a_test(tic: Game, tmp_path: Path) -> None:
    players = ["random", "bad=" + program(tmp_path, BAD["illegal move"])]
    standings = match(tic, players, 100, sprt=TEST)
    assert (standings.table.played, standings.is_over) == (RUN, True)
    assert standings.test
    assert standings.test.decision == ""
    assert failing_line(standings).startswith(
        "bad has lost 4 games in a row by faults, so nothing is decided; the last one, game 3, by"
        " illegal move: "
    )
    assert standings.failing
    assert standings.failing.transcript.splitlines()[-2:] == ["> move", "< z9"]
    assert "\nlost by illegal move: bad 4 (game 3: " in standings_text(standings)
    turned = match(tic, players, 100, sprt=TEST, executor=Turning())
    assert standings_text(turned) == standings_text(standings)


@pytest.mark.slow
def test_faults_here_and_there_end_no_test(tic: Game, tmp_path: Path) -> None:
    standings = match(tic, [often_bad(tmp_path), "random"], 12, sprt=TEST)
    assert standings.table.played == 12
    assert standings.table.faults == {(0, "crash"): 9}
    assert failing_line(standings) == ""
    assert standings.test
    assert standings.test.faulty == 6


@pytest.mark.slow
def test_a_match_without_a_test_is_played_to_its_end(tic: Game, tmp_path: Path) -> None:
    standings = match(tic, [program(tmp_path, BAD["crash"]), "random"], 6)
    assert standings.table.played == 6
    assert failing_line(standings) == ""


@pytest.mark.slow
def test_command_reports_forfeits_with_their_reasons(tmp_path: Path) -> None:
    words = ["match", "tic-tac-toe", "--player", "bad=" + program(tmp_path, BAD["illegal move"])]
    words += ["--player", "random", "--sprt", "0,10", "--engine", "interpreter", "--json"]
    done = call(*words)
    assert done.code == 1
    report = json.loads(done.out)
    assert (report["games"], report["sprt"], report["ended_by_faults_of"]) == (RUN, None, "bad")
    assert report["faults"] == [{"name": "bad", "kind": "illegal move", "games": RUN}]
    first, head, *notes = done.err.splitlines()
    assert first.startswith("rulesengine: bad has lost 4 games in a row by faults")
    assert head == "the end of its transcript:"
    assert notes[-2:] == ["> move", "< z9"]


@pytest.mark.slow
def test_forfeited_games_are_replayed_after_a_fix(tic: Game, tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    flag = tmp_path / "flag"
    text = f"import os\nif os.path.exists({str(flag)!r}): sys.exit(3)\n{PROPER}"
    players = [program(tmp_path / "programs", text), "random"]
    whole = standings_text(match(tic, players, 12, sprt=TEST))

    def held(name: str, breaks_after: int) -> Standings:
        def each(standings: Standings) -> None:
            if standings.table.played == breaks_after:
                flag.touch()

        contest = contest_of(tic, players, 12, sprt=TEST)
        with opened(tmp_path / name, contest.identity()) as store:
            return hold(contest, store=store, each=each)

    broken = held("games.db", 4)
    assert (broken.table.played, broken.table.faults) == (8, {(0, "crash"): RUN})
    flag.unlink()
    assert standings_text(held("games.db", 99)) == whole
    flag.touch()
    assert standings_text(held("games.db", 99)) == whole
    assert held("other.db", 99).table.played == RUN
    flag.unlink()
    assert standings_text(held("other.db", 99)) == whole


def test_sprt_decided_by_forfeits_is_marked() -> None:
    by_faults, by_play, in_spite = (RunningTest(Sprt(0, 400)) for _ in range(3))
    rounds = [(number, 4) for number in range(100)]
    assert by_faults.add(rounds, range(100)) == STRONGER
    assert (by_faults.is_by_faults, by_faults.faulty) == (True, by_faults.rounds)
    assert by_play.add(rounds) == STRONGER
    assert (by_play.is_by_faults, by_play.faulty) == (False, 0)
    assert in_spite.add([(number, 0) for number in range(100)], [0]) == NOT_STRONGER
    assert in_spite.faulty == 1


@pytest.mark.slow
def test_table_shows_verdict_and_forfeits(tic: Game, tmp_path: Path) -> None:
    test = Sprt(0, 400, 0.2, 0.2)
    players = ["search:nodes=200", often_bad(tmp_path)]
    standings = match(tic, players, 40, sprt=test, opening=0)
    assert standings.test
    assert standings.test.decision == STRONGER
    assert standings.test.is_by_faults
    last = standings_text(standings).splitlines()[-1]
    assert last.startswith(f"decided by faults alone: {standings.test.faulty} of these rounds have")
